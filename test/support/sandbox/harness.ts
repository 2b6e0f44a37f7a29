import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request as requestByHttp } from 'node:http';
import { request as requestByHttps, type RequestOptions } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { httpClient, type AxiosResponse } from '../../../scripts/http';
import { type Sandbox, startSandbox, type StartOptions } from '../../../sandbox';
import { useSandbox as useUsual } from '../workflow/useSandbox';
import { type Receiver, startReceiver } from './startReceiver';

export { setTimeout as sleep } from 'node:timers/promises';

// Programs, browsers and thousands of requests take long on a machine that does other work.
jest.setTimeout(60_000);

export const projectFolder = join(__dirname, '..', '..', '..');
export const onPosix = process.platform === 'win32' ? test.skip : test;

/** A sandbox for all tests of a file, emptied before each. Messages move when told. */
export const useSandbox = (options: StartOptions = {}): Sandbox =>
	useUsual({ methods: 'any', ...options });

/** Starts sandboxes that are closed after each test. */
export function useStarts(defaults: StartOptions = {}) {
	const open: Sandbox[] = [];
	afterEach(() => Promise.all(open.splice(0).map((sandbox) => sandbox.close())));
	return async (options: StartOptions = {}): Promise<Sandbox> => {
		const sandbox = await startSandbox({ pace: 0, ...defaults, ...options });
		open.push(sandbox);
		return sandbox;
	};
}

/** A folder for each test. @returns the path of a name in it */
export function useFolder() {
	let folder = '';
	beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'sandbox-'))));
	afterEach(() => rmSync(folder, { recursive: true }));
	return (...names: string[]) => join(folder, ...names);
}

/** A receiver of delivery receipts for all tests of a file, emptied before each. */
export function useReceiver(): Receiver {
	const receiver = {} as Receiver;
	beforeAll(async () => void Object.assign(receiver, await startReceiver()));
	beforeEach(() => {
		receiver.calls.length = 0;
		receiver.statuses.length = 0;
	});
	afterAll(() => receiver.close());
	return receiver;
}

export interface Call {
	method: string;
	/** Behind the Base URL: /rest/send */
	path: string;
	query?: Record<string, string>;
	body?: unknown;
	headers?: Record<string, string>;
	/** Default: the sandbox's own. */
	token?: string;
	timeout?: number;
}

const agent = new Agent({ keepAlive: false });

/** One real HTTP request with the credential where the surface wants it; no status throws. */
export function callSandbox(sandbox: Sandbox, call: Call): Promise<AxiosResponse> {
	const { method, path, query = {}, body, token = sandbox.token } = call;
	const isRest = path.startsWith('/rest');
	const parameters = new URLSearchParams(isRest ? query : { accessToken: token, ...query });
	return httpClient.request({
		method,
		url: `${sandbox.baseUrl}${path}?${parameters.toString()}`,
		headers: {
			...(isRest && { Authorization: `Bearer ${token}` }),
			...(isRest && method === 'POST' && { 'Content-Type': 'application/json' }),
			...call.headers,
		},
		data: body,
		validateStatus: () => true,
		maxRedirects: 0,
		timeout: call.timeout,
		httpAgent: agent,
	});
}

type Fields = Record<string, unknown>;
type Query = Record<string, string>;

const order = { to: '09779123456', message: 'Hello', from: 'Shop' };

export const post = (sandbox: Sandbox, path: string, body: unknown, headers = {}) =>
	callSandbox(sandbox, { method: 'POST', path, body, headers });

export const send = (sandbox: Sandbox, fields: Fields = {}) =>
	post(sandbox, '/rest/send', { ...order, ...fields });

export const sendBulk = (sandbox: Sandbox, messages: unknown) =>
	post(sandbox, '/rest/send/bulk', { messages });

export const sendByQuery = (sandbox: Sandbox, query: Query = {}) =>
	callSandbox(sandbox, { method: 'POST', path: '/http/send', query: { ...order, ...query } });

export function requestCode(sandbox: Sandbox, fields: Query = {}): Promise<AxiosResponse> {
	const query = { to: '09779123456', brand: 'Shop', from: 'Shop', ...fields };
	return callSandbox(sandbox, { method: 'POST', path: '/otp/request', query });
}

export const verifyCode = (sandbox: Sandbox, query: Query) =>
	callSandbox(sandbox, { method: 'POST', path: '/otp/verify', query });

export const list = (sandbox: Sandbox, query: Query = {}) =>
	callSandbox(sandbox, { method: 'GET', path: '/rest/messages', query });

export const readBalance = (sandbox: Sandbox) =>
	callSandbox(sandbox, { method: 'GET', path: '/rest/account/get-balance' });

/** The status, or the code of the error where there is no response. */
export const readCode = (sending: Promise<AxiosResponse>): Promise<string> =>
	sending.then(
		({ status }) => String(status),
		(error: { code: string }) => error.code,
	);

/** So many phone numbers. */
export const numbers = (count: number): string[] =>
	Array.from({ length: count }, (_, index) => `0977${1_000_000 + index}`);

/** Moves the clock, and waits for what becomes due. */
export async function pass(sandbox: Sandbox, ms = 60_000): Promise<void> {
	sandbox.advance(ms);
	await sandbox.settle();
}

/** The sandbox's own JSON paths, as another process uses them. */
export function control(
	sandbox: Sandbox,
	method: string,
	path: string,
	body?: unknown,
): Promise<AxiosResponse> {
	return httpClient.request({
		method,
		url: `${sandbox.url}/_sandbox/api${path}`,
		headers: { 'Content-Type': 'application/json' },
		data: method === 'GET' ? undefined : (body ?? {}),
		validateStatus: () => true,
		httpAgent: agent,
	});
}

/** The HTML of a page of the inbox. */
export async function readPage({ url }: Sandbox, path = ''): Promise<string> {
	return (await httpClient.get<string>(`${url}/_sandbox${path}`)).data;
}

/** A request with any header, the Host included, and nothing that a client library adds. @returns status and body */
export function callRaw(url: string, options: RequestOptions & { body?: string } = {}) {
	const { body, ...others } = options;
	const request = url.startsWith('https') ? requestByHttps : requestByHttp;
	return new Promise<{ status?: number; text: string }>((resolve, reject) => {
		const call = request(url, others, (answer) => {
			answer.toArray().then((chunks) => {
				resolve({ status: answer.statusCode, text: Buffer.concat(chunks).toString() });
			}, reject);
		});
		call.once('error', reject).end(body);
	});
}
