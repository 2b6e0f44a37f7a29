import { randomBytes } from 'node:crypto';
import { buildToken } from '../settings';

/** What the check is given. Only masked forms of it are kept. */
export interface Given {
	baseUrl: string;
	apiKey: string;
	apiSecret: string;
	number: string;
	sender: string;
	email?: string;
	/** Public address that forwards to our receiver. */
	receiptUrl?: string;
}

export interface Call {
	method: 'GET' | 'POST';
	/** Behind the Base URL: /rest/send */
	path: string;
	query?: Record<string, string>;
	body?: unknown;
	/** Default: Bearer with the token. */
	authorization?: string;
	/** Default: that of the account. */
	token?: string;
	contentType?: string;
}

/** A call and its response, without anything secret: what the verdicts are read from. */
export interface Exchange {
	/** What it was for; verdicts find it by this name. */
	name: string;
	/** Milliseconds since 1970, and until the response was complete. */
	at: number;
	tookMs: number;
	request: Pick<Call, 'method' | 'path' | 'query' | 'body'>;
	/** 0 without a response. */
	status: number;
	date?: string;
	allow?: string;
	body: unknown;
}

const timeoutMs = 30_000;

/** Makes the calls, and keeps a masked record of each. */
export class Account {
	readonly exchanges: Exchange[] = [];
	/** Is in every text that this run sends. */
	readonly tag = `check-${randomBytes(3).toString('hex')}`;
	readonly token: string;
	private readonly masks: Array<[text: string, mask: string]>;
	/** Once aborted, no further request starts. */
	signal?: AbortSignal;
	private firstBalance?: number;

	constructor(
		readonly given: Given,
		readonly now: () => number = Date.now,
	) {
		this.token = buildToken(given);
		const [, subscriber = ''] = /^(?:\+?959|09|\+)?(.*)$/.exec(given.number) ?? [];
		const { hostname, host } = new URL(given.baseUrl);
		this.masks = [
			[this.token, 'TOKEN'],
			[encodeURIComponent(this.token), 'TOKEN'],
			[given.apiSecret, 'SECRET'],
			[given.apiKey, 'KEY'],
			[subscriber, 'NUMBER'],
			[given.email ?? '', 'EMAIL'],
			[given.receiptUrl ?? '', 'https://RECEIVER'],
			[given.receiptUrl === undefined ? '' : new URL(given.receiptUrl).host, 'RECEIVER'],
			[host, 'SERVICE'],
			[hostname, 'SERVICE'],
		];
	}

	/** From now on, this text is masked: a code that was typed in. */
	hide(text: string, mask: string): void {
		this.masks.unshift([text, mask]);
	}

	/** Times out after 30 seconds; follows no redirect. @returns the body as received: to go on with */
	async call(name: string, call: Call): Promise<unknown> {
		this.signal?.throwIfAborted();
		const at = this.now();
		const start = performance.now();
		let answer: { status: number; headers?: Headers; text: string };
		try {
			const response = await this.fetch(call);
			const { status, headers } = response;
			answer = { status, headers, text: await response.text() };
		} catch (error) {
			const { message, cause } = error as Error;
			answer = { status: 0, text: cause instanceof Error ? cause.message : message };
		}
		const tookMs = Math.round(performance.now() - start);
		const body = readJson(answer.text);
		const { method, path, query, body: sent } = call;
		const date = answer.headers?.get('date') ?? undefined;
		const allow = answer.headers?.get('allow') ?? undefined;
		const request = this.mask({ method, path, query, body: sent }) as Exchange['request'];
		const masked = this.mask(this.strip(body));
		this.exchanges.push({
			...{ name, at, tookMs, request, status: answer.status, date, allow, body: masked },
		});
		return body;
	}

	/** A receipt that reached our receiver. */
	keepReceipt(method: string, query: Record<string, string>, body: unknown, signed: boolean): void {
		const request = { method, path: '/', query, body: { signed, fields: body } } as const;
		this.exchanges.push({
			...{ name: 'receipt', at: this.now(), tookMs: 0, status: 0, body: null },
			request: this.mask(request) as Exchange['request'],
		});
	}

	private fetch(call: Call): Promise<Response> {
		const { method, path, query = {}, body, token = this.token } = call;
		const isRest = path.startsWith('/rest');
		const parameters = new URLSearchParams({ ...(!isRest && { accessToken: token }), ...query });
		const base = this.given.baseUrl.replace(/\/+$/, '');
		const search = parameters.size > 0 ? `?${parameters.toString()}` : '';
		const type = call.contentType ?? (body === undefined ? undefined : 'application/json');
		return fetch(`${base}${path}${search}`, {
			method,
			headers: {
				...(isRest && { Authorization: call.authorization ?? `Bearer ${token}` }),
				...(type && { 'Content-Type': type }),
			},
			body: body === undefined ? undefined : JSON.stringify(body),
			redirect: 'manual',
			signal: AbortSignal.timeout(timeoutMs),
		});
	}

	/** Without records of other people, keys of encryption, and the balance itself. */
	private strip(body: unknown): unknown {
		if (typeof body !== 'object' || body === null) return body;
		const found: Record<string, unknown> = { ...body };
		if (typeof found.balance === 'number') {
			this.firstBalance ??= found.balance;
			// What counts is by how much it changed.
			found.balance = Math.round((found.balance - this.firstBalance) * 1e6) / 1e6;
		}
		if (Array.isArray(found.messages)) found.messages = found.messages.map((one) => this.own(one));
		return found;
	}

	private own(record: unknown): unknown {
		if (typeof record !== 'object' || record === null) return record;
		const { message, clientReference, createdAt, encryptKey } = record as Record<string, unknown>;
		const isEncrypted = encryptKey !== undefined;
		const isRefused = (record as { status?: unknown }).status === false;
		const isOwn = `${String(message)} ${String(clientReference)}`.includes(this.tag);
		if (!isOwn && !isEncrypted && !isRefused) return { createdAt };
		return isEncrypted ? { ...record, encryptKey: 'ENCRYPTKEY' } : record;
	}

	private mask(value: unknown): unknown {
		if (typeof value === 'string') return this.maskText(value);
		if (Array.isArray(value)) return value.map((one) => this.mask(one));
		if (typeof value !== 'object' || value === null) return value;
		const entries = Object.entries(value).map(([name, one]) => [name, this.mask(one)]);
		return Object.fromEntries(entries);
	}

	private maskText(text: string): string {
		const masked = this.masks
			.filter(([secret]) => secret !== '')
			.reduce((left, [secret, mask]) => left.replaceAll(secret, mask), text);
		return masked.replace(/(?<![\w-])(?:\+?959|09)\d{6,}/g, 'OTHERNUMBER').slice(0, 2_000);
	}
}

function readJson(text: string): unknown {
	try {
		// An ID too large for a JavaScript number keeps its digits.
		const exact = text.replace(/("request_?[iI]d"\s*:\s*)(\d{16,})/g, '$1"$2"');
		return JSON.parse(exact);
	} catch {
		return text;
	}
}
