import { DateTime } from 'luxon';

import { findEnd, limitWaitTime } from '../../../nodes/SmsSendAndWaitForResponse/limitWaitTime';

describe('the time limit', () => {
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
