import type { Clock } from './clock';
import type { Call, Listed, Reply, Request, Stored } from './book';
import {
	plainRead,
	plainSend,
	partlyAccepted,
	planOf,
	type Failure,
	type ReadPlan,
	type Response,
	type SendPlan,
	type Traits,
	type World,
} from './world';

type Message = Pick<
	Stored,
	'to' | 'text' | 'from' | 'ref' | 'scheduledAt' | 'isTest' | 'isEncrypted'
>;

/** A message of somebody else. */
interface Other {
	id: string;
	at: number;
}

/** A text that this service rejects. */
export const forbidden = 'Forbidden';

const names: Record<number, string> = { 400: 'Bad Request', 401: 'Unauthorized' };
const day = 86_400_000;
/** IDs of messages of the day before begin so. */
export const ofYesterday = 'y-';
export const usualSender = 'MyShop';
export const tokenOf = (apiKey: string) =>
	Buffer.from(`${apiKey}:secret-of-the-account`).toString('base64');

/** The digits by which the service knows a phone number ("to: responses show it in the 959... form"). */
export function toDigits(number: unknown): string {
	const digits = String(number).replace(/\D/g, '');
	return digits.replace(/^09/, '959').replace(/^440/, '44');
}

/** When a scheduled message goes out; of `2030-01-16 09:35:00` in Yangon, in milliseconds since 1970. */
function toMoment(scheduledAt: string | null): number {
	return scheduledAt === null ? 0 : Date.parse(`${scheduledAt.replace(' ', 'T')}+06:30`);
}

/** The service as its specification describes it, and as services of its kind were seen to be. */
export class Service {
	readonly records: Stored[] = [];
	private readonly earlier: Listed[];
	private sends = 0;
	private reads = 0;
	private ids = 0;
	private readonly others: Record<string, object> = {};
	/** Messages of others that come meanwhile, newest first. */
	private readonly newer: Other[];

	constructor(
		private readonly world: World,
		private readonly clock: Clock,
	) {
		const { newer } = world.service;
		this.earlier = world.yesterday ? listYesterday(world) : [];
		this.newer = Array.from({ length: newer }, (_, n) => ({
			id: `n-${n}`,
			at: world.beginsAt + n * (30_000 / newer),
		})).reverse();
	}

	/** @returns the numbers of the messages in a send request */
	static numbersOf(path: string, query: Record<string, unknown>, body: unknown): string[] {
		return path.includes('/send') ? readMessages(path, query, body).map(({ to }) => to) : [];
	}

	async reply(call: Call): Promise<Reply> {
		if (call.path.includes('/send')) return await this.send(call);
		return await this.list(call);
	}

	private async send({ path, query, body, account, request }: Call): Promise<Reply> {
		const plan = this.failing('sends') ?? planOf(this.world.sends, this.sends++, plainSend);
		const messages = readMessages(path, query, body);
		const isRejected = (one: Message) =>
			plan.response === 'records' && one.text.startsWith(forbidden);
		const isAllRejected = this.world.service.rejects === 'byStatus' && messages.some(isRejected);
		request.plan = plan;
		if (plan.response === 'refused') return { code: 'ECONNREFUSED' };
		await this.clock.sleep(plan.latencyMs / 2);
		const stored = messages.map((message, n) => {
			const isWanted = plan.accepts === 'all' || (plan.accepts === 'some' && n % 2 === 0);
			const canBe = canAccept(plan.response, messages.length) && !isAllRejected;
			if (!isWanted || !canBe || isRejected(message)) return undefined;
			return this.accept(message, plan, account, request);
		});
		await this.clock.sleep(plan.latencyMs / 2);
		if (isAllRejected) return this.refuse(400, this.world.service.words);
		if (plan.response !== 'records' && plan.response !== 'cutBody') {
			if (!['withoutIds', 'part', 'shuffled'].includes(String(plan.response)))
				return this.fail(plan.response as Failure, plan);
		}
		const records = messages.map((message, n) => {
			const one = stored[n];
			if (one) return this.write(one, false);
			return this.writeRefusal(message, request);
		});
		return this.json(201, { messages: this.shape(records, plan) }, plan.response === 'cutBody');
	}

	/** The plan of all requests of a kind during an outage. */
	private failing(kind: 'sends' | 'reads'): SendPlan | undefined {
		const nowMs = this.clock.now - this.world.beginsAt;
		const { response } =
			this.world.outages.find(
				({ fromMs, forMs, of }) =>
					(of === kind || of === 'all') && fromMs <= nowMs && nowMs < fromMs + forMs,
			) ?? {};
		if (response === undefined) return undefined;
		return { ...plainSend, latencyMs: 100, accepts: 'none', response };
	}

	/** The message exists once it is accepted; history lists it later. */
	private accept(message: Message, plan: SendPlan, account: string, request: Request): Stored {
		const { acceptsAfterMs, listsAfterMs, isListedInParts } = plan;
		const createdAt = this.clock.now + acceptsAfterMs;
		const id = `m-${(this.ids += 1)}`;
		const hiddenUntil = this.world.service.listsScheduled ? 0 : toMoment(message.scheduledAt);
		const partMs = isListedInParts && request.stored.length > 0 ? 80_000 : 0;
		const listedAt = Math.max(createdAt + listsAfterMs + partMs, hiddenUntil);
		const stored: Stored = { ...message, id, createdAt, listedAt, account, request };
		if (acceptsAfterMs === 0) this.records.push(stored);
		else this.clock.setTimer(() => void this.records.push(stored), acceptsAfterMs);
		request.stored.push(stored);
		return stored;
	}

	private shape(records: object[], { response }: SendPlan): object[] {
		const { responseOrder } = this.world.service;
		if (response === 'withoutIds') return records.map((one) => ({ ...one, messageId: undefined }));
		if (response === 'part') return records.filter((_, n) => n % 2 === 1);
		const isReversed = (response === 'shuffled') !== (responseOrder === 'reversed');
		return isReversed ? [...records].reverse() : records;
	}

	private writeRefusal(message: Message, request: Request): object {
		const { to } = message;
		const { rejects, responseNumber, words } = this.world.service;
		if (rejects === 'inStatus') {
			const times = { createdAt: this.clock.now, listedAt: Infinity };
			const record = { ...message, ...times, id: `r-${(this.ids += 1)}`, account: '', request };
			return { ...this.write(record, false), status: 'Rejected' };
		}
		const said = rejects === 'withData' ? { message: 'Rejected', data: words } : { message: words };
		return { to: forms.number[responseNumber](to), ...said, status: false };
	}

	/** The page that a query asks for ("Message history"). */
	private async list({ query, account, request }: Call): Promise<Reply> {
		const plan = this.failing('reads') ?? planOf(this.world.reads, this.reads++, plainRead);
		request.plan = plan;
		if (plan.response === 'refused') return { code: 'ECONNREFUSED' };
		// A slow response shows what was listed when it was asked for.
		const page = this.pageOf(query, account, request);
		await this.clock.sleep(plan.latencyMs);
		if (plan.response !== 'records') return this.fail(plan.response as Failure, plan);
		return page;
	}

	private pageOf(query: Call['query'], account: string, request: Request): Reply {
		const { older, order, filters, paging } = this.world.service;
		const isFiltered = filters === 'usual';
		const own = this.listed(account)
			.filter((one) => !isFiltered || query.to === undefined || one.to === toDigits(query.to))
			.filter(
				({ createdAt }) =>
					!isFiltered || this.writeTime(createdAt) >= String(query.filterByCreatedDateFrom ?? ''),
			);
		const hasOthers = query.to === undefined || !isFiltered;
		const recent = this.amongNewer(own, hasOthers);
		const others = hasOthers ? older : 0;
		const limit = Number(query.limit ?? 20);
		const size = ['twenty', 'capped'].includes(paging) ? 20 : limit;
		const all = recent.length + others;
		const last = Math.max(0, Math.ceil(all / size) - 1);
		const asked = Number(query.page ?? 1) - (paging === 'fromZero' ? 0 : 1);
		const page = { clamped: Math.min(asked, last), stuck: 0 }[paging as string] ?? asked;
		// Services that cap a page can count the pages by the limit all the same.
		const start = (paging === 'twenty' ? limit : size) * page;
		const messages = Array.from({ length: Math.max(0, Math.min(size, all - start)) }, (_, n) => {
			const place = placeIn(order, start + n, all);
			const one = recent[place];
			if (one === undefined) return this.writeOlder(place - recent.length);
			return 'at' in one ? this.writeOther(one) : this.write(one, true);
		});
		const shown = paging === 'twins' ? messages.flatMap((one) => [one, one]) : messages;
		request.shown = own.length;
		const told = paging === 'capped' ? size : limit;
		return this.json(200, { messages: shown, limit: told, records: all, start, links: {} });
	}

	/** The messages that history has, newest first. */
	private listed(account: string): Listed[] {
		return [...this.earlier, ...this.records]
			.filter((one) => one.account === account && one.listedAt <= this.clock.now)
			.sort((a, b) => b.createdAt - a.createdAt || Number(b.id.slice(2)) - Number(a.id.slice(2)));
	}

	/** Our messages, and those that others have sent meanwhile, newest first. */
	private amongNewer(own: Listed[], hasOthers: boolean): Array<Listed | Other> {
		const from = this.newer.findIndex(({ at }) => at <= this.clock.now);
		const all: Array<Listed | Other> = hasOthers && from >= 0 ? this.newer.slice(from) : [];
		const timeOf = (one: Listed | Other) => ('at' in one ? one.at : one.createdAt);
		for (const one of own) {
			const place = all.findIndex((other) => timeOf(other) < one.createdAt);
			all.splice(place < 0 ? all.length : place, 0, one);
		}
		return all;
	}

	private writeOlder(n: number): object {
		const at = this.world.beginsAt - 3_600_000 - n * (day / (2 * this.world.service.older));
		return this.writeOther({ id: String(n), at });
	}

	private writeOther({ id, at }: Other): object {
		return (this.others[id] ??= {
			...{ messageId: `o-${id}`, status: 'Delivered', createdAt: this.writeTime(at) },
			...{ to: `9599${10_000_000 + (at % 9_999_999)}`, message: 'Hello', from: 'Other' },
		});
	}

	/** @param isListing whether for history, which can show a message in another form */
	private write(stored: Listed, isListing: boolean): object {
		const {
			number,
			responseNumber,
			responseText,
			text,
			sender,
			reference,
			createdAt,
			noReference,
			ids,
		} = this.world.service;
		const none = { null: null, empty: '', own: `S${stored.id}` }[noReference];
		const record = {
			messageId: stored.id,
			message: stored.isEncrypted ? `U2FsdGVk${stored.id}` : stored.text,
			to: forms.number[responseNumber](stored.to),
			clientReference: stored.ref ?? none,
			scheduledAt: stored.scheduledAt,
			createdAt: this.writeTime(stored.createdAt),
			messageCount: 1,
			from: stored.from,
			network: 'MPT',
			type: 'sms.text',
			status: stored.id.startsWith(ofYesterday) ? 'Delivered' : isListing ? 'Sent' : 'Accepted',
			test: stored.isTest,
		};
		if (createdAt === 'missing') Object.assign(record, { createdAt: undefined });
		if (!isListing) return { ...record, message: forms.text[responseText](record.message) };
		return {
			...record,
			messageId: ids === 'upper' ? stored.id.toUpperCase() : stored.id,
			to: forms.number[number](stored.to),
			message: forms.text[text](record.message),
			from: forms.sender[sender](stored.from),
			clientReference: stored.ref === null ? none : forms.reference[reference](stored.ref),
		};
	}

	private writeTime(at: number): string {
		const { clockMs, createdAt, zoneMinutes } = this.world.service;
		if (createdAt === 'iso') return new Date(at + clockMs).toISOString();
		const text = new Date(at + clockMs + zoneMinutes * 60_000).toISOString().slice(0, 19);
		const [hours, minutes] = [Math.floor(zoneMinutes / 60), zoneMinutes % 60];
		const offset = [hours, minutes].map((one) => String(one).padStart(2, '0')).join(':');
		return createdAt === 'offset' ? `${text}+${offset}` : text.replace('T', ' ');
	}

	private fail(failure: Failure, { retryAfter }: SendPlan | ReadPlan): Reply {
		if (failure === 'cut') return { code: 'ECONNRESET' };
		if (failure === 'none') return { isSilent: true };
		if (failure === 'garbage') return { status: 200, headers: {}, text: '{"messages":' };
		if (failure === 'text') return { status: 200, headers: {}, text: 'OK' };
		if (failure === 'redirect') return { status: 302, headers: { location: '/' }, text: '' };
		const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
		return this.refuse(Number(failure), 'The request was not processed.', headers);
	}

	private refuse(status: number, message: string, headers = {}): Reply {
		const body = { name: names[status] ?? 'Error', message, code: 0, status };
		return { ...this.json(status, body), headers: { ...this.headers(), ...headers } };
	}

	private json(status: number, body: unknown, isCut = false) {
		return { status, headers: this.headers(), text: JSON.stringify(body), isCut };
	}

	private headers(): Record<string, string> {
		const { hasDate, clockMs } = this.world.service;
		return hasDate ? { date: new Date(this.clock.now + clockMs).toUTCString() } : {};
	}
}

function listYesterday({ rows, options, beginsAt, node }: World): Listed[] {
	const base = { scheduledAt: null, isTest: false, isEncrypted: options.encrypt === true };
	const [at, account] = [beginsAt - day, tokenOf('key-of-the-account')];
	const isReferring = options.clientReference !== undefined;
	return rows.flatMap(({ numbers, text, ref, from = usualSender }, n) =>
		numbers.map((to, m) => ({
			...{ ...base, to, text, from, account, id: `${ofYesterday}${n}${m}` },
			ref: (isReferring ? ref : node === 'SmsBulkSend' ? undefined : `n8n-earlier-${n}`) ?? null,
			...{ createdAt: at, listedAt: at },
		})),
	);
}

/** Which of all records, the newest first, is the n-th of the list. */
function placeIn(order: Traits['order'], n: number, all: number): number {
	if (order === 'newest') return n;
	if (order === 'oldest') return all - 1 - n;
	// As by a hash of its ID: steps of a prime number meet each place once.
	return (n * 7919 + 501) % all;
}

type Forms = Record<string, (written: string) => unknown>;

/** How responses and history can show a field. */
const forms: Record<'number' | 'text' | 'sender' | 'reference', Forms> = {
	number: {
		usual: (to) => to,
		plus: (to) => `+${to}`,
		national: (to) => to.replace(/^959/, '09'),
		masked: (to) => `${to.slice(0, 3)}*******`,
		bare: (to) => to.replace(/^95/, ''),
		short: (to) => to.slice(-4),
		missing: () => undefined,
	},
	text: {
		usual: (text) => text,
		trimmed: (text) => text.trim().replace(/\s+/g, ' '),
		cut: (text) => text.slice(0, 30),
		escaped: (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/'/g, '&#39;'),
		lineFeeds: (text) => text.replace(/\r\n/g, '\n'),
		other: (text) => `${text} (Stop: 123)`,
	},
	sender: { usual: (from) => from, upper: (from) => from.toUpperCase(), other: () => 'INFO' },
	reference: {
		usual: (ref) => ref,
		trimmed: (ref) => ref.trim(),
		number: (ref) => (/^\d+$/.test(ref.trim()) ? Number(ref) : ref),
		lower: (ref) => ref.toLowerCase(),
		missing: () => '',
	},
};

/** After a 4xx the service has not acted, but for a 408, and a bulk request that it takes in part. */
function canAccept(response: Response, messages: number): boolean {
	const isClear = typeof response === 'number' && response < 500 && response !== 408;
	return !isClear || (messages > 1 && partlyAccepted.includes(response));
}

function readMessages(path: string, query: Record<string, unknown>, body: unknown): Message[] {
	const asked = (path.startsWith('/http') ? query : body) as Record<string, unknown>;
	const entries = (path.endsWith('/bulk') ? asked.messages : [asked]) as Array<
		Record<string, unknown>
	>;
	return entries.flatMap((entry) =>
		[entry.to].flat().map((to) => ({
			to: toDigits(to),
			text: String(entry.message),
			from: String(entry.from),
			ref: entry.clientReference === undefined ? null : String(entry.clientReference),
			scheduledAt: entry.scheduledAt === undefined ? null : String(entry.scheduledAt),
			isTest: entry.test === 1,
			isEncrypted: entry.encrypt === 1,
		})),
	);
}
