import { readCheck, readConfirmation } from '../../../../nodes/shared/client/confirmation';
import { broken, refusals, requestId, whole } from '../../../support/unit/otpResponses';

const confirms = (body: unknown, status = 200) =>
	readConfirmation(status, body, requestId) !== undefined;
const read = (status: number, body: unknown) =>
	readCheck({ status, body, isSecret: () => false } as never, requestId);

describe('a confirmation of a code', () => {
	test.each([200, 201, 202, 299])('is one with the status %i', (status) => {
		expect(confirms(whole, status)).toBe(true);
	});

	test.each([
		{ ...whole, request_id: requestId },
		{ ...whole, to: 959779123456 },
		{ ...whole, to: 'a@example.com', verifiedAt: '2026-11-20T14:01:00Z' },
		{ ...whole, verifiedAt: '2024-02-29 23:59:59.123+06:30' },
		{ ...whole, status: 200, message: 'Verified', code: 0, error: null },
		{ ...whole, status: 'success', verified: true, error: '' },
		{ ...whole, success: true, error: false, errors: [] },
		{ ...whole, isValid: true, result: 'ok', code: 200, state: 'done' },
		{ ...whole, result: 0, code: '042719', errorCode: 0, isTest: false, expired: false },
	])('is one with the body %j', (body) => expect(confirms(body)).toBe(true));

	test('is one in data, and none with a refusal around it', () => {
		expect(confirms({ success: true, data: whole })).toBe(true);
		for (const refusal of refusals) expect(confirms({ ...refusal, data: whole })).toBe(false);
		expect(confirms({ data: { data: whole } })).toBe(false);
		expect(confirms({ data: [whole] })).toBe(false);
	});

	test.each([0, 100, 199, 300, 304, 400, 401, 500])('is none with the status %i', (status) => {
		expect(confirms(whole, status)).toBe(false);
	});

	const withBroken = Object.entries(broken).flatMap(([field, values]) =>
		[undefined, ...values].map((value) => ({ ...whole, [field]: value })),
	);

	test('is read as the recipient and the time', () => {
		const { to, verifiedAt } = whole;
		expect(read(200, whole)).toEqual({ verified: true, to, verifiedAt });
	});

	test('is none without words either', () => {
		expect(read(400, {})).toMatchObject({ verified: false, message: '' });
	});

	test.each(withBroken)('is none when a part is missing or broken: %j', (body) => {
		expect(confirms(body)).toBe(false);
	});

	test.each(refusals)('is none with %j in it, or in its data', (refusal) => {
		expect(confirms({ ...whole, ...refusal })).toBe(false);
		expect(confirms({ ...whole, data: refusal })).toBe(false);
	});

	test.each([
		[[whole]],
		[{ ...whole, verifiedAt: [whole.verifiedAt] }],
		[JSON.stringify(whole)],
		[null],
		[undefined],
		[true],
		[{}],
		[{ whole }],
	])('is none as %j', (body) => expect(confirms(body)).toBe(false));
});

describe('what a response says of a code', () => {
	test.each([
		[200, { ...whole, status: 400 }, 'wrongOrExpired', 400],
		[200, { ...whole, status: '422' }, 'rejected', 422],
		[201, { ...whole, verified: false }, 'rejected', 201],
		[200, { error: 'Invalid request!.' }, 'rejected', 200],
		[400, whole, 'wrongOrExpired', 400],
		[422, null, 'rejected', 422],
	])('%i with %j is a rejection', (status, body, reason, statusCode) => {
		expect(read(status, body)).toMatchObject({ verified: false, reason, statusCode });
	});

	test.each([
		[200, { ...whole, status: 401 }, 401],
		[200, { ...whole, status: 404 }, 404],
		...[302, 404, 407, 410, 426].map((status): [number, unknown, number] => [
			status,
			whole,
			status,
		]),
		[200, { ...whole, status: 503, message: 'Later' }, 503],
		[200, { ...whole, verifiedAt: 'never' }, 200],
		[200, 'OK', 200],
		[302, whole, 302],
		[401, whole, 401],
		[404, undefined, 404],
		[407, whole, 407],
		[429, whole, 429],
		[500, whole, 500],
	])('%i with %j leaves it open', (status, body, statusCode) => {
		expect(read(status, body)).toEqual({ verified: null, statusCode });
	});

	test('repeats the words of the rejection', () => {
		const body = { ...whole, data: { status: false, message: 'No such code' } };
		expect(read(200, body)).toMatchObject({ verified: false, message: 'No such code' });
	});
});
