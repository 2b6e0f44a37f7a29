import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { flaw, harmless, whole } from '../support/unit/otpResponses';
import { credentialsOf } from '../support/workflow/credentialsOf';
import { onErrors } from '../support/workflow/onErrors';
import { runAgainst } from '../support/workflow/runAgainst';
import { runNode } from '../support/workflow/runWorkflow';
import { shortenWaits } from '../support/workflow/shortenWaits';
import { useSandbox } from '../support/workflow/useSandbox';
import { answerJson, answerText, useStandIn } from '../support/workflow/useStandIn';

describe('OTP Verify', () => {
	const sandbox = useSandbox();
	const request = runAgainst(sandbox, 'OtpRequest');
	const verify = runAgainst(sandbox, 'OtpVerify');

	const requestCode = async (options: IDataObject = {}) => {
		const { json } = await request({ options });
		return { requestId: json[0].requestId as number, code: sandbox.codes().at(-1)?.code ?? '' };
	};
	const wrongCodeFor = (code: string) => code.replace(/^./, (digit) => (digit === '1' ? '2' : '1'));

	test('returns a right code at Verified', async () => {
		const { requestId, code } = await requestCode();
		const { outputs } = await verify({ requestId, code });
		const verifiedAt = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
		expect(outputs).toEqual([
			[],
			[
				{
					json: { verified: true, requestId, to: '959779123456', verifiedAt },
					pairedItem: { item: 0 },
				},
			],
		]);
	});

	test.each([
		['123', /Code must be 4 to 8 digits or letters, with at least one digit\.$/],
		['', /Code is empty\.$/],
		['0427 or 0428', /Code must be/],
		[42719, /Code is a number, so a leading zero would be lost\.$/],
	])(
		'rejects %j as no code and uses no attempt, with On Error set to stop',
		async (code, message) => {
			const { outputs, error } = await verify({ code: '={{ $json.code }}' }, { items: [{ code }] });
			expect(error).toBeUndefined();
			expect(outputs.map((items) => items.map(({ json }) => json))).toEqual([
				[
					{
						verified: false,
						requestId: '184512007',
						reason: 'notACode',
						message: expect.stringMatching(message),
					},
				],
				[],
			]);
			expect(sandbox.requests()).toEqual([]);
		},
	);

	test('takes a code that cannot be read for a fault of the workflow, and not for a wrong one', async () => {
		const { outputs, error } = await verify({ code: "={{ $('Nowhere').first().json.code }}" });
		expect(outputs).toEqual([]);
		expect(error?.message).toContain('n8n cannot evaluate the expression in Code');
		expect(sandbox.requests()).toEqual([]);
	});

	test.each([{ verified: false }, { status: 'Rejected' }, { error: 'Wrong code' }])(
		'rejects a complete confirmation beside %j',
		async (denial) => {
			const body = { request_id: 184512007, to: '959779123456', verifiedAt: '2026-11-20 14:01:00' };
			sandbox.addFault({
				match: { path: '/otp/verify' },
				effect: { status: 200, body: { ...body, ...denial } },
				count: 1,
			});
			const { outputs } = await verify();
			expect(outputs.map(({ length }) => length)).toEqual([1, 0]);
		},
	);

	test('puts a wrong code on Rejected, with the words of the service', async () => {
		const { requestId, code } = await requestCode();
		const { outputs } = await verify({ requestId: String(requestId), code: wrongCodeFor(code) });
		expect(outputs).toEqual([
			[
				{
					json: {
						verified: false,
						requestId: String(requestId),
						reason: 'wrongOrExpired',
						statusCode: 400,
						message: 'Invalid request!.',
					},
					pairedItem: { item: 0 },
				},
			],
			[],
		]);
	});

	test('checks each item once, and keeps their order on both outputs', async () => {
		const codes = [await requestCode(), await requestCode(), await requestCode()];
		const items = [codes[0], { ...codes[1], code: wrongCodeFor(codes[1].code) }, codes[2]];
		const before = sandbox.requests().length;
		const parameters = { requestId: '={{ $json.requestId }}', code: '={{ $json.code }}' };
		const { outputs } = await verify(parameters, { items });
		const [rejected, verified] = outputs.map((output) => output.map((item) => item.pairedItem));
		expect({ verified, rejected }).toEqual({
			verified: [{ item: 0 }, { item: 2 }],
			rejected: [{ item: 1 }],
		});
		expect(sandbox.requests().map(({ path }) => path)).toHaveLength(before + 3);
	});
});

describe('OTP Verify and the requestId', () => {
	const service = useStandIn();
	const verify = runAgainst(service, 'OtpVerify');

	test.each([
		['12345678901234567890', '={{ "12345678901234567890" }}', '12345678901234567890'],
		['"00042"', '00042', '00042'],
		['184512007', '={{ 184512007 }}', 184512007],
		['"184512007"', ' 184512007 ', ' 184512007 '],
	])('verifies %s with all of its digits', async (answered, requestId, shown) => {
		const { to, verifiedAt } = whole;
		const rest = `"to":"${to}","verifiedAt":"${verifiedAt}"`;
		service.answer = () => answerText(200, `{"request_id":${answered},${rest}}`);
		const { outputs } = await verify({ requestId });
		expect(outputs[1].map(({ json }) => json)).toEqual([
			{ verified: true, requestId: shown, to, verifiedAt },
		]);
	});
});

describe('OTP Verify and statuses', () => {
	const service = useStandIn();
	const verify = runAgainst(service, 'OtpVerify');
	shortenWaits();

	test.each([
		[400, 'wrongOrExpired'],
		[402, 'rejected'],
		[409, 'rejected'],
		[422, 'rejected'],
	])('rejects %i as %s', async (statusCode, reason) => {
		service.answer = () => answerJson(statusCode, { message: 'No.' });
		const requestId = `1845${statusCode}`;
		const { outputs } = await verify({ requestId });
		expect(outputs[0][0].json).toEqual({
			verified: false,
			requestId,
			reason,
			statusCode,
			message: 'No.',
		});
	});

	test.each([301, 308, 401, 403, 404, 405, 407, 410, 421, 426, 429, 500, 502, 503])(
		'fails with %i, after which nobody knows whether the code is right',
		async (status) => {
			service.answer = () => answerJson(status, whole);
			const { outputs, error } = await verify();
			expect(outputs.flat()).toEqual([]);
			expect(error).toMatchObject({
				httpCode: String(status),
				message: expect.stringMatching(/^The code could not be checked\. /),
			});
			// A 405 is about the method: the other one is tried once.
			expect(service.requests).toHaveLength(status === 405 ? 2 : 1);
			const settings = { onError: 'continueRegularOutput' } as const;
			expect(
				(await verify({}, { settings })).outputs.map((items) => items.map(({ json }) => json)),
			).toEqual([
				[
					expect.objectContaining({
						verified: false,
						reason: 'couldNotCheck',
						error: error?.message,
					}),
				],
				[],
			]);
		},
	);

	const textOf = fc.oneof(
		fc.string(),
		fc.constant(whole).map((body) => JSON.stringify(body)),
		fc
			.tuple(harmless, flaw)
			.map(([more, oneFlaw]) => JSON.stringify({ ...more, ...whole, ...oneFlaw })),
		fc.jsonValue().map((body) => JSON.stringify(body)),
	);
	const statuses = [200, 200, 201, 299, 300, 302, 304, 400, 401, 404, 429, 500, 599];
	const answers = fc.record({ status: fc.constantFrom(...statuses), text: textOf });
	const isWhole = ({ status, text }: { status: number; text: string }) =>
		status < 300 && text === JSON.stringify(whole);
	const settingsOfN8n = onErrors.flatMap((onError) =>
		[false, true].map((alwaysOutputData) => ({ onError, alwaysOutputData })),
	);

	test.each(settingsOfN8n)(
		'verifies nothing but a 2xx that names this request, whatever the response is: %j',
		async (settings) => {
			// With this setting the node fails by the first answer that says nothing: one by one.
			const isStopped = settings.onError === 'stopWorkflow';
			const [count, perRun] = isStopped ? [50, 1] : [400, 400];
			const right200 = { status: 200, text: JSON.stringify(whole) };
			const all = [...Array<typeof right200>(6).fill(right200), ...fc.sample(answers, count - 6)];
			let verified = 0;
			for (let first = 0; first < count; first += perRun) {
				const batch = all.slice(first, first + perRun);
				service.answer = ({ query }) => {
					const { status, text } = batch[Number(query.code)];
					return status === 304 ? new Response(null, { status }) : answerText(status, text);
				};
				const items = batch.map((_, code) => ({ code: String(code).padStart(4, '0') }));
				const { outputs } = await verify({ code: '={{ $json.code }}' }, { items, settings });
				const right = batch.flatMap((answer, item) => (isWhole(answer) ? [item] : []));
				const letIn = (outputs[1] ?? []).map(({ pairedItem }) => pairedItem);
				expect(letIn).toEqual(right.map((item) => ({ item })));
				verified += letIn.length;
			}
			expect(verified).toBeGreaterThan(5);
		},
		60_000,
	);
});

describe('OTP Verify and items that n8n generates', () => {
	const service = useStandIn();
	const verify = runAgainst(service, 'OtpVerify');
	const items = [{ visitor: 'somebody' }];
	const lets = ({ outputs }: { outputs: unknown[][] }) => (outputs[1] ?? []).length;

	test('verifies nobody while the node is deactivated', async () => {
		const result = await verify({}, { items, settings: { disabled: true } });
		expect(result.outputs).toEqual([[expect.objectContaining({ json: items[0] })]]);
		expect(service.requests).toEqual([]);
	});

	test.each(onErrors)('verifies nobody when the node breaks, with On Error %s', async (onError) => {
		const parameters = { requestId: '1', code: '0001' };
		const node = { type: 'BrokenOtpVerify', parameters, settings: { onError } } as const;
		const result = await runNode(node, { credentials: credentialsOf(service), items });
		expect(lets(result)).toBe(0);
		expect(result.json).toEqual(onError === 'stopWorkflow' ? [] : items);
	});

	test('verifies a right code with Always Output Data, beside an empty item on Rejected', async () => {
		service.answer = () => answerJson(200, whole);
		const result = await verify({}, { items, settings: { alwaysOutputData: true } });
		expect(lets(result)).toBe(1);
		expect(result.json).toEqual([{}]);
	});
});

describe.each(onErrors)('OTP Verify with On Error %s', (onError) => {
	const sandbox = useSandbox();
	const verify = runAgainst(sandbox, 'OtpVerify');
	const settings = { onError };
	const items = [{ visitor: 'somebody' }, { visitor: 'nobody' }];

	const expectNobodyIn = async (...call: Parameters<typeof verify>) => {
		const { outputs } = await verify(...call);
		expect(outputs[1] ?? []).toEqual([]);
		if (onError === 'stopWorkflow') return;
		const errors = [outputs[0], ...outputs.slice(2)].flat();
		expect(errors).toHaveLength(2);
		for (const { json } of errors) expect(json).toHaveProperty('error');
	};

	test.each([
		['a wrong key', { apiSecret: 'wrong' }],
		['no usable address', { baseUrl: 'not an address' }],
		['an address where nobody listens', { baseUrl: 'http://127.0.0.1:1/api' }],
		['an empty credential', { baseUrl: undefined, apiKey: undefined, apiSecret: undefined }],
	])('verifies nobody with %s', async (_, credentials) => {
		await expectNobodyIn({}, { items, settings, credentials });
	});

	test('verifies nobody without a credential', async () => {
		await expectNobodyIn({}, { items, settings: { ...settings, credentials: undefined } });
	});

	test.each([
		'={{ $json.missing.deeper }}',
		'={{ (() => { throw new Error("boom") })() }}',
		'={{ $("No such node").item.json.code }}',
		'={{ undefined }}',
		'={{ $json',
	])('verifies nobody with the expression %s', async (expression) => {
		await expectNobodyIn({ requestId: expression }, { items, settings });
		const { outputs } = await verify({ code: expression }, { items, settings });
		expect(outputs[1] ?? []).toEqual([]);
	});

	test.each([
		'cut',
		'cutBody',
		'brokenJson',
		{ status: 500 },
		{ status: 401 },
		{ status: 429, headers: { 'Retry-After': '30' } },
	] as const)(
		'verifies nobody, and asks once, when the service responds with %j',
		async (effect) => {
			sandbox.addFault({ effect });
			await expectNobodyIn({}, { items, settings });
			expect(sandbox.requests().length).toBeLessThanOrEqual(items.length);
		},
	);
});
