import { runAgainst } from '../support/workflow/runAgainst';
import { shortenWaits } from '../support/workflow/shortenWaits';
import { useSandbox } from '../support/workflow/useSandbox';
import { answerJson, answerText, useStandIn } from '../support/workflow/useStandIn';

const dateTime = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);

/** To the second, as the service writes its times. */
const utcOf = (ms: number) => new Date(Math.floor(ms / 1000) * 1000).toISOString();

describe('OTP Request', () => {
	const sandbox = useSandbox();
	const request = runAgainst(sandbox, 'OtpRequest');
	shortenWaits();

	test('returns the result of the service, never the code', async () => {
		const { outputs } = await request();
		expect(outputs[0]).toEqual([
			{
				json: {
					channel: 'SMS',
					requestId: sandbox.codes()[0].requestId,
					to: '959779123456',
					createdAt: dateTime,
					expireAt: dateTime,
					createdAtUtc: utcOf(sandbox.codes()[0].createdAtMs),
					expireAtUtc: utcOf(sandbox.codes()[0].expiresAtMs),
				},
				pairedItem: { item: 0 },
			},
		]);
		expect(JSON.stringify(outputs)).not.toContain(sandbox.codes()[0].code);
	});

	test.each([
		['the one of the credential, if it is empty', '', 'Ours'],
		['its own', 'Other', 'Other'],
		['its own, by expression', "={{ 'Computed' }}", 'Computed'],
	])('has a Brand that is %s', async (_, brand, expected) => {
		await request({ brand }, { credentials: { brand: 'Ours' } });
		expect(sandbox.codes()).toHaveLength(1);
		expect(sandbox.requests().map(({ query }) => query.brand)).toEqual([expected]);
	});

	test.each([
		['empty in both', '', '', 'Brand is empty'],
		['an expression without a value', '={{ $json.x }}', 'Ours', /^Brand: no item has the field x/],
	])('sends nothing where Brand is %s', async (_, brand, ofCredential, message) => {
		const { error } = await request({ brand }, { credentials: { brand: ofCredential } });
		expect(error?.message).toMatch(message);
		expect(sandbox.requests()).toEqual([]);
	});

	test.each([
		{ ttl: 60, pinLength: 4, maxInvalidAttempts: 1 },
		{ ttl: 3600, pinLength: 8, maxInvalidAttempts: 10 },
		{ ttl: '300', pinLength: '6', maxInvalidAttempts: '5' },
	])('accepts the limits themselves: %j', async (options) => {
		expect((await request({ options: { ...options } })).error).toBeUndefined();
	});

	test('sends to an email address as it was typed', async () => {
		const { json } = await request({ to: ' Thida+news@example.com ' });
		expect(json[0]).toMatchObject({ channel: 'EMAIL', to: 'Thida+news@example.com' });
		expect(sandbox.requests()[0].rawQuery).toContain('to=Thida%2Bnews%40example.com');
	});

	test('passes on why the service could not send a code', async () => {
		sandbox.configure({ balance: 0 });
		expect((await request()).error?.message).toMatch(
			/^Rejected by the service: We were unable to send your OTP\./,
		);
	});
});

describe('OTP Request and responses that a lenient reader accepts', () => {
	const service = useStandIn();
	const request = runAgainst(service, 'OtpRequest');
	shortenWaits();

	test.each([
		['184512007', 184512007],
		['12345678901234567890', '12345678901234567890'],
		['"00042"', '00042'],
	])('keeps every digit of the requestId %s', async (written, requestId) => {
		service.answer = () => answerText(200, `{"channel":"SMS","requestId":${written}}`);
		expect((await request()).json).toEqual([{ channel: 'SMS', requestId }]);
	});

	test.each(['{"channel":"SMS"}', '{"requestId":null}', '{"requestId":""}', '[]', 'OK'])(
		'says that a 2xx without a requestId cannot be read: %s',
		async (text) => {
			service.answer = () => answerText(201, text);
			expect((await request()).error?.message).toContain('could not be read (HTTP 201)');
		},
	);

	test('returns nothing but the result, whatever else the service responds, such as the code', async () => {
		const result = {
			channel: 'SMS',
			requestId: 184512007,
			to: '959779123456',
			createdAt: '2026-11-20 14:00:00',
			expireAt: '2026-11-20 14:05:00',
		};
		const more = { code: '271828', message: '271828 is your MyShop code', debug: { pin: 271828 } };
		service.answer = () => answerJson(200, { ...result, ...more });
		const { json, run } = await request({}, { items: [{}], settings: { retryOnFail: true } });
		expect(json).toEqual([
			{
				...result,
				createdAtUtc: '2026-11-20T07:30:00.000Z',
				expireAtUtc: '2026-11-20T07:35:00.000Z',
			},
		]);
		expect(JSON.stringify(run.data)).not.toContain('271828');
	});

	test.each([
		{ success: false, message: 'No balance' },
		{ error: 'No balance' },
		{ errors: ['No balance'] },
	])('is no code where the service reports %j beside an ID', async (fault) => {
		service.answer = () => answerJson(200, { ...fault, requestId: 184512007 });
		const { json, error } = await request();
		expect([json, error?.message]).toEqual([[], expect.any(String)]);
	});

	test('is a code where the service reports an empty error, or none', async () => {
		const nothing = { success: true, error: '', errors: [] };
		service.answer = () => answerJson(200, { ...nothing, requestId: 184512007 });
		expect((await request()).json).toEqual([{ requestId: 184512007 }]);
	});

	test('shows whole a recipient that the service masks', async () => {
		const response = { requestId: 184512007, to: '959*******' };
		service.answer = () => answerJson(200, response);
		const { json } = await request({ to: '09791234567' });
		expect(json).toMatchObject([{ ...response, to: '959791234567' }]);
	});

	test.each([false, 0, 'false'])(
		'is rejected where the status within the response is %j, and counts no code',
		async (status) => {
			const refusal = { status, requestId: 0, message: 'Invalid Sender ID' };
			service.answer = () => answerJson(200, refusal);
			const workflowId = crypto.randomUUID();
			const first = await request({}, { workflowId });
			expect(first.error?.message).toBe('Rejected by the service: Invalid Sender ID');
			service.answer = () => answerJson(200, { requestId: 184512007 });
			expect((await request({}, { workflowId })).json).toEqual([{ requestId: 184512007 }]);
		},
	);
});
