import { Agent } from 'node:http';
import { join } from 'node:path';
import { httpClient, type AxiosResponse } from '../../../scripts/http';
import { type Sandbox, startSandbox, type StartOptions } from '../../../sandbox';
import { useSandbox as useUsual } from '../workflow/useSandbox';
import { type Receiver, startReceiver } from './startReceiver';

export { setTimeout as sleep } from 'node:timers/promises';
export { useFolder } from '../useFolder';
export { callRaw } from './callRaw';

// Programs, browsers and thousands of requests take long on a machine that does other work.
jest.setTimeout(60_000);

export const projectFolder = join(__dirname, '..', '..', '..');
export const onPosix = process.platform === 'win32' ? test.skip : test;

/** A sandbox for all tests of a file, emptied before each. Messages move when told. */
export function useSandbox(options: StartOptions = {}): TestedSandbox {
	return withCalls(useUsual({ methods: 'any', ...options }));
}

/** Starts sandboxes that are closed after each test. */
export function useStarts(defaults: StartOptions = {}) {
	const open: Sandbox[] = [];
	afterEach(() => Promise.all(open.splice(0).map((sandbox) => sandbox.close())));
	return async (options: StartOptions = {}): Promise<TestedSandbox> => {
		const sandbox = await startSandbox({ pace: 0, ...defaults, ...options });
		open.push(sandbox);
		return withCalls(sandbox);
	};
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
const validateStatus = () => true;
const order = { to: '09779123456', message: 'Hello', from: 'Shop' };

type Fields = Record<string, unknown>;
type Query = Record<string, string>;

/** A sandbox, and what tests do with it. */
export type TestedSandbox = Sandbox & ReturnType<typeof createCalls>;

/** @param sandbox can be filled later */
function withCalls<S extends Sandbox>(sandbox: S): S & TestedSandbox {
	return Object.assign(sandbox, createCalls(sandbox));
}

function createCalls(sandbox: Sandbox) {
	/** One real HTTP request with the credential where the surface wants it; no status throws. */
	const call = ({ method, path, query = {}, body, timeout, ...given }: Call) => {
		const { token = sandbox.token } = given;
		const isRest = path.startsWith('/rest');
		const parameters = new URLSearchParams(isRest ? query : { accessToken: token, ...query });
		const headers = {
			...(isRest && { Authorization: `Bearer ${token}` }),
			...(isRest && method === 'POST' && { 'Content-Type': 'application/json' }),
			...given.headers,
		};
		const url = `${sandbox.baseUrl}${path}?${parameters.toString()}`;
		const others = { validateStatus, maxRedirects: 0, timeout, httpAgent: agent };
		return httpClient.request({ method, url, headers, data: body, ...others });
	};
	const post = (path: string, body: unknown, headers = {}) =>
		call({ method: 'POST', path, body, headers });
	const get = (path: string, query: Query) => call({ method: 'GET', path, query });
	const postQuery = (path: string, query: Query) => call({ method: 'POST', path, query });
	return {
		call,
		post,
		send: (fields: Fields = {}) => post('/rest/send', { ...order, ...fields }),
		sendBulk: (messages: unknown) => post('/rest/send/bulk', { messages }),
		sendByQuery: (query: Query = {}) => postQuery('/http/send', { ...order, ...query }),
		requestCode: (query: Query = {}) =>
			postQuery('/otp/request', { to: order.to, brand: 'Shop', from: 'Shop', ...query }),
		verifyCode: (query: Query) => postQuery('/otp/verify', query),
		/** Message history. */
		list: (query: Query = {}) => get('/rest/messages', query),
		readBalance: () => get('/rest/account/get-balance', {}),
		/** Moves the clock, and waits for what becomes due. */
		pass: async (ms = 60_000): Promise<void> => {
			sandbox.advance(ms);
			await sandbox.settle();
		},
		/** The sandbox's own JSON paths, as another process uses them. */
		control: (method: string, path: string, body?: unknown) => {
			const url = `${sandbox.url}/_sandbox/api${path}`;
			const headers = { 'Content-Type': 'application/json' };
			const data = method === 'GET' ? undefined : (body ?? {});
			return httpClient.request({ method, url, headers, data, validateStatus, httpAgent: agent });
		},
		/** The HTML of a page of the inbox. */
		readPage: async (path = '') =>
			(await httpClient.get<string>(`${sandbox.url}/_sandbox${path}`)).data,
	};
}

/** The status, or the code of the error where there is no response. */
export const readCode = (sending: Promise<AxiosResponse>): Promise<string> =>
	sending.then(
		({ status }) => String(status),
		(error: { code: string }) => error.code,
	);

/** So many phone numbers. */
export const numbers = (count: number): string[] =>
	Array.from({ length: count }, (_, index) => `0977${1_000_000 + index}`);
