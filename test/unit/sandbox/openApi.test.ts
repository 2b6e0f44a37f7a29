import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import type { AxiosResponse } from '../../../scripts/http';
import { endpoints } from '../../../sandbox/service/endpoints';
import { renderSupported } from '../../../tools/openApi/renderSupported';
import exchanges from '../../fixtures/exchanges.json';
import thirdParty from '../../fixtures/thirdPartyRequests.json';
import {
	type Call,
	callRaw,
	projectFolder,
	useFolder,
	useReceiver,
	useSandbox,
} from '../../support/sandbox/harness';
import { openApi, openApiFile, type Operation } from '../../support/sandbox/openApi';

/** The findings of the linter, in a process of its own: it is an ES module. */
function lint(file: string): unknown {
	const linter = join(projectFolder, 'tools/openApi/lint.mjs');
	const { stdout, stderr } = spawnSync(process.execPath, [linter, file], { encoding: 'utf8' });
	return stderr || (JSON.parse(stdout) as unknown);
}

const ajv = new Ajv2020({
	...{ strict: false, allErrors: true },
	formats: {
		uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
		uri: (text: string) => URL.canParse(text),
	},
});
ajv.addSchema(openApi, 'openapi');
const compile = (ref: string) => ajv.compile({ $ref: `openapi${ref}` });

/** What is wrong with a response, by the document; empty when it is as described. */
function findFlaws(path: string, { status, data }: AxiosResponse): string[] {
	const [operation] = Object.values(openApi.paths[path]!);
	const response = operation!.responses[status];
	if (!response) return [`${path} is not described to answer ${status}`];
	const name = response.$ref.split('/').at(-1)!;
	const { schema } = openApi.components.responses[name]!.content['application/json'];
	const validate = compile(schema.$ref);
	validate(data);
	return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

const sandbox = useSandbox();
const receiver = useReceiver();

describe('documented exchanges', () => {
	interface Exchange {
		name: string;
		request: Call;
		answer: { status: number; body: unknown };
	}

	/** Values that differ from run to run: compared by their shape. */
	const variable = /^(messageId|(created|expire|verified|finished)At)$/;

	function blank(value: unknown): unknown {
		return JSON.parse(JSON.stringify(value), (name: string, one: unknown) => {
			if (name === 'requestId' || name === 'request_id') return String(one).replace(/\d/g, '9');
			if (variable.test(name)) return String(one).replace(/[0-9a-f]/g, '9');
			if (typeof one === 'string' && /^[\w+/]{40,}={0,2}$/.test(one)) return 'encrypted';
			if (typeof one === 'string') return one.replace(/^https?:\/\/[^/]+/, '');
			return one;
		}) as unknown;
	}

	test.each(exchanges as Exchange[])('$name has the documented response', async (exchange) => {
		const { name, request, answer } = exchange;
		if (name === 'history') sandbox.seedMessages(152);
		if (name === 'otpVerify') {
			await sandbox.requestCode({ pinLength: '4' });
			const [{ requestId, code } = {}] = sandbox.codes();
			request.query = { requestId: String(requestId), code: code! };
		}
		const response = await sandbox.call(request);
		const { status, data, headers } = response;
		expect(findFlaws(request.path, response)).toEqual([]);
		if (name === 'history') expect(data.messages.splice(1)).toHaveLength(19);
		expect({ status, body: blank(data) }).toEqual({ ...answer, body: blank(answer.body) });
		expect(headers['content-type']).toMatch(/^application\/json/);
	});
});

describe('requests as published clients make them', () => {
	interface ThirdPartyRequest {
		name: string;
		method: string;
		path: string;
		headers: Record<string, string>;
		body?: string;
		stored?: object[];
	}

	// Byte by byte as they are written: a client library would add to them.
	test.each(thirdParty as ThirdPartyRequest[])('$name is accepted', async (one) => {
		const fill = (text: string) =>
			text
				.replace('{token}', sandbox.token)
				.replace('{accessToken}', encodeURIComponent(sandbox.token));
		const { method, path, body, stored = [] } = one;
		const headers = JSON.parse(fill(JSON.stringify(one.headers))) as Record<string, string>;
		const { status } = await callRaw(`${sandbox.baseUrl}${fill(path)}`, { method, headers, body });
		expect(status).toBe(201);
		expect(sandbox.messages()).toMatchObject(stored);
		if (body === undefined || !path.startsWith('/rest/send')) return;
		const schema = `#/components/schemas/${path === '/rest/send' ? 'Send' : 'Bulk'}Request`;
		expect(compile(schema)(JSON.parse(body))).toBe(true);
	});
});

describe('the OpenAPI document of the service', () => {
	const at = useFolder();
	const to = '09779123456';
	const order = { to, message: 'Hello', from: 'Shop' };

	const expectDescribed = async (call: Call, status: number) => {
		const answer = await sandbox.call(call);
		expect([answer.status, findFlaws(call.path, answer)]).toEqual([status, []]);
	};

	test('is free of findings of a linter', () => expect(lint(openApiFile)).toEqual([]));

	test('of the control is free of findings too', async () => {
		const { data } = await sandbox.control('GET', '/openapi.json');
		writeFileSync(at('control.json'), JSON.stringify(data));
		expect(lint(at('control.json'))).toEqual([]);
	});

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

	test.each([
		['/rest/send', { scheduledAt: '2099-01-01 00:00:00' }, 201],
		['/rest/send', { message: undefined }, 422],
		['/rest/send', [], 400],
		['/rest/send/bulk', {}, 422],
	])('describes the response of %s to %j', async (path, fields, status) => {
		const body = Array.isArray(fields) || path.endsWith('bulk') ? fields : { ...order, ...fields };
		await expectDescribed({ method: 'POST', path, body }, status);
	});

	test.each([
		['/rest/messages', {}, 201],
		['/rest/messages', { page: '0' }, 422],
		['/otp/request', { brand: 'Shop', from: 'Shop' }, 400],
		['/http/send', { message: 'Hello', from: 'Shop' }, 422],
	])('describes the response of %s to the query %j', async (path, query, status) => {
		await expectDescribed({ method: 'POST', path, query: { ...query } }, status);
	});

	test.each(['/rest/send', '/rest/send/bulk'])(
		'describes %s without money or JSON',
		async (path) => {
			sandbox.configure({ balance: 0 });
			const body = path === '/rest/send' ? order : { messages: [order] };
			await expectDescribed({ method: 'POST', path, body }, 402);
			await expectDescribed({ method: 'POST', path, body, token: 'x' }, 401);
			const headers = { 'Content-Type': 'text/plain' };
			await expectDescribed({ method: 'POST', path, body: 'to=1', headers }, 415);
			await expectDescribed({ method: 'POST', path, body: 'x'.repeat(1_000_001) }, 413);
		},
	);

	test('describes history, a rejected record without to and from, and a success of 200', async () => {
		sandbox.seedMessages(50);
		sandbox.configure({ deviate: ['sender-unregistered:bare'], successStatus: 200 });
		for (const fields of [{ encrypt: 1 }, { to: '09000000011' }]) {
			const body = { ...order, ...fields };
			await expectDescribed({ method: 'POST', path: '/rest/send', body }, 200);
		}
		for (const page of ['1', '3']) {
			await expectDescribed({ method: 'GET', path: '/rest/messages', query: { page } }, 200);
		}
	});

	test('describes a verified code, with a large request ID too', async () => {
		sandbox.configure({ largeRequestIds: true });
		expect(findFlaws('/otp/request', await sandbox.requestCode())).toEqual([]);
		const [{ requestId, code } = {}] = sandbox.codes();
		const verified = await sandbox.verifyCode({ requestId: String(requestId), code: code! });
		expect([verified.status, findFlaws('/otp/verify', verified)]).toEqual([201, []]);
	});

	test('describes the receipts', async () => {
		sandbox.configure({ defaultReceiptUrl: receiver.url, receiptMethod: 'json' });
		await sandbox.send();
		await sandbox.pass();
		sandbox.configure({ receiptMethod: 'query' });
		await sandbox.repeatReceipt(sandbox.messages()[0]!.messageId);
		const validate = compile('#/components/schemas/Receipt');
		const receipts = receiver.calls.map(({ body, query }) => (body ? JSON.parse(body) : query));
		expect(receipts.map((one) => validate(one))).toEqual([true, true, true]);
		const { parameters = [] } = openApi.components.pathItems.DeliveryReceipt!.post!;
		expect(Object.keys(receipts[2])).toEqual(parameters.map(({ name }) => name));
	});

	test('has its assumptions in SUPPORTED.md, beside the endpoints', () => {
		const supported = readFileSync(join(projectFolder, 'sandbox/SUPPORTED.md'), 'utf8');
		// A formatter has widened the columns of the table.
		const squeeze = (text: string) => text.replace(/ {2,}/g, ' ').replace(/-{3,}/g, '---');
		expect(squeeze(supported)).toBe(squeeze(renderSupported(openApi)));
	});
});
