import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import type { AxiosResponse } from '../../../scripts/http';
import { endpoints } from '../../../sandbox/service/endpoints';
import { renderSupported } from '../../../tools/openApi/renderSupported';
import thirdParty from '../../fixtures/thirdPartyRequests.json';
import { type Call, callSandbox, control } from '../../support/sandbox/callSandbox';
import { openApi, openApiFile, type Operation } from '../../support/sandbox/openApi';
import { startReceiver } from '../../support/sandbox/startReceiver';
import { useSandbox } from '../../support/workflow/useSandbox';

/** The findings of the linter, in a process of its own: it is an ES module. */
function lint(file: string): unknown {
	const linter = join(__dirname, '..', '..', '..', 'tools', 'openApi', 'lint.mjs');
	const { stdout, stderr } = spawnSync(process.execPath, [linter, file], { encoding: 'utf8' });
	return stderr || (JSON.parse(stdout) as unknown);
}

const ajv = new Ajv2020({
	strict: false,
	allErrors: true,
	formats: {
		uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
		uri: (text: string) => URL.canParse(text),
	},
});
ajv.addSchema(openApi, 'openapi');
const compile = (ref: string): ValidateFunction => ajv.compile({ $ref: `openapi${ref}` });

const findOperation = (path: string): Operation => Object.values(openApi.paths[path]!)[0]!;

/** What is wrong with an answer, by the document; empty when it is as described. */
function findFlaws(path: string, { status, data }: AxiosResponse): string[] {
	const response = findOperation(path).responses[status];
	if (!response) return [`${path} is not described to answer ${status}`];
	const name = response.$ref.split('/').at(-1)!;
	const { schema } = openApi.components.responses[name]!.content['application/json'];
	const validate = compile(schema.$ref);
	validate(data);
	return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

describe('the OpenAPI document of the service', () => {
	const sandbox = useSandbox({ methods: 'any' });

	const expectDescribed = async (call: Call, status: number) => {
		const answer = await callSandbox(sandbox, call);
		expect(answer.status).toBe(status);
		expect(findFlaws(call.path, answer)).toEqual([]);
		return answer;
	};

	test('is free of findings of a linter', () => expect(lint(openApiFile)).toEqual([]), 30_000);

	test('names every endpoint of the sandbox and no other', () => {
		expect(Object.keys(openApi.paths)).toEqual(endpoints.map(({ path }) => path));
	});

	test.each(endpoints)('has the methods and fields of $path', (endpoint) => {
		const [[method, operation]] = Object.entries(openApi.paths[endpoint.path]!) as [
			[string, Operation],
		];
		expect(endpoint.methods[0]).toBe(method.toUpperCase());
		expect(endpoint.methods).toHaveLength(operation['x-method-shown'] ? 1 : 2);
		const body = operation.requestBody?.content['application/json']?.schema.$ref.split('/').at(-1);
		const described = body
			? Object.keys(openApi.components.schemas[body]!.properties)
			: (operation.parameters ?? []).map(({ name }) => name);
		const token = operation.security?.some((one) => 'accessToken' in one) ? ['accessToken'] : [];
		expect([...endpoint.fields].sort()).toEqual([...token, ...described].sort());
	});

	const to = '09779123456';
	const from = 'Shop';
	const message = 'Hello';
	const number = { to, message, from };

	test.each<[string, Call, number]>([
		['a send', { method: 'POST', path: '/rest/send', body: number }, 201],
		[
			'an encrypted send',
			{ method: 'POST', path: '/rest/send', body: { ...number, encrypt: true } },
			201,
		],
		[
			'a send for later',
			{
				method: 'POST',
				path: '/rest/send',
				body: { ...number, scheduledAt: '2099-01-01 00:00:00' },
			},
			201,
		],
		[
			'a recipient that is refused',
			{ method: 'POST', path: '/rest/send', body: { ...number, to: '09000000011' } },
			201,
		],
		['a send without text', { method: 'POST', path: '/rest/send', body: { to, from } }, 422],
		['a send that is a list', { method: 'POST', path: '/rest/send', body: [] }, 400],
		['a wrong token', { method: 'POST', path: '/rest/send', body: number, token: 'x' }, 401],
		[
			'a bulk request',
			{ method: 'POST', path: '/rest/send/bulk', body: { messages: [number, number] } },
			201,
		],
		['a bulk request of nothing', { method: 'POST', path: '/rest/send/bulk', body: {} }, 422],
		['an empty history', { method: 'GET', path: '/rest/messages' }, 201],
		[
			'a history with a wrong page',
			{ method: 'GET', path: '/rest/messages', query: { page: '0' } },
			422,
		],
		['a balance', { method: 'GET', path: '/rest/account/get-balance' }, 201],
		['a code', { method: 'POST', path: '/otp/request', query: { to, brand: from, from } }, 201],
		[
			'a code for nobody',
			{ method: 'POST', path: '/otp/request', query: { brand: from, from } },
			400,
		],
		[
			'a wrong code',
			{ method: 'POST', path: '/otp/verify', query: { requestId: '1', code: '2' } },
			400,
		],
		['a send by query', { method: 'POST', path: '/http/send', query: number }, 201],
		[
			'a send by query to nobody',
			{ method: 'POST', path: '/http/send', query: { message, from } },
			422,
		],
	])('describes the response to %s', async (_case, call, status) => {
		await expectDescribed(call, status);
	});

	test.each(['/rest/send', '/rest/send/bulk'])(
		'describes %s without money or JSON',
		async (path) => {
			sandbox.configure({ balance: 0 });
			const body = path === '/rest/send' ? number : { messages: [number] };
			await expectDescribed({ method: 'POST', path, body }, 402);
			const headers = { 'Content-Type': 'text/plain' };
			await expectDescribed({ method: 'POST', path, body: 'to=1', headers }, 415);
			await expectDescribed({ method: 'POST', path, body: 'x'.repeat(1_000_001) }, 413);
		},
	);

	test('describes history, a rejected record without to and from, and a success of 200', async () => {
		sandbox.seedMessages(50);
		sandbox.configure({ bareRefusals: true, successStatus: 200 });
		await expectDescribed(
			{ method: 'POST', path: '/rest/send', body: { ...number, encrypt: 1 } },
			200,
		);
		const refused = { ...number, to: '09000000011' };
		await expectDescribed({ method: 'POST', path: '/rest/send', body: refused }, 200);
		await expectDescribed({ method: 'GET', path: '/rest/messages' }, 200);
		await expectDescribed({ method: 'GET', path: '/rest/messages', query: { page: '3' } }, 200);
	});

	test('describes a verified code, with a large request ID too', async () => {
		const query = { to, brand: from, from };
		for (const largeRequestIds of [false, true]) {
			sandbox.configure({ largeRequestIds });
			await expectDescribed({ method: 'POST', path: '/otp/request', query }, 201);
			const { requestId, code } = sandbox.codes().at(-1)!;
			const verified = { requestId: String(requestId), code };
			await expectDescribed({ method: 'POST', path: '/otp/verify', query: verified }, 201);
		}
	});

	test('describes the receipts', async () => {
		const receiver = await startReceiver();
		sandbox.configure({ defaultReceiptUrl: receiver.url, receiptMethod: 'json' });
		await callSandbox(sandbox, { method: 'POST', path: '/rest/send', body: number });
		sandbox.advance(60_000);
		await sandbox.settle();
		sandbox.configure({ receiptMethod: 'query' });
		await sandbox.repeatReceipt(sandbox.messages()[0]!.messageId);
		await receiver.close();
		const validate = compile('#/components/schemas/Receipt');
		const receipts = receiver.calls.map(({ body, query }) => (body ? JSON.parse(body) : query));
		expect(receipts.map((one) => validate(one))).toEqual([true, true, true]);
		const { parameters = [] } = openApi.components.pathItems.DeliveryReceipt!.post!;
		expect(Object.keys(receipts[2])).toEqual(parameters.map(({ name }) => name));
	});

	test('finds what is not as described', async () => {
		const answer = await callSandbox(sandbox, { method: 'POST', path: '/rest/send', body: number });
		delete answer.data.messages[0].network;
		expect(findFlaws('/rest/send', answer)).not.toEqual([]);
		answer.data.messages[0] = { status: false, message: 'x', reason: 'y' };
		expect(findFlaws('/rest/send', answer)).not.toEqual([]);
	});

	test('accepts the bodies of published clients', () => {
		const bodies = thirdParty.filter(
			({ path, body = 'null' }) => /send/.test(path) && body !== 'null',
		);
		for (const { path, body } of bodies) {
			const name = path === '/rest/send' ? 'SendRequest' : 'BulkRequest';
			expect([path, compile(`#/components/schemas/${name}`)(JSON.parse(body!))]).toEqual([
				path,
				true,
			]);
		}
	});

	test('has its assumptions in SUPPORTED.md, beside the endpoints', () => {
		const file = join(__dirname, '..', '..', '..', 'sandbox', 'SUPPORTED.md');
		// A formatter has widened the columns of the table.
		const squeeze = (text: string) => text.replace(/ {2,}/g, ' ').replace(/-{3,}/g, '---');
		expect(squeeze(readFileSync(file, 'utf8'))).toBe(squeeze(renderSupported(openApi)));
	});

	test('of the control is free of findings too', async () => {
		const { data } = await control(sandbox, 'GET', '/openapi.json');
		const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
		const file = join(folder, 'control.json');
		writeFileSync(file, JSON.stringify(data));
		expect(lint(file)).toEqual([]);
		rmSync(folder, { recursive: true });
	}, 30_000);
});
