import { checkFor } from '../../../nodes/OtpVerify/expectedTo';

const confirmed = {
	verified: true,
	to: '959791234567',
	verifiedAt: '2026-11-20 14:01:00',
} as const;

describe('Must Belong To', () => {
	const check = jest.fn(async () => confirmed);
	const otherRecipient = { verified: false, reason: 'otherRecipient' };
	beforeEach(() => check.mockClear());

	test.each(['+95 (0)9 791234567', '09791234567'])('verifies a code for %s', async (expectedTo) => {
		expect(await checkFor(expectedTo, check)).toBe(confirmed);
	});

	test('rejects a code that the service confirms for another recipient', async () => {
		expect(await checkFor('09791234568', check)).toMatchObject(otherRecipient);
		expect(check).toHaveBeenCalledTimes(1);
	});

	test('rejects without a check if it names no recipient, so that the code is not used up', async () => {
		expect(await checkFor('', check)).toMatchObject(otherRecipient);
		expect(check).not.toHaveBeenCalled();
	});

	test('leaves the rejection of a wrong code as it is', async () => {
		const wrong = {
			verified: false,
			reason: 'wrongOrExpired',
			statusCode: 400,
			message: '',
		} as const;
		expect(await checkFor('09791234567', async () => wrong)).toBe(wrong);
	});
});
