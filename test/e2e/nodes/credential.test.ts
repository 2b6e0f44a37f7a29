import type { IDataObject } from 'n8n-workflow';

import { answerJson, useStandIn } from '../../support/workflow/useStandIn';
import { AgentRunner } from '../../support/e2e/AgentRunner';
import { sinceN8n2 } from '../../support/e2e/sinceN8n2';
import { runWorkflow, type NodeUnderTest } from '../../../tools/harness';
import { createCredentials, useService, type Credentials } from '../../support/e2e/useService';

/** What goes wrong easily in Base64, in a query and in a header: its token has + and /. */
const hardKey = { apiKey: 'k>>>???', apiSecret: '~~~>>>???' };

describe("n8n's own HTTP Request node with the credential", () => {
	const service = useService();
	const elsewhere = useStandIn();
	const receivedPaths = () =>
		service.sandbox.requests().map(({ path }) => path.replace(/^\/api/, ''));

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
		sandbox.configure({ credentials: [hardKey] });
		const credentials = await createCredentials(api, { ...sandbox, ...hardKey });
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
