import { dayMs, hourMs, minuteMs } from '../../shared/input/time';
import { LimitError } from '../../shared/n8n/errors';
import { Expiring } from '../../shared/client/Expiring';
import { isVerified } from '../../shared/n8n/verifiedCodes';
import { mostCodes, rules, type Counter, type LimitName, type Limits } from './rules';

/** By what a code is counted: sealed, and separate per node (of a workflow and an account). */
export type Keys = Record<'node' | 'recipient', string> &
	Partial<Record<'visitor' | 'range', string>>;

interface Code {
	/** By `performance.now()`: setting the clock neither holds anybody back nor lets more through. */
	at: number;
	recipient: string;
	/** The sealed request ID, once the service has returned it. */
	request?: string;
}

const mostKeys = 500_000;

/** Codes recently sent by this process, by key, oldest first. Of the hour, only unverified ones are kept. */
const ofDay = new Expiring<Code[]>(dayMs, mostKeys);
const ofHour = new Expiring<Code[]>(hourMs, mostKeys);

const bookOf = (by: Counter) => (by === 'recipient' ? ofDay : ofHour);
const counts = (by: Counter, { request }: Code) => by === 'recipient' || !isVerified(request);

/** A rule that applies to a code. */
interface Check {
	option: LimitName;
	by: Counter;
	key: string;
	most: number;
	windowMs: number;
}

function findChecks(keys: Keys, limits: Limits): Check[] {
	return (Object.keys(rules) as LimitName[]).flatMap((option) => {
		const { by, windowMs } = rules[option];
		const key = keys[by];
		const most = limits[option];
		if (key === undefined || most === 0) return [];
		const isPause = option === 'pauseSeconds';
		const check = { option, by, key };
		return isPause
			? [{ ...check, most: 1, windowMs: most * 1000 }]
			: [{ ...check, most, windowMs }];
	});
}

/** When another code fits, by `performance.now()`. */
function roomFrom({ by, key, most, windowMs }: Check, now: number): number {
	const codes = bookOf(by).get(key, now) ?? [];
	const counted = codes.filter((code) => code.at > now - windowMs && counts(by, code));
	const first = counted.at(-most);
	return first ? first.at + windowMs : now;
}

function describeWait(seconds: number): string {
	if (seconds <= 120) return `${seconds} seconds`;
	const minutes = Math.ceil(seconds / 60);
	return minutes <= 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}

function toLimitError({ option, by, most }: Check, waitMs: number, isFull: boolean): LimitError {
	// Somebody may verify a code at any moment.
	const canEnd = by !== 'recipient' && !isFull;
	const seconds = Math.ceil((canEnd ? Math.min(waitMs, minuteMs) : waitMs) / 1000);
	const wait = describeWait(seconds);
	const { label, reason } = rules[option];
	const codes = most === 1 ? '1 code' : `${most} codes`;
	const why = isFull
		? `your n8n process has reached its limit of ${mostKeys} recipients`
		: reason.replace('<codes>', codes);
	const next = canEnd
		? `Try again in ${wait}. Verified codes make room sooner.`
		: `The next code can be sent in ${wait}.`;
	return new LimitError(
		`No code was sent: ${why}`,
		`Nothing was charged. ${next} To change this limit, edit ${label} under Options.`,
		seconds,
		option,
	);
}

/** No code is sent uncounted. @throws LimitError for the longest wait */
function requireRoom(checks: Check[], now: number): void {
	const waits = checks.map((check) => {
		const book = bookOf(check.by);
		const isFull = !book.hasRoomFor(check.key, now);
		return { check, isFull, untilMs: isFull ? book.roomFrom : roomFrom(check, now) };
	});
	const [longest] = waits.sort((a, b) => b.untilMs - a.untilMs);
	if (longest?.untilMs > now)
		throw toLimitError(longest.check, longest.untilMs - now, longest.isFull);
}

/**
 * Counts a code before it is sent. Check and count are one synchronous step, so concurrent requests cannot exceed a
 * limit.
 * @returns undoes the count of a code that was certainly not sent
 * @throws LimitError if no code may be sent now
 */
export function countCode(keys: Keys, limits: Limits, now = performance.now()): () => void {
	const checks = findChecks(keys, limits);
	requireRoom(checks, now);
	const code: Code = { at: now, recipient: keys.recipient };
	const counters = new Map(checks.map(({ by, key }) => [by, key]));
	for (const [by, key] of counters) {
		const book = bookOf(by);
		const codes = book.get(key, now) ?? [];
		const kept = codes.filter((one) => one.at > now - book.lifeMs && counts(by, one));
		book.set(key, [...kept, code].slice(-mostCodes), { now });
	}
	return () => {
		for (const [by, key] of counters) {
			const codes = bookOf(by).get(key, now) ?? [];
			if (codes.includes(code)) codes.splice(codes.indexOf(code), 1);
			if (codes.length === 0) bookOf(by).delete(key);
		}
	};
}

/**
 * Lets the code that was counted at that time give its place back once it is verified.
 * @param request the sealed request ID
 */
export function nameCode(keys: Keys, at: number, request: string, now = performance.now()): void {
	// An ID that was verified before is that of an older code.
	if (isVerified(request)) return;
	const isIt = (one: Code) =>
		one.at === at && one.recipient === keys.recipient && one.request === undefined;
	for (const by of ['recipient', 'node', 'visitor', 'range'] as const) {
		const key = keys[by];
		const code = key === undefined ? undefined : bookOf(by).get(key, now)?.find(isIt);
		if (code) {
			code.request = request;
			return;
		}
	}
}
