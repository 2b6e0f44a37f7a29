import { createHash } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { runAgainst } from '../support/workflow/runAgainst';
import { shortenWaits } from '../support/workflow/shortenWaits';
import { useSandbox } from '../support/workflow/useSandbox';
import { answerJson, useStandIn } from '../support/workflow/useStandIn';

const genuine = { request_id: 184512007, to: '959779123456', verifiedAt: '2026-11-20 14:01:00' };

describe('OTP Verify with Retry On Fail', () => {
	const sandbox = useSandbox();
	const verify = runAgainst(sandbox, 'OtpVerify');
	const mapped = { requestId: '={{ $json.requestId }}', code: '={{ $json.code }}' };
	const again = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
	shortenWaits();

	const requestCodes = async (count: number) => {
		const items = Array.from({ length: count }, (_, n) => ({ to: `0977912345${n}` }));
		await runAgainst(sandbox, 'OtpRequest')({ to: '={{ $json.to }}' }, { items });
		return sandbox.codes().map(({ requestId, code }) => ({ requestId, code }));
	};

	test('rejects no code that was confirmed before another one could not be checked', async () => {
		const items = await requestCodes(3);
		const path = '/otp/verify';
		sandbox.addFault({ match: { path }, skip: 1, count: 2, effect: { status: 500 } });
		const { outputs, run } = await verify(mapped, { items, settings: again });
		expect(outputs.map((output) => output.map((item) => item.json.requestId))).toEqual([
			[],
			items.map((item) => item.requestId),
		]);
		expect(sandbox.requests().filter((request) => request.path.endsWith(path))).toHaveLength(5);
		const [{ code }] = items;
		expect(JSON.stringify(run.data.executionData?.contextData)).not.toContain(`"${code}"`);
	});
});

describe('OTP Verify and checks that were made', () => {
	const service = useStandIn();
	const verify = runAgainst(service, 'OtpVerify');
	const goesOn = { onError: 'continueRegularOutput', retryOnFail: true } as const;
	const again = { ...goesOn, maxTries: 5, waitBetweenTries: 1 };
	const codes = (...typed: string[]) => ({
		items: typed.map((code) => ({ code })),
		settings: again,
	});
	const mapped = (requestId: number) => ({
		requestId: String(requestId),
		code: '={{ $json.code }}',
	});
	const asked = () => service.requests.map(({ query }) => query.code);
	const reasons = (items: IDataObject[]) => items.map(({ reason, error }) => error ?? reason);
	const uncertain = expect.stringMatching(/^The code could not be checked\./);

	test('a wrong code is not tried again because the first item of Rejected holds an error', async () => {
		service.answer = () => answerJson(400, {});
		const items = ['', '1'].map((id) => ({ id, code: '1111' }));
		const parameters = { ...mapped(1), requestId: '={{ $json.id }}' };
		const { json } = await verify(parameters, { items, settings: again });
		expect(asked()).toEqual(['1111']);
		expect(reasons(json)).toEqual([
			expect.stringContaining('Request ID uses this field'),
			'wrongOrExpired',
		]);
	});

	test.each([402, 409, 422])('nor is one after a %i', async (status) => {
		service.answer = () => answerJson(status, {});
		await verify(mapped(2), codes('', '1111'));
		expect(asked()).toEqual(['1111']);
	});

	test.each([500, 200, 408])('nor is one whose check got lost, by a %i', async (status) => {
		service.answer = () => answerJson(status, {});
		const { json } = await verify(mapped(3), codes('1111'));
		expect(asked()).toEqual(['1111']);
		expect(reasons(json)).toEqual([uncertain]);
	});

	test('a code whose check certainly was not made is asked for again', async () => {
		const answers = [answerJson(429, {}, { 'Retry-After': '0' }), answerJson(400, {})];
		service.answer = () => answers.shift() ?? answerJson(500, {});
		const { json } = await verify(mapped(4), codes('1111'));
		expect(asked()).toEqual(['1111', '1111']);
		expect(reasons(json)).toEqual(['wrongOrExpired']);
	});

	test('after a lost check, "wrong" leaves open whether the lost one has used the code up', async () => {
		const answers = [answerJson(500, {}), answerJson(400, { message: 'Invalid request!.' })];
		service.answer = () => answers.shift() ?? answerJson(400, {});
		const stops = { ...codes('1111'), settings: { ...again, onError: 'stopWorkflow' } } as const;
		const { json } = await verify(mapped(5), stops);
		expect(json).toEqual([
			{
				verified: false,
				requestId: '5',
				reason: 'couldNotCheck',
				statusCode: 400,
				message: 'Invalid request!.',
			},
		]);
		expect(reasons((await verify(mapped(5), codes('2222'))).json)).toEqual(['couldNotCheck']);
		expect(reasons((await verify(mapped(6), codes('2222'))).json)).toEqual(['wrongOrExpired']);
	});

	test('after a lost check, a confirmation verifies, and another rejection keeps its reason', async () => {
		const answers = [answerJson(500, {}), answerJson(422, {}), answerJson(200, genuine)];
		service.answer = () => answers.shift() ?? answerJson(500, {});
		const id = genuine.request_id;
		await verify(mapped(id), codes('1111'));
		expect(reasons((await verify(mapped(id), codes('1111'))).json)).toEqual(['rejected']);
		const { outputs } = await verify(mapped(id), codes('1111'));
		expect(outputs[1].map(({ json }) => json)).toEqual([
			{ verified: true, requestId: String(id), to: genuine.to, verifiedAt: genuine.verifiedAt },
		]);
	});

	test('a code is not to be found out from what n8n saves', async () => {
		service.answer = () => answerJson(500, {});
		const { run } = await verify(mapped(8), codes('1111'));
		const context = JSON.stringify(run.data.executionData?.contextData);
		expect(context).not.toContain('1111');
		const plain = createHash('sha256').update(JSON.stringify(['8', '1111']));
		const digests = (['hex', 'base64url'] as const).map((form) => plain.copy().digest(form));
		for (const digest of digests) expect(context).not.toContain(digest);
	});
});

describe('OTP Verify with Retry On Fail and a code that changes', () => {
	const service = useStandIn();
	const verify = runAgainst(service, 'OtpVerify');

	test('asks for the code of each attempt', async () => {
		const answers = [
			answerJson(200, genuine),
			answerJson(500, {}),
			answerJson(400, {}),
			answerJson(400, {}),
		];
		service.answer = () => answers.shift() ?? answerJson(500, {});
		const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 5 };
		const { outputs } = await verify(
			{ code: '={{ String($now.toMillis()).slice(-8) }}' },
			{ items: [{}, {}], settings },
		);
		expect(outputs.map((items) => items.map(({ pairedItem }) => pairedItem))).toEqual([
			[{ item: 0 }, { item: 1 }],
			[],
		]);
		expect(service.requests).toHaveLength(4);
	});
});
