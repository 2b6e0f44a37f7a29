import { readForm, readResponse } from '../../../nodes/SmsSendAndWaitForResponse/form';
import { burmese, type Form, type Language } from '../../../nodes/SmsSendAndWaitForResponse/page';

const read = (parameters: Record<string, unknown>, language: Language = 'en') =>
	readForm((name, _, otherwise) => parameters[name] ?? otherwise, { language, message: 'Refund?' });
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
		expect(labelsOf(approval({ approveLabel: '' }), 'my')).toEqual([
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

describe('a press', () => {
	const approve = { value: 'approve', label: 'Yes' };
	const decline = { value: 'decline', label: 'No' };
	const formOf = (changes: Partial<Form> = {}): Form => ({
		responseType: 'approval',
		message: 'Refund?',
		buttons: [approve, decline],
		language: 'en',
		...changes,
	});
	const approval = formOf();
	const single = formOf({ buttons: [approve] });
	const freeText = formOf({
		responseType: 'freeText',
		buttons: [{ value: 'send', label: 'Send' }],
	});
	const choice = formOf({
		responseType: 'choice',
		buttons: ['One', 'Two'].map((label, index) => ({ value: String(index), label })),
	});

	test.each<[Form, object, object]>([
		[approval, { response: 'approve' }, { approved: true }],
		[approval, { response: 'decline' }, { approved: false }],
		[choice, { response: '1' }, { choice: 'Two' }],
		[
			freeText,
			{ response: 'send', text: 'On my\0 way\u2028\ud800' },
			{ text: 'On my way\u2028\ufffd' },
		],
		[
			freeText,
			{ response: 'send', text: 'x\r\n'.repeat(1000) },
			{ text: 'x\n'.repeat(1000).trim() },
		],
	])('of %# a press returns what was asked for, and nothing else', (asked, body, data) =>
		expect(readResponse(asked, { ...body, approved: 'x', chatInput: 'x', extra: 'x' })).toEqual({
			...{ data, words: expect.any(String) },
		}),
	);

	test.each<[Form, unknown]>([
		[approval, undefined],
		[approval, null],
		[approval, ['approve']],
		[approval, {}],
		[approval, { response: ['approve', 'decline'] }],
		[approval, { response: 'Approve' }],
		[approval, { response: 'approv\0e' }],
		[approval, { response: ' approve' }],
		[approval, { approved: 'true' }],
		[approval, Object.create({ response: 'approve' })],
		[single, { response: 'decline' }],
		[choice, { response: '2' }],
		[choice, { response: 'approve' }],
		[freeText, { text: 'Text without the button' }],
		[freeText, { response: 'send' }],
		[freeText, { response: 'send', text: ' \r\n ' }],
		[freeText, { response: 'send', text: ['a', 'b'] }],
	])('%# decides nothing', (asked, body) => expect(readResponse(asked, body)).toBe('empty'));

	test('a text of more than 2000 characters is too long', () =>
		expect(readResponse(freeText, { response: 'send', text: 'x'.repeat(2001) })).toBe('tooLong'));
});
