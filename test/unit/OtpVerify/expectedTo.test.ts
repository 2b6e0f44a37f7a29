import { checkFor, isRecipientExpected, readExpectedTo } from '../../../nodes/OtpVerify/expectedTo';

const confirmed = {
	verified: true,
	to: '959791234567',
	verifiedAt: '2026-11-20 14:01:00',
} as const;

test.each([
	[{}, false],
	[{ expectedTo: '' }, false],
	[{ expectedTo: ' ' }, true],
	[{ expectedTo: '=' }, true],
	[{ expectedTo: '={{ $json.phone }}' }, true],
	[{ expectedTo: '09791234567' }, true],
])('of the parameters %j, a recipient is expected: %j', (parameters, expected) => {
	expect(isRecipientExpected(parameters)).toBe(expected);
});

test.each([
	['+95 (0)9 791234567', '959791234567'],
	['+6591234567', '6591234567'],
	['NAME@Example.com', 'name@example.com'],
	// Its lower case would be a k, which is another mailbox.
])('the key of %j is %j', (value, key) => expect(readExpectedTo(value)).toEqual({ key }));

describe('Must Belong To', () => {
	const check = jest.fn(async () => confirmed);
	const otherRecipient = { verified: false, reason: 'otherRecipient' };
	beforeEach(() => check.mockClear());

	test.each([undefined, '09791234567'])('verifies a code for %s', async (expectedTo) => {
		const expected = expectedTo === undefined ? undefined : readExpectedTo(expectedTo);
		expect(await checkFor(expected, check)).toBe(confirmed);
	});

	test('rejects a code that the service confirms for another recipient', async () => {
		expect(await checkFor(readExpectedTo('09791234568'), check)).toMatchObject(otherRecipient);
		expect(check).toHaveBeenCalledTimes(1);
	});

	test('rejects without a check if it names no recipient, so that the code is not used up', async () => {
		expect(await checkFor(readExpectedTo(''), check)).toMatchObject(otherRecipient);
		expect(check).not.toHaveBeenCalled();
	});

	test('leaves the rejection of a wrong code as it is', async () => {
		const wrong = {
			verified: false,
			reason: 'wrongOrExpired',
			statusCode: 400,
			message: '',
		} as const;
		expect(await checkFor(readExpectedTo('09791234567'), async () => wrong)).toBe(wrong);
	});
});
