import { Agent as HttpAgent, type ClientRequest, request as requestByHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestByHttps } from 'node:https';
import { maxCallsAtOnce } from '../ReceiptQueue';

export interface ReceiverCall {
	method: 'GET' | 'POST';
	url: string;
	contentType?: string;
	body?: string;
}

const timeoutMs = 10_000;
const kept = { keepAlive: true, maxFreeSockets: maxCallsAtOnce };
const agents = { http: new HttpAgent(kept), https: new HttpsAgent(kept) };

/**
 * Calls a receiver directly, without a proxy; redirects are not followed.
 *
 * @returns its HTTP status; null after 10 seconds, an error, or an incomplete response
 */
export function callReceiver(
	call: ReceiverCall,
	userAgent: string,
	signal: AbortSignal,
): Promise<number | null> {
	return new Promise((resolve) => {
		const request = openRequest(call, userAgent, signal);
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
			// A receiver may close an idle connection just as it is reused.
			const isStale = request.reusedSocket && error.code === 'ECONNRESET';
			if (!isStale || signal.aborted) return end(null);
			clearTimeout(timer);
			resolve(callReceiver(call, userAgent, signal));
		});
		request.end(call.body);
	});
}

function openRequest(call: ReceiverCall, userAgent: string, signal: AbortSignal): ClientRequest {
	const { method, url, contentType, body = '' } = call;
	const headers = {
		'User-Agent': userAgent,
		...(contentType && { 'Content-Type': contentType }),
		...(method === 'POST' && { 'Content-Length': Buffer.byteLength(body) }),
	};
	const target = new URL(url);
	return target.protocol === 'https:'
		? requestByHttps(target, { method, headers, signal, agent: agents.https })
		: requestByHttp(target, { method, headers, signal, agent: agents.http });
}
