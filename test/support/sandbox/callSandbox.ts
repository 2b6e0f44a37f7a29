import { Agent } from 'node:http';
import { httpClient, type AxiosResponse } from '../../../scripts/http';
import type { Sandbox } from '../../../sandbox';

export interface Call {
	method: string;
	/** Behind the base address: /rest/send */
	path: string;
	query?: Record<string, string>;
	body?: unknown;
	headers?: Record<string, string>;
	/** Another one than the sandbox's own. */
	token?: string;
	timeout?: number;
}

const agent = new Agent({ keepAlive: false });

/** One real HTTP request with the credential where the surface wants it; any status is an answer. */
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

export function send(
	sandbox: Sandbox,
	fields: Record<string, unknown> = {},
): Promise<AxiosResponse> {
	const body = { to: '09779123456', message: 'Hello', from: 'Shop', ...fields };
	return callSandbox(sandbox, { method: 'POST', path: '/rest/send', body });
}

export function sendBulk(sandbox: Sandbox, messages: object[]): Promise<AxiosResponse> {
	return callSandbox(sandbox, { method: 'POST', path: '/rest/send/bulk', body: { messages } });
}

export function requestCode(
	sandbox: Sandbox,
	fields: Record<string, string> = {},
): Promise<AxiosResponse> {
	const query = { to: '09779123456', brand: 'Shop', from: 'Shop', ...fields };
	return callSandbox(sandbox, { method: 'POST', path: '/otp/request', query });
}

export function list(sandbox: Sandbox, query: Record<string, string> = {}): Promise<AxiosResponse> {
	return callSandbox(sandbox, { method: 'GET', path: '/rest/messages', query });
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
