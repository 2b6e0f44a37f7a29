import { DateTime } from 'luxon';
import { readForm } from '../../../nodes/SmsSendAndWaitForResponse/form';
import { burmese, english } from '../../../nodes/SmsSendAndWaitForResponse/pageOptions';
import { findEnd, limitWaitTime } from '../../../nodes/SmsSendAndWaitForResponse/waitLimit';

const read = (parameters: Record<string, unknown>, { isReview = false, texts = english } = {}) =>
	readForm((name, _, otherwise) => parameters[name] ?? otherwise, 0, {
		texts,
		message: 'Refund?',
		isReview,
	});
const labelsOf = (...given: Parameters<typeof read>) =>
	read(...given).buttons.map(({ value, label }) => [value, label]);

describe('an approval', () => {
	const approval = (values?: object) => ({
		responseType: 'approval',
		...(values && { approvalOptions: { values } }),
	});

	test('has Approve and Decline, in the language of the page', () => {
		expect(labelsOf(approval())).toEqual([
			['approve', 'Approve'],
			['decline', 'Decline'],
		]);
		expect(labelsOf(approval({ approveLabel: '' }), { texts: burmese })).toEqual([
			['approve', burmese.approve],
			['decline', burmese.decline],
		]);
	});

	test('has the labels of n8n, and only Approve where it is single', () => {
		const values = { approvalType: 'double', approveLabel: 'Refund', disapproveLabel: 'Keep' };
		expect(labelsOf(approval(values))).toEqual([
			['approve', 'Refund'],
			['decline', 'Keep'],
		]);
		expect(labelsOf(approval({ ...values, approvalType: 'single' }))).toEqual([
			['approve', 'Refund'],
		]);
	});

	test.each([
		{ approvalType: 'both' },
		{ approveLabel: 'x'.repeat(61) },
		{ approveLabel: {}, disapproveLabel: [1] },
	])('is rejected with %j', (values) =>
		expect(() => read(approval(values))).toThrow(/Type of Approval|Button Label/),
	);

	test('asks for the reason of a decline as a review, where it can be declined', () => {
		expect(read(approval(), { isReview: true }).asksReason).toBe(true);
		expect(read(approval({ approvalType: 'single' }), { isReview: true }).asksReason).toBe(false);
		expect(read(approval()).asksReason).toBe(false);
	});
});

describe('choices', () => {
	const choice = (choices: unknown) => ({ responseType: 'choice', choices });

	test.each([['One\n\n Two \r\nThree'], [['One', 'Two', 'Three']]])('are read from %j', (given) => {
		expect(labelsOf(choice(given))).toEqual([
			['0', 'One'],
			['1', 'Two'],
			['2', 'Three'],
		]);
	});

	test.each([
		['', '0 lines'],
		[undefined, '0 lines'],
		['One', 'Choices has 1 line'],
		[Array.from({ length: 11 }, (_, n) => `Line ${n}`), '11 lines'],
		['One\nOne', 'twice'],
		[`One\n${'x'.repeat(101)}`, 'max. 100'],
		[['One', { a: 1 }], 'must be text'],
	])('are rejected: %j', (given, words) => expect(() => read(choice(given))).toThrow(words));
});

test('a text has one button', () =>
	expect(labelsOf({ responseType: 'freeText' })).toEqual([['send', 'Send']]));

test.each([undefined, '', 'customForm', 'toString'])('%j is not a response type', (responseType) =>
	expect(() => read({ responseType })).toThrow('is not valid for Response Type'),
);

describe('waitLimit', () => {
	const now = Date.parse('2030-01-01T00:00:00Z');
	const end = (values: object) => findEnd(limitWaitTime.read({ values }), 'Asia/Yangon', now) - now;
	const minutes = 60_000;
	const days = 24 * 60 * minutes;

	test('is a day without the option', () =>
		expect(findEnd(limitWaitTime.whenAbsent, 'UTC', now) - now).toBe(days));

	test.each([
		[{ limitType: 'afterTimeInterval', resumeAmount: 45, resumeUnit: 'minutes' }, 45 * minutes],
		[{ resumeAmount: '0.5', resumeUnit: 'hours' }, 30 * minutes],
		[{ resumeUnit: 'days' }, days],
		[{ resumeAmount: 2 }, 120 * minutes],
		[{ limitType: 'atSpecifiedTime', maxDateAndTime: '2030-01-01T07:00:00' }, 30 * minutes],
		[{ limitType: 'atSpecifiedTime', maxDateAndTime: '2030-01-01T01:00:00Z' }, 60 * minutes],
		[{ limitType: 'atSpecifiedTime', maxDateAndTime: DateTime.fromMillis(now + minutes) }, minutes],
	])('%j is a time', (values, ms) => expect(end(values)).toBe(ms));

	test.each([
		{ resumeAmount: 0 },
		{ resumeAmount: -1 },
		{ resumeAmount: '' },
		{ resumeAmount: null },
		{ resumeAmount: 'soon' },
		{ resumeAmount: 1e9 },
		{ resumeAmount: NaN },
		{ resumeUnit: 'weeks' },
		{ resumeUnit: 'toString' },
		{ limitType: 'never' },
		{ limitType: 'atSpecifiedTime' },
		{ limitType: 'atSpecifiedTime', maxDateAndTime: '' },
		{ limitType: 'atSpecifiedTime', maxDateAndTime: '2029-12-31' },
		{ limitType: 'atSpecifiedTime', maxDateAndTime: '2033-01-01' },
		{ limitType: 'atSpecifiedTime', maxDateAndTime: 'tomorrow' },
	])('%j is rejected', (values) => expect(() => end(values)).toThrow(/^Limit Wait Time/));

	test.each([undefined, '', {}])('%j is empty', (value) =>
		expect(() => limitWaitTime.read(value)).toThrow('Limit Wait Time is empty'),
	);
});
