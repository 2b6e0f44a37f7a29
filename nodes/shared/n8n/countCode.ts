import { Expiring } from './Expiring';
import { LimitError } from './errors';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** How many codes; 0 for no limit. A code is open until it is verified, for an hour at most. */
export interface Limits {
	maxOpen: number;
	maxOpenPerRange: number;
	maxOpenPerVisitor: number;
	maxPerHour: number;
	maxPerRecipient: number;
	maxPerRecipientPerDay: number;
	pauseSeconds: number;
}

/** By what a code is counted: sealed, and separate per node (of a workflow and an account). */
export interface Keys {
	node: string;
	recipient: string;
	/** Of numbers that differ only in their last four digits. */
	range?: string;
	visitor?: string;
	/** Of the visitor. */
	network?: string;
}

interface Code {
	at: number;
	isVerified: boolean;
}

/** Max keys counted at a time, and max codes counted per key. */
const mostKeys = 500_000;
export const mostCodes = 100_000;

/** Codes recently sent by this process, by key. */
const ofDay = new Expiring<Code[]>(day, mostKeys);
const ofHour = new Expiring<Code[]>(hour, mostKeys);
/** The same codes by their sealed requestId, and whom they prove. */
const issued = new Expiring<{ code: Code; proves: Array<string | undefined> }>(hour, mostCodes);
/** Recipients and networks that verified a code. */
const proven = new Expiring<true>(30 * day, mostKeys);

interface Rule {
	option: keyof Limits;
	label: string;
	/** With <codes> for the limit. */
	reason: string;
	/** `group` is one of three: known recipients, other visitors from known networks, and the rest. */
	by: 'node' | 'group' | 'recipient' | 'range' | 'visitor';
	book: Expiring<Code[]>;
	windowMs: number;
	/** How much room a verified code makes for others. If absent, it counts like any other. */
	earns?: number;
}

const ofRecipient = { by: 'recipient', book: ofDay } as const;
const everyHour = { book: ofHour, windowMs: hour };

const rules: Rule[] = [
	{
		...{ ...ofRecipient, option: 'pauseSeconds', label: 'Pause (Seconds)' },
		...{ reason: 'this recipient got a code a moment ago', windowMs: second },
	},
	{
		...{ ...ofRecipient, option: 'maxPerRecipient', label: 'Max Codes per Recipient' },
		...{ reason: 'this recipient got <codes> in the last 10 minutes', windowMs: 10 * minute },
	},
	{
		...{ ...ofRecipient, option: 'maxPerRecipientPerDay', windowMs: day },
		label: 'Max Codes per Recipient per Day',
		reason: 'this recipient got <codes> in the last 24 hours',
	},
	{
		...{ ...everyHour, by: 'node', option: 'maxPerHour', label: 'Max Codes per Hour' },
		reason: 'this node has sent <codes> in the last hour',
	},
	{
		...{ ...everyHour, by: 'group', option: 'maxOpen', label: 'Max Open Codes', earns: 0.5 },
		reason: 'too many codes of the last hour were not verified',
	},
	{
		...{ ...everyHour, by: 'visitor', option: 'maxOpenPerVisitor', earns: 1 },
		label: 'Max Open Codes per Visitor',
		reason: 'too many codes of this visitor were not verified',
	},
	{
		...{ ...everyHour, by: 'range', option: 'maxOpenPerRange', earns: 1 },
		label: 'Max Open Codes per Range',
		reason: 'too many codes to similar numbers were not verified',
	},
];

/** A rule that applies to a code. */
interface Check extends Rule {
	key: string;
	most: number;
}

const groups = ['known', 'near', 'other'] as const;
const groupKey = (node: string, group: (typeof groups)[number]) => `${node} ${group}`;

/** A flood of others leaves the budgets of known numbers and of known networks alone. */
function findChecks({ node, network, ...keys }: Keys, limits: Limits, now: number): Check[] {
	const isKnown = proven.get(keys.recipient, now) === true;
	const isNear = network !== undefined && proven.get(network, now) === true;
	const group = groupKey(node, isKnown ? 'known' : isNear ? 'near' : 'other');
	const { recipient } = keys;
	const found = { node, group, ...(isKnown ? { recipient } : keys) };
	return rules.flatMap((rule) => {
		const { [rule.by]: key } = found as Partial<Record<Rule['by'], string>>;
		const most = limits[rule.option];
		if (key === undefined || most === 0) return [];
		const isPause = rule.option === 'pauseSeconds';
		return isPause ? { ...rule, key, most: 1, windowMs: most * second } : { ...rule, key, most };
	});
}

/** When another code fits, in milliseconds since 1970; 0 for now. */
function roomFrom({ book, key, most, windowMs, earns = -1 }: Check, now: number): number {
	const weigh = ({ at, isVerified }: Code) => (at <= now - windowMs ? 0 : isVerified ? -earns : 1);
	const codes = book.get(key, now) ?? [];
	let weight = codes.reduce((sum, code) => sum + weigh(code), 0);
	if (weight <= most - 1) return 0;
	const last = codes.find((code) => (weight -= weigh(code)) <= most - 1);
	return Number(last?.at) + windowMs;
}

function describeWait(seconds: number): string {
	if (seconds <= 120) return `${seconds} seconds`;
	const minutes = Math.ceil(seconds / 60);
	return minutes <= 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}

function toLimitError({ option, label, reason, most, earns }: Check, waitMs: number): LimitError {
	// Somebody may verify an open code at any moment.
	const seconds = Math.ceil((earns === undefined ? waitMs : Math.min(waitMs, minute)) / second);
	const wait = describeWait(seconds);
	const codes = most === 1 ? '1 code' : `${most} codes`;
	const next =
		earns === undefined
			? `The next code can be sent in ${wait}.`
			: `Try again in ${wait}: each verified code makes room.`;
	return new LimitError(
		`No code was sent: ${reason.replace('<codes>', codes)}`,
		`Nothing was charged. ${next} The limit is ${label}, under Options.`,
		seconds,
		option,
	);
}

/** No code is sent uncounted. @throws LimitError for the longest wait */
function requireRoom(checks: Check[], now: number): void {
	const waits = checks.map((check) => {
		const isFull = !check.book.hasRoomFor(check.key, now);
		const reason = `your n8n process has reached its limit of ${mostKeys} recipients`;
		return isFull
			? { check: { ...check, reason }, untilMs: check.book.roomFrom }
			: { check, untilMs: roomFrom(check, now) };
	});
	const [longest] = waits.sort((a, b) => b.untilMs - a.untilMs);
	if (longest?.untilMs > now) throw toLimitError(longest.check, longest.untilMs - now);
}

/** A code that was counted. */
export interface Counted {
	/** Undoes the count of a code that was certainly not sent. */
	undo(): void;
	/** @param request the sealed requestId, by which `countVerified` finds the code */
	issue(request: string): void;
}

/**
 * Counts a code before it is sent. Check and count are one synchronous step, so concurrent requests cannot exceed a
 * limit.
 * @throws LimitError if no code may be sent now
 */
export function countCode(keys: Keys, limits: Limits, now = Date.now()): Counted {
	const checks = findChecks(keys, limits, now);
	requireRoom(checks, now);
	const code = { at: now, isVerified: false };
	const books = new Map(checks.map(({ key, book }) => [key, book]));
	for (const [key, book] of books) {
		const codes: Code[] = book.get(key, now) ?? [];
		const isOld = ({ at }: Code) => at <= now - book.lifeMs || codes.length >= mostCodes;
		while (codes.length > 0 && isOld(codes[0])) codes.shift();
		codes.push(code);
		book.set(key, codes, { now });
	}
	return {
		undo: () => {
			for (const [key, book] of books) {
				const codes = book.get(key, now) ?? [];
				if (codes.includes(code)) codes.splice(codes.indexOf(code), 1);
				if (codes.length === 0) book.delete(key);
			}
		},
		issue: (request) => issue(code, keys, request),
	};
}

function issue(code: Code, { recipient, network }: Keys, request: string): void {
	issued.set(request, { code, proves: [recipient, network] }, { now: code.at });
}

/** The code that an earlier attempt counted at that time, got no response for, and now is requested again. */
export function issueCounted(keys: Keys, at: number, request: string): void {
	const now = Date.now();
	const ofNode = groups.map((group) => ofHour.get(groupKey(keys.node, group), now));
	const lists = [ofDay.get(keys.recipient, now), ofHour.get(keys.node, now), ...ofNode];
	const code = lists.map((codes) => codes?.find((one) => one.at === at)).find(Boolean);
	// Another process may have counted it.
	if (code) issue(code, keys, request);
}

/** Makes room for others, and remembers who verified. @param request the sealed requestId */
export function countVerified(request: string, now = Date.now()): void {
	const { code, proves } = issued.get(request, now) ?? {};
	if (code) code.isVerified = true;
	for (const key of proves ?? []) if (key !== undefined) proven.set(key, true, { now });
}
