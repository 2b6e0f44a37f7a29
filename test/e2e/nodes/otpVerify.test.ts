import type { IDataObject } from 'n8n-workflow';

import type { FaultEffect } from '../../../sandbox';
import { onErrors } from '../../support/workflow/onErrors';
import { runWorkflow, type NodeUnderTest, type WorkflowRun } from '../../../tools/harness';
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

describe.each(onErrors)('OTP Verify in a real n8n, On Error %s', (onError) => {
	const service = useService();
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
		['the service breaks', { status: 500 }],
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
		expect(failed).toMatchObject({
			...{ verified: false, reason: 'couldNotCheck' },
			error: expect.stringContaining('(item 2 of '),
		});
	}

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

	test('verifies nobody with a credential that is gone', async () => {
		const { api, sandbox } = service;
		const credentials = await createCredentials(api, sandbox);
		const { id } = credentials.messagingServiceApi;
		await api.deleteCredential(id);
		// By its name, n8n would find another one.
		await expectNobodyIn({ messagingServiceApi: { id, name: 'Gone' } });
	});

	test('verifies nobody when an expression fails', async () => {
		await expectNobodyIn(service.credentials, { code: '={{ $("No such node").item.json.code }}' });
	});
});

const settingsOfN8n = onErrors.map((onError) => ({
	...{ onError, alwaysOutputData: true, retryOnFail: true },
}));

describe.each(settingsOfN8n)('OTP Verify in a real n8n, with %j', (settings) => {
	const service = useService();

	const run = async (item: IDataObject, more: Partial<NodeUnderTest> = {}) => {
		const [verify, ...markers] = makeNodes(settings.onError, service.credentials);
		const node = { ...verify, ...settings, maxTries: 2, waitBetweenTries: 10, ...more };
		return await runWorkflow(service.api, [node, ...markers], [item], { connections });
	};
	const asked = () => service.sandbox.requests().filter(({ path }) => path.endsWith('/verify'));

	test('verifies nobody while the node is deactivated', async () => {
		const code = await issueCode(service.sandbox);
		const { json } = await run({ ...code }, { disabled: true });
		expect(json).not.toHaveProperty(['Let In']);
		expect(json['Turn Away'][0]).toEqual([code]);
		expect(asked()).toEqual([]);
	});

	test('verifies nobody by a code that could not be checked', async () => {
		const code = await issueCode(service.sandbox);
		service.sandbox.addFault({ match: { path: '/otp/verify' }, effect: { status: 500 } });
		const { json } = await run({ ...code });
		expect(json).not.toHaveProperty(['Let In']);
		const isRepeated = settings.onError === 'stopWorkflow';
		expect(asked()).toHaveLength(isRepeated ? 2 : 1);
	});
});
