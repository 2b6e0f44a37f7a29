import { Agent as HttpAgent, type ClientRequest, request as requestByHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestByHttps } from 'node:https';
import { maxCallsAtOnce } from '../ReceiptQueue';

export interface ReceiverCall {
	method: 'GET' | 'POST';
	url: string;
	contentType?: string;
	body?: string;
	userAgent: string;
}

const timeoutMs = 10_000;
const kept = { keepAlive: true, maxFreeSockets: maxCallsAtOnce };
const httpAgent = new HttpAgent(kept);
const httpsAgent = new HttpsAgent(kept);

/**
 * Calls a receiver directly, whatever proxy the machine has, and never somewhere else: redirects are not
 * followed.
 *
 * @returns its status; null when it does not answer in time
 */
export function callReceiver(call: ReceiverCall, signal: AbortSignal): Promise<number | null> {
	return new Promise((resolve) => {
		const request = openRequest(call, signal);
		const timer = setTimeout(() => request.destroy(new Error('timeout')), timeoutMs).unref();
		const end = (status: number | null): void => {
			clearTimeout(timer);
			resolve(status);
		};
		request.once('response', (answer) => {
			answer.once('close', () => end(answer.complete ? (answer.statusCode ?? null) : null));
			answer.resume();
		});
		request.once('error', (error: NodeJS.ErrnoException) => {
			// A receiver may close a kept connection in the very moment in which it is used again.
			const isStale = request.reusedSocket && error.code === 'ECONNRESET';
			if (!isStale || signal.aborted) return end(null);
			clearTimeout(timer);
			resolve(callReceiver(call, signal));
		});
		request.end(call.body);
	});
}

function openRequest(call: ReceiverCall, signal: AbortSignal): ClientRequest {
	const { method, url, contentType, body = '', userAgent } = call;
	const isSecure = url.startsWith('https:');
	const headers = {
		'User-Agent': userAgent,
		...(contentType && { 'Content-Type': contentType }),
		...(method === 'POST' && { 'Content-Length': Buffer.byteLength(body) }),
	};
	return isSecure
		? requestByHttps(url, { method, headers, signal, agent: httpsAgent })
		: requestByHttp(url, { method, headers, signal, agent: httpAgent });
}
