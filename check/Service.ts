import { randomBytes } from 'node:crypto';
import { explain } from './explain';
import { type Fields, isFields, readJson, recordsOf, type Reply, sketch } from './reply';

/** How a service wants the flags of a message: on as 1 and off not at all, or always, as numbers or booleans. */
export const flagForms = ['whenOn', 'numbers', 'booleans'] as const;
export type FlagForm = (typeof flagForms)[number];
const flagNames = ['test', 'unicode', 'encrypt'] as const;
export type Flag = (typeof flagNames)[number];

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

const isRead = /messages$|get-balance$/;
const timeoutMs = 30_000;
const attempts = 4;
const longestWait = 60;

/** Calls the service, and counts what that may have cost. */
export class Service {
	readonly calls: KeptCall[] = [];
	scheme: 'Bearer' | 'Basic' = 'Bearer';
	flags: FlagForm = 'whenOn';
	/** The responses to methods that the service does not take, by path. The nodes then use the other one, too. */
	readonly refused = new Map<string, Reply>();
	private readonly methods = new Map<string, Call['method']>();
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

	/** The balance: shows whether a service of this kind is there, and knows the key. @throws Stopped with the cause if not */
	async reach(): Promise<Reply> {
		const reply = await this.get('/rest/account/get-balance');
		const { status, type } = reply;
		if (status >= 300 && status < 400) {
			throw new Stopped(`The service redirects (${status}). Correct the Base URL.`);
		}
		if (status >= 500) throw new Stopped(`The service responds ${status}. Try again later.`);
		if (status === 401) await this.requireKey();
		if (isFields(reply.body) && status !== 404) return reply;
		throw new Stopped(
			`The Base URL does not lead to the service: it responded ${status} with ${type}. Correct its path, or its scheme.`,
		);
	}

	/** A key that REST does not accept as Bearer, it may accept as Basic. @throws Stopped if it accepts neither */
	private async requireKey(): Promise<void> {
		this.scheme = 'Basic';
		const { status } = await this.get('/rest/account/get-balance');
		if (status !== 401) return;
		throw new Stopped(
			'The service rejects the key and secret (401), so nothing else was tried. Correct them, or ask your provider whether the account is active.',
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

	/** @param on flags that are on */
	send(fields: Fields, on: Flag[] = []): Promise<Reply> {
		return this.json('/rest/send', { ...fields, ...this.writeFlags(on) });
	}

	sendBulk(messages: Fields[]): Promise<Reply> {
		const items = messages.map((one) => ({ ...one, ...this.writeFlags([]) }));
		return this.json('/rest/send/bulk', { messages: items });
	}

	sendByQuery(fields: Record<string, string>): Promise<Reply> {
		const flags = Object.entries(this.writeFlags([])).map(([name, value]) => [name, String(value)]);
		return this.post('/http/send', { ...fields, ...Object.fromEntries(flags) });
	}

	private writeFlags(on: Flag[]): Fields {
		if (this.flags === 'whenOn') return Object.fromEntries(on.map((name) => [name, 1]));
		const write = (isOn: boolean) => (this.flags === 'numbers' ? Number(isOn) : isOn);
		return Object.fromEntries(flagNames.map((name) => [name, write(on.includes(name))]));
	}

	/** By the other method, too, where the nodes would do so. */
	private async call(call: Call): Promise<Reply> {
		const method = this.methods.get(call.path) ?? call.method;
		const reply = await this.callBy({ ...call, method });
		const isRefused = reply.status === 405 || (reply.status === 404 && isRead.test(call.path));
		if (!isRefused || call.body !== undefined) return reply;
		const other = method === 'GET' ? 'POST' : 'GET';
		const second = await this.callBy({ ...call, method: other });
		if ([404, 405].includes(second.status)) return reply;
		this.methods.set(call.path, other);
		this.refused.set(call.path, reply);
		return second;
	}

	/** Waits while the service limits the rate. @throws Stopped without a response */
	private async callBy(call: Call): Promise<Reply> {
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
		const name = `${call.method} ${call.path}`;
		const took = () => Math.round(performance.now() - start);
		try {
			const response = await fetch(...this.write(call));
			const { status, headers } = response;
			const text = await response.text();
			const [type = 'no content'] = headers.get('content-type')?.split(';') ?? [];
			const retryAfter = Number(headers.get('retry-after') ?? NaN) || undefined;
			const date = headers.get('date') ?? undefined;
			return {
				call: name,
				status,
				at,
				tookMs: took(),
				date,
				type,
				retryAfter,
				body: readJson(text),
			};
		} catch (error) {
			const problem = explain(error as Error, new URL(this.given.baseUrl));
			return { call: name, status: 0, at, tookMs: took(), type: '', body: undefined, problem };
		}
	}

	private write(call: Call): [string, RequestInit] {
		const { baseUrl, apiKey, apiSecret } = this.given;
		const { method, path, query, body, key = `${apiKey}:${apiSecret}` } = call;
		const token = Buffer.from(key, 'utf8').toString('base64');
		const isRest = path.startsWith('/rest');
		const json = body ?? (isRest && method === 'POST' ? {} : undefined);
		const sent = json && JSON.stringify(json);
		const parameters = new URLSearchParams({ ...(!isRest && { accessToken: token }), ...query });
		const search = parameters.size > 0 ? `?${parameters.toString()}` : '';
		const headers = {
			...(isRest && { Authorization: `${this.scheme} ${token}` }),
			...(sent !== undefined && { 'Content-Type': 'application/json' }),
		};
		const signal = AbortSignal.timeout(timeoutMs);
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
