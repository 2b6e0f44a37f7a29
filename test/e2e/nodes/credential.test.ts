import type { IDataObject } from 'n8n-workflow';

import { startSandbox } from '../../../sandbox';
import { answerJson, useStandIn } from '../../support/workflow/useStandIn';
import { AgentRunner } from '../../support/e2e/AgentRunner';
import { sinceN8n2 } from '../../support/e2e/sinceN8n2';
import { runWorkflow, type NodeUnderTest } from '../../../tools/harness';
import { createCredentials, useService, type Credentials } from '../../support/e2e/useService';

/** One node for each surface and direction of the service, and the path that it calls. */
const calls: Array<[string, string, string, IDataObject]> = [
	['send', 'smsSend', '/rest/send', { to: '09791234567', message: 'Hello', from: 'MyShop' }],
	[
		'send by query',
		'smsSend',
		'/http/send',
		{ to: '09791234567', message: 'Hello', from: 'MyShop', options: { surface: 'http' } },
	],
	[
		'bulk send',
		'smsBulkSend',
		'/rest/send/bulk',
		{ to: '09791234567', message: 'Hello', from: 'MyShop' },
	],
	['history', 'smsHistory', '/rest/messages', { limit: 20 }],
	['balance', 'smsBalance', '/rest/account/get-balance', {}],
	['OTP request', 'otpRequest', '/otp/request', { to: 'a@example.com', brand: 'B', from: 'Shop' }],
	['OTP verify', 'otpVerify', '/otp/verify', { requestId: '184512007', code: '0427' }],
	[
		'send and wait',
		'smsSendAndWait',
		'/rest/send',
		{ to: '09791234567', message: 'Hello', from: 'MyShop', waitFor: 'anyFinal', timeLimit: 1 },
	],
];

/** What goes wrong easily in Base64, in a query and in a header. */
const hardKeys: Array<[string, { apiKey: string; apiSecret: string }]> = [
	['a token with + and /', { apiKey: 'k>>>???', apiSecret: '~~~>>>???' }],
	['letters beyond ASCII', { apiKey: 'schlüssel', apiSecret: 'လျှို့ဝှက်ချက်☕' }],
	['a colon in the secret', { apiKey: 'key', apiSecret: 'a:b::c' }],
	['spaces, quotes and percent signs', { apiKey: 'k 1', apiSecret: `"50%2B" & 'more' =` }],
];

function makeNode(type: string, parameters: IDataObject, credentials: Credentials): NodeUnderTest {
	return {
		name: type,
		type,
		parameters: parameters as NodeUnderTest['parameters'],
		credentials: { ...credentials },
	};
}

describe('every node and its credential in a real n8n', () => {
	const service = useService();
	const elsewhere = useStandIn();

	const runAll = async (credentials: Credentials, wanted = calls) =>
		await Promise.all(
			wanted.map(
				async ([, type, , parameters]) =>
					await runWorkflow(service.api, [makeNode(type, parameters, credentials)], [{}], {
						mode: 'manual',
					}),
			),
		);
	const receivedPaths = () =>
		service.sandbox.requests().map(({ path }) => path.replace(/^\/api/, ''));

	test('a rejected credential is sent once and not again', async () => {
		const { api, sandbox } = service;
		const credentials = await createCredentials(api, sandbox, { apiSecret: 'wrong' });
		const runs = await runAll(credentials);
		expect(receivedPaths().sort()).toEqual(calls.map(([, , path]) => path).sort());
		for (const { status, error } of runs) {
			expect(status).toBe('error');
			expect(error?.message).toContain('The service rejected the credential (HTTP 401)');
			expect(error?.description).toContain('IP allowlist');
		}
	});

	/**
	 * Beside the other tests, with a service of its own for each status: a send that was redirected is in doubt for a
	 * minute.
	 */
	let redirected: Promise<void>;
	const redirectAll = async () => {
		const target = await startSandbox({ pace: 0 });
		const location = `${target.baseUrl}/rest/send`;
		const redirects = [301, 302, 307].map(async (status) => {
			const sandbox = await startSandbox({ pace: 0 });
			sandbox.addFault({ effect: { redirect: { location, status } } });
			const runs = await runAll(await createCredentials(service.api, sandbox));
			const finished = runs.filter((run) => run.status !== 'error');
			expect(finished.map(({ json }) => Object.keys(json).at(-1))).toEqual(['otpVerify']);
			expect(sandbox.messages().map(({ to }) => to)).toEqual([]);
			await sandbox.close();
		});
		await Promise.all(redirects);
		expect(target.requests().map(({ path }) => path)).toEqual([]);
		await target.close();
	};
	beforeAll(() => {
		redirected = redirectAll();
		// The test that waits for it gets the error.
		redirected.catch(() => undefined);
	});

	test.each(hardKeys)('keys with %s are accepted everywhere', async (_, key) => {
		const { api, sandbox } = service;
		sandbox.configure({ credentials: [key] });
		const withBearer = await createCredentials(api, { ...sandbox, ...key });
		const withBasic = await createCredentials(
			api,
			{ ...sandbox, ...key },
			{
				authorizationScheme: 'Basic',
				baseUrl: ` ${sandbox.baseUrl}/rest/// `,
				apiKey: ` ${key.apiKey}\n`,
				apiSecret: `\t${key.apiSecret} `,
			},
		);
		// Without the node that goes on asking history while it waits.
		const wanted = calls.filter(([name]) => name !== 'send and wait');
		const runs = [...(await runAll(withBearer, wanted)), ...(await runAll(withBasic, wanted))];
		expect(runs.map(({ error }) => error?.message)).toEqual(runs.map(() => undefined));
		const statuses = sandbox.requests().map(({ path, statusAnswered }) => [path, statusAnswered]);
		const verified = ['/api/otp/verify', 400];
		expect(statuses).toEqual(
			statuses.map(([path]) => (path === '/api/otp/verify' ? verified : [path, 201])),
		);
	});

	describe('with Only Send To', () => {
		const sending = calls.filter(([, , , { to }]) => to !== undefined);
		const refusal = /^Not sent: "959791234567" is not in Only Send To|^Not sent: .*"a@ex/;

		test('nobody else gets anything from any node that sends', async () => {
			const onlySendTo = '09791234568\n95979100*, b@example.com';
			const credentials = await createCredentials(service.api, service.sandbox, { onlySendTo });
			const runs = await runAll(credentials, sending);
			expect(runs).toHaveLength(5);
			for (const { error } of runs) expect(error?.message).toMatch(refusal);
			expect(receivedPaths()).toEqual([]);
		});
	});

	describe("n8n's own HTTP Request node with the credential", () => {
		const request = async (path: string, more: IDataObject, credentials: Credentials) => {
			const parameters = {
				...{ method: 'POST', url: `${service.sandbox.baseUrl}${path}`, options: {} },
				...{
					authentication: 'predefinedCredentialType',
					nodeCredentialType: 'messagingServiceApi',
				},
				...more,
			} as NodeUnderTest['parameters'];
			const type = 'n8n-nodes-base.httpRequest';
			const node = { name: 'HTTP Request', type, typeVersion: 4.2, parameters };
			const mode = { mode: 'manual' } as const;
			return await runWorkflow(
				service.api,
				[{ ...node, credentials: { ...credentials } }],
				[{}],
				mode,
			);
		};
		const inQuery = (fields: Record<string, string>) => ({
			sendQuery: true,
			queryParameters: {
				parameters: Object.entries(fields).map(([name, value]) => ({ name, value })),
			},
		});
		const message = { to: '09791234567', message: 'Tea & cake', from: 'MyShop' };

		test.each<[string, IDataObject]>([
			['/rest/send', { sendBody: true, specifyBody: 'json', jsonBody: JSON.stringify(message) }],
			['/rest/account/get-balance', { method: 'GET' }],
			['/otp/request', inQuery({ to: 'a@example.com', brand: 'MyShop', from: 'MyShop' })],
			['/http/send', inQuery(message)],
		])('is let in at %s', async (path, parameters) => {
			const { api, sandbox } = service;
			const [, key] = hardKeys[0];
			sandbox.configure({ credentials: [key] });
			const credentials = await createCredentials(api, { ...sandbox, ...key });
			const run = await request(path, parameters, credentials);
			expect(run.error).toBeUndefined();
			expect(sandbox.requests()).toEqual([
				expect.objectContaining({ path: `/api${path}`, statusAnswered: 201 }),
			]);
			const [{ headers, query }] = sandbox.requests();
			const isRest = path.startsWith('/rest');
			expect({ isHeader: 'authorization' in headers, isQuery: 'accessToken' in query }).toEqual({
				isHeader: isRest,
				isQuery: !isRest,
			});
		});

		test('is not let in with Only Send To, whatever it requests', async () => {
			const { api, sandbox } = service;
			const credentials = await createCredentials(api, sandbox, { onlySendTo: message.to });
			for (const [path, parameters] of [
				['/rest/send', { sendBody: true, specifyBody: 'json', jsonBody: JSON.stringify(message) }],
				['/http/send', inQuery(message)],
				['/rest/account/get-balance', { method: 'GET' }],
			] as Array<[string, IDataObject]>) {
				const { error } = await request(path, parameters, credentials);
				expect(error?.message).toMatch(/^Not sent: a credential with Only Send To works only in/);
				expect(error?.description).toMatch(/^Use SMS Send or another node/);
			}
			expect(receivedPaths()).toEqual([]);
		});

		/** What somebody who may use the credential, but not see it, would type to have the token for himself. */
		const elsewhereOf = (): Array<[string, IDataObject]> => {
			const { origin, port } = new URL(elsewhere.baseUrl);
			const own = new URL(service.sandbox.baseUrl);
			return [
				[`${elsewhere.baseUrl}/rest/send`, {}],
				[`http://127.0.0.1:${own.port}@127.0.0.1:${port}/api/otp/verify`, {}],
				[`${own.origin}/_sandbox/api/requests`, {}],
				[`${service.sandbox.baseUrl}/..%2f_sandbox/api/requests`, {}],
				[`${service.sandbox.baseUrl}/rest/send`, { options: { proxy: origin } }],
				[`${service.sandbox.baseUrl}/rest/send`, { options: { allowUnauthorizedCerts: true } }],
				[
					`${service.sandbox.baseUrl}/rest/send`,
					{
						sendHeaders: true,
						headerParameters: { parameters: [{ name: 'host', value: 'evil.example' }] },
					},
				],
			];
		};

		test('hands the token to no other address, and says why', async () => {
			const { sandbox, credentials } = service;
			elsewhere.answer = () => answerJson(200, {});
			for (const [url, parameters] of elsewhereOf()) {
				const run = await request('', { url, ...parameters }, credentials);
				expect([url, run.status]).toEqual([url, 'error']);
				expect(run.error?.message).toMatch(/this credential is for its own service only/);
				expect(run.execution.saved).not.toContain(sandbox.token);
			}
			expect(elsewhere.requests).toEqual([]);
			expect(sandbox.requests().map(({ path }) => path)).toEqual([]);
		});

		test('follows no redirect with the token', async () => {
			const { sandbox, credentials } = service;
			elsewhere.answer = () => answerJson(200, {});
			const location = `${elsewhere.baseUrl}/rest/messages`;
			sandbox.addFault({ effect: { redirect: { location, status: 302 } } });
			const run = await request('/rest/messages', { method: 'GET' }, credentials);
			expect(run.status).toBe('error');
			expect(elsewhere.requests).toEqual([]);
		});

		const callFromAgent = async (version: number) => {
			const runner = await AgentRunner.open();
			elsewhere.answer = () => answerJson(200, {});
			const tool = {
				name: 'Service',
				type: 'n8n-nodes-base.httpRequestTool',
				typeVersion: 4.2,
				parameters: {
					method: 'GET',
					url: `={{ $fromAI('url', 'The address', 'string') }}`,
					authentication: 'predefinedCredentialType',
					nodeCredentialType: 'messagingServiceApi',
					options: {},
				},
			};
			const get = (url: string) => [{ tool: 'Service', args: { url } }];
			runner.model.play([
				get(elsewhere.baseUrl),
				get(`${runner.sandbox.baseUrl}/rest/account/get-balance`),
				'Done.',
			]);
			await runner.run({ agentVersion: version, tool });
			expect(elsewhere.requests).toEqual([]);
			const paths = runner.sandbox.requests().map(({ path }) => path);
			expect(paths).toEqual(['/api/rest/account/get-balance']);
			// The agents before version 3 tell their model nothing of what a tool throws.
			const words = 'this credential is for its own service only';
			if (version > 3) expect(runner.model.heard()).toContain(words);
			expect(runner.model.heard()).not.toContain(runner.sandbox.token);
			await runner.close();
		};
		const name = 'as a tool of the AI Agent %s, no address of the model';
		test.each([2.2])(name, callFromAgent);
		sinceN8n2('agent of version 3 that goes on when a tool fails').test.each([3.1])(
			name,
			callFromAgent,
		);
	});

	test('a redirect is never followed, whatever its status', async () => {
		await redirected;
	});
});
