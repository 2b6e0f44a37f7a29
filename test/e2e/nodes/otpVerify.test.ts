import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IDataObject } from 'n8n-workflow';

import type { FaultEffect } from '../../../sandbox';
import { onErrors } from '../../support/workflow/onErrors';
import { answerJson, useStandIn } from '../../support/workflow/useStandIn';
import {
	connectToSharedN8n,
	runWorkflow,
	type NodeUnderTest,
	type WorkflowRun,
} from '../../../tools/harness';
import { runAgain } from '../../support/e2e/runAgain';
import { createCredentials, useService, type Credentials } from '../../support/e2e/useService';
import {
	connections,
	issueCode,
	makeNodes,
	readDoors,
	wrongCodeFor,
} from '../../support/e2e/otpDoors';

const item = (index: number) => expect.objectContaining({ item: index });

/** The time-out takes half a minute, so these runs go on beside the other tests. */
const silence = { asked: 0, runs: Promise.resolve<WorkflowRun[]>([]) };
const silentServer = createServer(() => void (silence.asked += 1));

beforeAll(async () => {
	await new Promise<void>((resolve) => silentServer.listen(0, '127.0.0.1', resolve));
	const { port } = silentServer.address() as AddressInfo;
	const { api } = await connectToSharedN8n();
	const baseUrl = `http://127.0.0.1:${port}/api`;
	const credentials = await createCredentials(api, { baseUrl, apiKey: 'k', apiSecret: 's' });
	const items = [{ requestId: 184512007, code: '0427' }];
	silence.runs = Promise.all(
		onErrors.map(
			async (onError) =>
				await runWorkflow(api, makeNodes(onError, credentials), items, {
					connections,
					mode: 'manual',
				}),
		),
	);
	silence.runs.catch(() => undefined);
});
afterAll(() => {
	silentServer.closeAllConnections();
	silentServer.close();
});

describe.each(onErrors)('OTP Verify in a real n8n, On Error %s', (onError) => {
	const service = useService();
	const elsewhere = useStandIn();
	let workflowId: string;

	const run = async (items: IDataObject[]) => await runAgain(service.api, workflowId, items);

	beforeAll(async () => {
		const { api, sandbox, credentials } = service;
		const items = [{ ...(await issueCode(sandbox)) }];
		const nodes = makeNodes(onError, credentials);
		const first = await runWorkflow(api, nodes, items, { connections });
		({ workflowId } = first);
		expect(first.error).toBeUndefined();
	});
	afterAll(async () => await service.api.deleteWorkflow(workflowId));

	test('verifies right codes and rejects wrong ones, each with its own item', async () => {
		const codes = [await issueCode(service.sandbox), await issueCode(service.sandbox)];
		const wrong = { ...codes[1], code: wrongCodeFor(codes[1]) };
		const { json, outputs, error } = await run([{ ...wrong }, { ...codes[0] }, { ...codes[1] }]);
		expect(error).toBeUndefined();
		const { requestId } = codes[0];
		expect(json['Let In'][0]).toEqual([
			{ verified: true, requestId, to: '959791234567', verifiedAt: expect.any(String) },
			expect.objectContaining({ verified: true, requestId: codes[1].requestId }),
		]);
		expect(json['Turn Away'][0]).toEqual([
			{
				verified: false,
				requestId: wrong.requestId,
				reason: 'wrongOrExpired',
				statusCode: 400,
				message: 'Invalid request!.',
			},
		]);
		expect(
			outputs.Verify.slice(0, 2).map((all) => all.map(({ pairedItem }) => pairedItem)),
		).toEqual([[item(0)], [item(1), item(2)]]);
		expect(json).not.toHaveProperty('Alarm');
	});

	test.each<[string, FaultEffect]>([
		['the service refuses the credential', { status: 401 }],
		['the service breaks', { status: 500 }],
		['the connection is cut', 'cut'],
		['a page answers instead', { status: 200, body: '<h1>Welcome</h1>' }],
		['another request is confirmed', { status: 200, body: { request_id: 1, to: '9591' } }],
	])('verifies nobody when %s, and asks once', async (_, effect) => {
		const { sandbox } = service;
		const [good, bad] = [await issueCode(sandbox), await issueCode(sandbox)];
		const match = { path: '/otp/verify', contains: String(bad.requestId) };
		sandbox.addFault({ match, effect });
		const result = await run([{ ...good }, { ...bad }]);
		const asked = sandbox.requests().filter(({ query }) => query.code === bad.code);
		expect(asked).toHaveLength(1);
		expectOnlyGoodOneIn(result);
	});

	/** The first item is right; of the second nobody knows. */
	function expectOnlyGoodOneIn(result: WorkflowRun) {
		const [letIn, turnedAway, alarm] = readDoors(result);
		if (onError === 'stopWorkflow') {
			expect([letIn, turnedAway, alarm]).toEqual([undefined, undefined, undefined]);
			expect(result.status).toBe('error');
			expect(result.error?.message).toContain('(item 2 of ');
			return;
		}
		expect(result.json['Let In'][0]).toHaveLength(1);
		const isOnErrorOutput = onError === 'continueErrorOutput';
		const [used, unused] = isOnErrorOutput ? [alarm, turnedAway] : [turnedAway, alarm];
		expect({ used, unused }).toEqual({ used: [expect.anything()], unused: undefined });
		const [failed] = result.json[isOnErrorOutput ? 'Alarm' : 'Turn Away'][0];
		expect(failed).toMatchObject({ error: expect.stringContaining('(item 2 of ') });
		expect(failed).not.toHaveProperty('verified');
	}

	test.each([302, 307])('rejects a code on %i, and never follows the redirect', async (status) => {
		const { sandbox } = service;
		const bad = await issueCode(sandbox);
		elsewhere.answer = () => answerJson(200, { request_id: bad.requestId, to: '959791234567' });
		const redirect = { location: `${elsewhere.baseUrl}/otp/verify`, status };
		sandbox.addFault({ match: { path: '/otp/verify' }, effect: { redirect } });
		const { json } = await run([{ ...bad }]);
		expect(json).not.toHaveProperty(['Let In']);
		expect(json['Turn Away'][0]).toEqual([
			expect.objectContaining({ verified: false, reason: 'redirected', statusCode: status }),
		]);
		expect(elsewhere.requests).toHaveLength(0);
	});

	test.each([
		['is missing', {}],
		['is no text', { code: { $gt: '' } }],
	])('rejects, and asks nothing, when the code %s', async (_, typed) => {
		const { sandbox } = service;
		const [good, { requestId }] = [await issueCode(sandbox), await issueCode(sandbox)];
		const { json } = await run([{ ...good }, { requestId, ...typed }]);
		expect(json['Let In'][0]).toMatchObject([{ requestId: good.requestId }]);
		expect(json['Turn Away'][0]).toMatchObject([{ verified: false, reason: 'notACode' }]);
		expect(sandbox.requests().filter(({ path }) => path.endsWith('/verify'))).toHaveLength(1);
	});

	test.each([
		['another number', '09791234568'],
		['nothing', undefined],
	])('verifies nobody, by a right code, as %s', async (_, claimed) => {
		const { api, sandbox, credentials } = service;
		const codes = [await issueCode(sandbox), await issueCode(sandbox)];
		const items = [
			{ ...codes[0], phone: '+၉၅ (၀)၉ ၇၉၁ ၂၃၄ ၅၆၇' },
			{ ...codes[1], ...(claimed !== undefined && { phone: claimed }) },
		];
		const nodes = makeNodes(onError, credentials, { expectedTo: '={{ $json.phone }}' });
		const result = await runWorkflow(api, nodes, items, { connections, mode: 'manual' });
		expect(result.json['Let In'][0]).toMatchObject([{ requestId: codes[0].requestId }]);
		expect(readDoors(result)[2]).toBeUndefined();
		const { requestId } = codes[1];
		expect(result.json['Turn Away'][0]).toEqual([
			{ verified: false, requestId, reason: 'otherRecipient', message: expect.any(String) },
		]);
	});

	const expectNobodyIn = async (
		credentials: Credentials | undefined,
		parameters: IDataObject = {},
	) => {
		const code = await issueCode(service.sandbox);
		const nodes = makeNodes(onError, credentials, parameters);
		const items = [{ ...code }, { ...code }];
		const result = await runWorkflow(service.api, nodes, items, { connections, mode: 'manual' });
		expect(result.json).not.toHaveProperty(['Let In']);
		const failed = [result.json['Turn Away'], result.json.Alarm].flat(2).filter(Boolean);
		expect(failed).toHaveLength(onError === 'stopWorkflow' ? 0 : 2);
		for (const json of failed) expect(json).toHaveProperty('error');
	};

	test('verifies nobody with a wrong key', async () => {
		const { api, sandbox } = service;
		await expectNobodyIn(await createCredentials(api, sandbox, { apiSecret: 'wrong' }));
	});

	test('verifies nobody with a credential that is gone', async () => {
		const { api, sandbox } = service;
		const credentials = await createCredentials(api, sandbox);
		await api.deleteCredential(credentials.messagingServiceApi.id);
		await expectNobodyIn(credentials);
	});

	test('verifies nobody without a credential', async () => {
		await expectNobodyIn(undefined);
	});

	test('verifies nobody when an expression fails', async () => {
		await expectNobodyIn(service.credentials, { code: '={{ $("No such node").item.json.code }}' });
	});
});

describe('OTP Verify in a real n8n, and a service that stays silent', () => {
	test('verifies nobody, whatever On Error says', async () => {
		const [stopped, onRejected, onError] = (await silence.runs).map(readDoors);
		expect(stopped).toEqual([undefined, undefined, undefined]);
		expect(onRejected).toEqual([undefined, [expect.anything()], undefined]);
		expect(onError).toEqual([undefined, undefined, [expect.anything()]]);
		expect(silence.asked).toBe(3);
	});
});

const settingsOfN8n = onErrors.flatMap((onError) =>
	[false, true].map((isOn) => ({ onError, alwaysOutputData: isOn, retryOnFail: isOn })),
);

describe.each(settingsOfN8n)('OTP Verify in a real n8n, with %j', (settings) => {
	const service = useService();

	const run = async (item: IDataObject, more: Partial<NodeUnderTest> = {}) => {
		const [verify, ...markers] = makeNodes(settings.onError, service.credentials);
		const node = { ...verify, ...settings, maxTries: 2, waitBetweenTries: 10, ...more };
		return await runWorkflow(service.api, [node, ...markers], [item], { connections });
	};
	const asked = () => service.sandbox.requests().filter(({ path }) => path.endsWith('/verify'));

	test('rejects a wrong code with one request', async () => {
		const code = await issueCode(service.sandbox);
		const { json } = await run({ ...code, code: wrongCodeFor(code) });
		expect(json).not.toHaveProperty(['Let In']);
		expect(json['Turn Away'][0]).toEqual([
			expect.objectContaining({ verified: false, reason: 'wrongOrExpired' }),
		]);
		expect(asked()).toHaveLength(1);
	});

	test('verifies nobody while the node is deactivated', async () => {
		const code = await issueCode(service.sandbox);
		const { json } = await run({ ...code }, { disabled: true });
		expect(json).not.toHaveProperty(['Let In']);
		expect(json['Turn Away'][0]).toEqual([code]);
		expect(asked()).toEqual([]);
	});

	test('verifies a right code with one request', async () => {
		const { json } = await run({ ...(await issueCode(service.sandbox)) });
		expect(json['Let In'][0]).toEqual([expect.objectContaining({ verified: true })]);
		expect(json['Turn Away']?.[0]).toEqual(settings.alwaysOutputData ? [{}] : undefined);
		expect(asked()).toHaveLength(1);
	});

	test('verifies nobody by a code that could not be checked', async () => {
		const code = await issueCode(service.sandbox);
		service.sandbox.addFault({ match: { path: '/otp/verify' }, effect: { status: 500 } });
		const { json } = await run({ ...code });
		expect(json).not.toHaveProperty(['Let In']);
		const isRepeated = settings.retryOnFail && settings.onError === 'stopWorkflow';
		expect(asked()).toHaveLength(isRepeated ? 2 : 1);
	});
});

describe('OTP Verify in a real n8n, and Retry On Fail', () => {
	const service = useService();

	test('retries in the next attempt, and verifies a right code', async () => {
		const { api, sandbox, credentials } = service;
		const code = await issueCode(sandbox);
		sandbox.addFault({ match: { path: '/otp/verify' }, effect: { status: 500 }, count: 1 });
		const [verify, ...markers] = makeNodes('stopWorkflow', credentials);
		const retried = { ...verify, retryOnFail: true, maxTries: 2, waitBetweenTries: 100 };
		const result = await runWorkflow(api, [retried, ...markers], [{ ...code }], { connections });
		expect(result.json['Let In'][0]).toEqual([expect.objectContaining({ verified: true })]);
		expect(sandbox.requests().filter(({ path }) => path.endsWith('/verify'))).toHaveLength(2);
	});

	test('does not call a code wrong that the lost attempt has used up', async () => {
		const { api, sandbox, credentials } = service;
		const code = await issueCode(sandbox);
		const match = { path: '/otp/verify' };
		sandbox.addFault({ match, when: 'after', effect: 'cut', count: 1 });
		const [verify, ...markers] = makeNodes('stopWorkflow', credentials);
		const retried = { ...verify, retryOnFail: true, maxTries: 2, waitBetweenTries: 100 };
		const result = await runWorkflow(api, [retried, ...markers], [{ ...code }], { connections });
		expect(result.json).not.toHaveProperty(['Let In']);
		expect(result.json['Turn Away'][0]).toEqual([
			expect.objectContaining({ verified: false, reason: 'couldNotCheck', statusCode: 400 }),
		]);
	});
});
