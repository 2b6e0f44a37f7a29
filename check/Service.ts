import { randomBytes } from 'node:crypto';
import { type Fields, isFields, readJson, recordsOf, type Reply, sketch } from './reply';

/** What the check is given. None of it is saved. */
export interface Given {
	baseUrl: string;
	apiKey: string;
	apiSecret: string;
	number: string;
	sender: string;
	email?: string;
	/** Public URL that forwards to our receiver. */
	receiptUrl?: string;
}

interface Call {
	method: 'GET' | 'POST';
	/** Behind the Base URL: /rest/send */
	path: string;
	query?: Record<string, string>;
	body?: Fields;
	/** Key and secret; default: those of the account. */
	key?: string;
}

/** What is saved of a call: no value of its request, and of its response only the names that the specification has. */
export interface KeptCall {
	call: string;
	/** 0 without a response. */
	status: number;
	tookMs: number;
	shape: unknown;
}

/** Nothing more can be learned; the message says why. */
export class Stopped extends Error {}

const timeoutMs = 30_000;
const attempts = 4;
const longestWait = 60;

/** Calls the service, and counts what that may have cost. */
export class Service {
	readonly calls: KeptCall[] = [];
	/** Is in every text that this run sends. */
	readonly tag = `check-${randomBytes(3).toString('hex')}`;
	/** Known once a balance before and after a test message was read. */
	isTestFree = false;
	private readonly taken = { messages: 0, tests: 0, codes: 0 };

	constructor(
		readonly given: Given,
		private readonly host: {
			now: () => number;
			pause: (ms: number) => Promise<void>;
			/** Once aborted, no further request starts. */
			signal: AbortSignal;
			onCall: () => void;
		},
	) {}

	now(): number {
		return this.host.now();
	}

	/** Messages and codes that were accepted, or may have been. */
	spent(): { messages: number; codes: number } {
		const { messages, tests, codes } = this.taken;
		return { messages: messages + (this.isTestFree ? 0 : tests), codes };
	}

	/** The balance: shows whether a service of this kind is there. @throws Stopped with the cause if there is none */
	async reach(): Promise<Reply> {
		const reply = await this.get('/rest/account/get-balance');
		const { status, type } = reply;
		if (status >= 300 && status < 400) {
			throw new Stopped(`The service redirects (${status}). Correct the Base URL.`);
		}
		if (status >= 500) throw new Stopped(`The service responds ${status}. Try again later.`);
		if (isFields(reply.body) && status !== 404) return reply;
		throw new Stopped(
			`The Base URL does not lead to the service: it responded ${status} with ${type}. Correct its path, or its scheme.`,
		);
	}

	get(path: string, query?: Call['query'], key?: string): Promise<Reply> {
		return this.call({ method: 'GET', path, query, key });
	}

	post(path: string, query?: Call['query']): Promise<Reply> {
		return this.call({ method: 'POST', path, query });
	}

	json(path: string, body: Fields): Promise<Reply> {
		return this.call({ method: 'POST', path, body });
	}

	/** Waits while the service limits the rate. @throws Stopped without a response */
	private async call(call: Call): Promise<Reply> {
		for (let attempt = 1; ; attempt += 1) {
			this.host.signal.throwIfAborted();
			const reply = await this.fetch(call);
			this.keep(call, reply);
			if (reply.problem !== undefined) throw new Stopped(reply.problem);
			if (reply.status !== 429) return reply;
			if (attempt === attempts) {
				throw new Stopped('The service limits the rate (429). Run the rest later, with --only.');
			}
			await this.host.pause(Math.min(reply.retryAfter ?? 10, longestWait) * 1000);
		}
	}

	private keep(call: Call, reply: Reply): void {
		const { status, tookMs } = reply;
		const { path, body } = call;
		this.calls.push({ call: `${call.method} ${path}`, status, tookMs, shape: sketch(reply.body) });
		const kind = path === '/otp/request' ? 'codes' : body?.test ? 'tests' : 'messages';
		if (kind === 'codes' || path.includes('/send')) this.taken[kind] += countTaken(call, reply);
		this.host.onCall();
	}

	/** Times out after 30 seconds; follows no redirect. */
	private async fetch(call: Call): Promise<Reply> {
		const [at, start] = [this.now(), performance.now()];
		const took = () => Math.round(performance.now() - start);
		try {
			const response = await fetch(...this.write(call));
			const { status, headers } = response;
			const text = await response.text();
			const [type = 'no content'] = headers.get('content-type')?.split(';') ?? [];
			const retryAfter = Number(headers.get('retry-after') ?? NaN) || undefined;
			const date = headers.get('date') ?? undefined;
			return { status, at, tookMs: took(), date, type, retryAfter, body: readJson(text) };
		} catch (error) {
			const problem = explain(error as Error, new URL(this.given.baseUrl));
			return { status: 0, at, tookMs: took(), type: '', body: undefined, problem };
		}
	}

	private write(call: Call): [string, RequestInit] {
		const { baseUrl, apiKey, apiSecret } = this.given;
		const { method, path, query, body, key = `${apiKey}:${apiSecret}` } = call;
		const token = Buffer.from(key, 'utf8').toString('base64');
		const isRest = path.startsWith('/rest');
		const parameters = new URLSearchParams({ ...(!isRest && { accessToken: token }), ...query });
		const search = parameters.size > 0 ? `?${parameters.toString()}` : '';
		const headers = {
			...(isRest && { Authorization: `Bearer ${token}` }),
			...(body !== undefined && { 'Content-Type': 'application/json' }),
		};
		const signal = AbortSignal.timeout(timeoutMs);
		const sent = body === undefined ? undefined : JSON.stringify(body);
		const url = `${baseUrl.replace(/\/+$/, '')}${path}${search}`;
		return [url, { method, headers, body: sent, redirect: 'manual', signal }];
	}
}

/** Recipients that were accepted, or may have been: a success that nobody recognizes counts. */
function countTaken({ query, body }: Call, reply: Reply): number {
	const { status } = reply;
	if (status >= 300 && status < 500 && status !== 408) return 0;
	const items = (body?.messages ?? [body ?? query]) as Array<Fields | undefined>;
	const asked = items.flatMap((one) => one?.to ?? []).length;
	const records = recordsOf(reply) ?? [];
	const rejected = records.filter((record) => record.status === false).length;
	return asked === 0 ? 0 : Math.max(asked, records.length) - rejected;
}

/** Why there is no response, by the code or the words of the error. */
const causes: Array<[RegExp, string]> = [
	[
		/ENOTFOUND|EAI_/,
		'The host HOST is unknown. Correct the Base URL, or the DNS of this computer.',
	],
	[/ECONNREFUSED/, 'Nothing listens on HOST. Correct the host or port of the Base URL.'],
	[
		/CERT|SIGNATURE|ALTNAME|ISSUER/,
		'The certificate of HOST is not trusted (CODE). If it has its own authority, set NODE_EXTRA_CA_CERTS to the file of that authority (PEM).',
	],
	[
		/SSL|TLS|EPROTO/,
		'HOST does not respond with TLS. Begin the Base URL with http, or correct its port.',
	],
	[
		/HPE_|ECONNRESET|EPIPE|UND_ERR_SOCKET/,
		'HOST closed the connection without a response. Begin the Base URL with https if it uses TLS, or correct its port.',
	],
	[
		/Timeout|TIMEDOUT|UND_ERR_.*TIMEOUT/,
		'HOST did not respond in time. Check the Base URL, the network and firewalls.',
	],
	[/EHOST|ENET/, 'HOST cannot be reached. Check the network.'],
];

/** What to do about a request without a response. @param error thrown by fetch */
function explain({ name, message, cause }: Error, { host }: URL): string {
	const { code = name, message: why = message } = (cause ?? {}) as NodeJS.ErrnoException;
	const [, words = 'HOST cannot be called: CODE.'] =
		causes.find(([pattern]) => pattern.test(`${code} ${why}`)) ?? [];
	return words.replaceAll('HOST', host).replace('CODE', code);
}
