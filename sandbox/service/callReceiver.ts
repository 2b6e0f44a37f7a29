import { Agent as HttpAgent, type ClientRequest, request as requestByHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestByHttps } from 'node:https';
import { BlockList, connect as connectTcp, type TcpNetConnectOpts } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { maxCallsAtOnce } from '../ReceiptQueue';

export interface ReceiverCall {
	method: 'GET' | 'POST';
	url: string;
	contentType?: string;
	body?: string;
}

/** The status of the receiver, or why there is none. */
export interface ReceiverAnswer {
	answered: number | null;
	problem?: string;
}

const timeoutMs = 10_000;
const maxAnswerBytes = 64_000;

/** Loopback, link-local and unspecified IP addresses; those of IPv4 include their mapped form. */
const blockList = new BlockList();
blockList.addSubnet('0.0.0.0', 8);
blockList.addSubnet('127.0.0.0', 8);
blockList.addSubnet('169.254.0.0', 16);
blockList.addSubnet('::', 127, 'ipv6');
blockList.addSubnet('fe80::', 10, 'ipv6');

const kept = { keepAlive: true, maxFreeSockets: maxCallsAtOnce };
const agents = { http: new HttpAgent(kept), https: new HttpsAgent(kept) };
const guarded = { http: new HttpAgent(kept), https: new HttpsAgent(kept) };
const openGuarded = (options: TcpNetConnectOpts) => connectTcp({ ...options, blockList });
guarded.http.createConnection = openGuarded;
guarded.https.createConnection = (options: TcpNetConnectOpts) =>
	connectTls({ ...options, socket: openGuarded(options) });

/** The sandbox as a caller. */
export interface Caller {
	userAgent: string;
	/** Receivers that may have a blocked IP address, with or without port; undefined: all. */
	allowedReceivers?: string[];
}

/** Calls a receiver directly, without a proxy; redirects are not followed. The status counts, whatever the body. */
export function callReceiver(
	call: ReceiverCall,
	caller: Caller,
	signal: AbortSignal,
): Promise<ReceiverAnswer> {
	return new Promise((resolve) => {
		const request = openRequest(call, caller, signal);
		const late = Object.assign(new Error(), { code: 'ETIMEDOUT' });
		const timer = setTimeout(() => request.destroy(late), timeoutMs).unref();
		let answered: number | null = null;
		const end = (problem?: string): void => {
			clearTimeout(timer);
			resolve(answered === null ? { answered, problem } : { answered });
		};
		request.once('response', (answer) => {
			answered = answer.statusCode ?? null;
			let bytes = 0;
			answer.on('data', (chunk: Buffer) => {
				bytes += chunk.length;
				if (bytes > maxAnswerBytes) request.destroy();
			});
			answer.on('error', () => end()).once('close', () => end());
		});
		request.on('error', (error: NodeJS.ErrnoException) => {
			// A receiver may close an idle connection just as it is reused.
			const isStale = request.reusedSocket && error.code === 'ECONNRESET' && answered === null;
			if (!isStale || signal.aborted) return end(describeProblem(error, new URL(call.url)));
			clearTimeout(timer);
			resolve(callReceiver(call, caller, signal));
		});
		request.end(call.body);
	});
}

function openRequest(
	call: ReceiverCall,
	{ userAgent, allowedReceivers }: Caller,
	signal: AbortSignal,
): ClientRequest {
	const { method, url, contentType, body = '' } = call;
	const headers = {
		'User-Agent': userAgent,
		...(contentType && { 'Content-Type': contentType }),
		...(method === 'POST' && { 'Content-Length': Buffer.byteLength(body) }),
	};
	const target = new URL(url);
	const isAllowed = (name: string) => allowedReceivers?.includes(name) ?? true;
	const { http, https } = isAllowed(target.host) || isAllowed(target.hostname) ? agents : guarded;
	return target.protocol === 'https:'
		? requestByHttps(target, { method, headers, signal, agent: https })
		: requestByHttp(target, { method, headers, signal, agent: http });
}

/** What happened and what to do, by the code of the error. */
const problems: Array<[RegExp, string]> = [
	[
		/^ECONNREFUSED/,
		'Nothing listens on HOST. Start the receiver, or correct the port; in a container, localhost is the container itself.',
	],
	[
		/^(ENOTFOUND|EAI_)/,
		'The host of HOST is unknown. Use a name that the machine of the sandbox can resolve.',
	],
	[
		/^ETIMEDOUT/,
		'HOST did not respond within 10 seconds. Let the receiver respond first, then process the receipt.',
	],
	[/^(EHOST|ENET)/, 'HOST cannot be reached. Check the address and the network.'],
	[
		/^(ECONNRESET|EPIPE)/,
		'HOST closed the connection without a response. Look into the log of the receiver; if it uses TLS, begin its URL with https.',
	],
	[
		/CERT|SIGNATURE|ALTNAME/,
		'The certificate of HOST is not valid: ERROR. Start the sandbox with NODE_EXTRA_CA_CERTS=FILE, the authority of the receiver.',
	],
	[
		/^(EPROTO|ERR_SSL|ERR_TLS)/,
		'HOST does not respond with TLS. Begin its URL with http, or correct the port.',
	],
	[/^HPE_/, 'HOST does not respond with HTTP. Correct the port, or begin its URL with https.'],
	[
		/^ERR_IP_BLOCKED/,
		'HOST has a loopback or link-local address, which is not called from other machines. Start the sandbox with --allow-receiver HOST to allow it.',
	],
];

function describeProblem({ code = '', message }: NodeJS.ErrnoException, { host }: URL): string {
	const [, words] = problems.find(([pattern]) => pattern.test(code)) ?? [];
	return (words ?? 'HOST cannot be called: ERROR.')
		.replaceAll('HOST', host)
		.replace('ERROR', message);
}
