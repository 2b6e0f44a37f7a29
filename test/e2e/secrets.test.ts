import { setTimeout as sleep } from 'node:timers/promises';

import type { IDataObject, OnError } from 'n8n-workflow';

import { startSandbox, type FaultEffect, type Sandbox } from '../../sandbox';
import { credentialsOf } from '../support/workflow/credentialsOf';
import {
	runWorkflow,
	startN8n,
	type NodeUnderTest,
	type OwnN8n,
	type WorkflowRun,
} from '../../tools/harness';
import { publishTrigger } from '../support/e2e/publishTrigger';
import { createCredentials, type Credentials } from '../support/e2e/useService';

const apiKey = 'key+of/the=account';
const apiSecret = 'sécret "of" the:account & more+/?';
const token = Buffer.from(`${apiKey}:${apiSecret}`).toString('base64');
/** Longer than codes are, so that no number in an execution looks the same by chance. */
const code = 'QxpZ70Lk427';
const encryptKey = 'my+encryption/key of 2026';
const triggerSecret = 'secret-of-the-trigger-1';
const secrets = { apiKey, apiSecret, token, code, encryptKey, triggerSecret };

/** An expression that gives the text without holding it: the parameters of a node are saved as they are. */
const hidden = (text: string) => `={{ ${JSON.stringify([...text])}.join("") }}`;

const message = { to: '09791234567', message: 'Hello', from: 'MyShop' };
const options = { encrypt: true, encryptKey: hidden(encryptKey), timeout: 2000 };

const calls: Array<[string, IDataObject]> = [
	['smsSend', { ...message, options }],
	['smsSend', { ...message, options: { surface: 'http', timeout: 2000 } }],
	['smsSend', { ...message, options: { ...options, surface: 'http' } }],
	['smsBulkSend', message],
	['smsHistory', { filters: { message: 'Hello' } }],
	['smsBalance', {}],
	['otpRequest', { to: '09791234567', brand: 'MyShop', from: 'MyShop' }],
	['otpVerify', { requestId: '184512007', code: hidden(code) }],
	['smsSendAndWait', { ...message, options, waitFor: 'anyFinal', timeLimit: 1 }],
];

const faults: Array<[string, FaultEffect, OnError]> = [
	['repeats the request in a 500', 'echo', 'stopWorkflow'],
	['repeats the request in a 401', { echo: { status: 401 } }, 'continueErrorOutput'],
	['repeats the request in a success', { echo: { status: 200 } }, 'continueErrorOutput'],
	['redirects', { redirect: { location: 'http://127.0.0.1:1/elsewhere' } }, 'stopWorkflow'],
];

/** A text in the forms in which it could come back from a service, out of an address or a header. */
function formsOf(secret: string): string[] {
	const encoded = encodeURIComponent(secret);
	const base64 = Buffer.from(secret).toString('base64');
	return [
		secret,
		encoded,
		encoded.replace(/%20/g, '+'),
		encoded.toLowerCase(),
		new URLSearchParams({ secret }).toString().slice('secret='.length),
		JSON.stringify(secret).slice(1, -1),
		Buffer.from(secret).toString('latin1'),
		base64,
		base64.replace(/=+$/, ''),
		encodeURIComponent(base64),
	];
}

/** The names of the secrets that a text holds in any form. */
function findLeaks(text: string): string[] {
	const entries = Object.entries(secrets);
	return entries
		.filter(([, secret]) => formsOf(secret).some((form) => text.includes(form)))
		.map(([name]) => name);
}

describe('secrets in failures, in a real n8n with its log at debug', () => {
	let n8n: OwnN8n;
	const sandboxes: Sandbox[] = [];

	beforeAll(async () => {
		n8n = await startN8n({ env: { N8N_LOG_LEVEL: 'debug', N8N_LOG_OUTPUT: 'console' } });
	});
	afterAll(async () => {
		await Promise.all([...sandboxes.map(async (sandbox) => await sandbox.close()), n8n?.close()]);
	});

	/** A service that does the same with every request, and the right credential for it. */
	const startFaulty = async (effect?: FaultEffect): Promise<[Sandbox, Credentials]> => {
		const sandbox = await startSandbox({ pace: 0, apiKey, apiSecret });
		sandboxes.push(sandbox);
		if (effect) sandbox.addFault({ effect });
		return [sandbox, await createCredentials(n8n.api, sandbox)];
	};

	const runCall = async (
		[type, parameters]: [string, IDataObject],
		credentials: Credentials,
		onError: OnError,
	) => {
		const node = { name: 'Fails', type, onError, credentials: { ...credentials } };
		const given = parameters as NodeUnderTest['parameters'];
		return await runWorkflow(n8n.api, [{ ...node, parameters: given }], [{ visitor: 1 }], {
			mode: 'manual',
		});
	};
	const leaksOf = (runs: WorkflowRun[]) => runs.map(({ execution }) => findLeaks(execution.saved));
	const noLeaks = (runs: unknown[]) => runs.map(() => []);
	const hasFailed = ({ status, json }: WorkflowRun) =>
		status === 'error' || json.Fails.flat().some((item) => 'error' in item || !item.verified);

	test('finds a secret where there is one', async () => {
		const node = { name: 'Leak', type: 'n8n-nodes-base.set', typeVersion: 3.4 };
		const jsonOutput = `={{ { address: "/send?accessToken=" + encodeURIComponent(${hidden(token).slice(4, -3)}) } }}`;
		const parameters = { mode: 'raw', jsonOutput, options: {} };
		const run = await runWorkflow(n8n.api, [{ ...node, parameters }], [{}], { mode: 'manual' });
		expect(findLeaks(run.execution.saved)).toContain('token');
		for (const [name, secret] of Object.entries(secrets)) {
			for (const form of formsOf(secret)) expect(findLeaks(`"${form}"`)).toContain(name);
		}
	});

	describe('in an execution', () => {
		const runs: Record<string, Promise<WorkflowRun[]>> = {};
		const runCalls = async (effect: FaultEffect, onError: OnError, afterMs: number) => {
			await sleep(afterMs);
			const [, credentials] = await startFaulty(effect);
			return await Promise.all(
				calls.map(async (call) => await runCall(call, credentials, onError)),
			);
		};

		// Side by side: in most of them, messages are in doubt for a minute. Each begins nine executions.
		beforeAll(() => {
			for (const [n, [what, effect, onError]] of faults.entries()) {
				runs[what] = runCalls(effect, onError, 3_000 * n);
				// The code that waits for it gets the error.
				runs[what].catch(() => undefined);
			}
		});

		test.each(faults)('a service that %s leaves none', async (what) => {
			const finished = await runs[what];
			expect(finished.map(hasFailed)).toEqual(finished.map(() => true));
			expect(leaksOf(finished)).toEqual(noLeaks(finished));
		});
	});

	test('neither do rejections of the real service, nor a wrong key', async () => {
		const [sandbox] = await startFaulty();
		const type = 'messagingServiceApi';
		const data = credentialsOf({ baseUrl: sandbox.baseUrl, apiKey, apiSecret });
		sandbox.configure({ credentials: [{ apiKey: 'another', apiSecret: 'one' }] });
		const credentials = await createCredentials(n8n.api, sandbox);
		const runs = await Promise.all(
			calls.map(async (call) => await runCall(call, credentials, 'stopWorkflow')),
		);
		expect(runs.map(hasFailed)).toEqual(runs.map(() => true));
		expect(leaksOf(runs)).toEqual(noLeaks(runs));
		sandbox.addFault({ effect: 'echo' });
		const tested = await n8n.api.testCredential({ name: 'Test', type, data });
		expect(tested.status).toBe('Error');
		expect(findLeaks(tested.message)).toEqual([]);
	});

	test('neither does a call without a receipt', async () => {
		const { api } = n8n;
		const parameters = { options: { secret: hidden(triggerSecret) } };
		const trigger = await publishTrigger({ api, parameters });
		const answer = await trigger.call({ params: { messageId: 'm', secret: triggerSecret } });
		expect(answer.status).toBe(400);
		expect(findLeaks(String(answer.data))).toEqual([]);
		expect(await api.executions(trigger.workflowId)).toEqual([]);
	});

	test('and the log of all of it holds none', () => {
		const log = n8n.log();
		expect(log).toMatch(/debug/);
		expect(log.length).toBeGreaterThan(10_000);
		const lines = log.split('\n').filter((line) => findLeaks(line).length > 0);
		expect(lines).toEqual([]);
	});
});
