import { LimitError } from '../shared/execution/toNodeError';
import { RecentTimes } from '../shared/execution/RecentTimes';
import { mostPerHour, type OtpOptions } from './otpOptions';

const second = 1000;
const minute = 60 * second;

/** 0 for no limit. */
export type Limits = Pick<
	OtpOptions,
	'maxPerRecipient' | 'maxPerRecipientPerDay' | 'pauseSeconds' | 'maxPerHour'
>;

export const recipientWindowMs = 10 * minute;
export const dayMs = 24 * 60 * minute;
/** Max recipients counted at a time: in 10 minutes, and in a day. */
const mostRecipients = 100_000;
const mostPerDay = 500_000;

/** Codes recently sent by this process, per recipient of a node and per node. */
const byRecipient = new RecentTimes(recipientWindowMs, mostRecipients);
const byRecipientOfDay = new RecentTimes(dayMs, mostPerDay);
const byNode = new RecentTimes(60 * minute, 10_000);

interface Wait {
	untilMs: number;
	reason: string;
	/** What to do about it. */
	advice?: string;
}

const limitIs = (option: string) => ` The limit is ${option}, under Safeguards.`;

function count(codes: number): string {
	return codes === 1 ? '1 code' : `${codes} codes`;
}

function isPerRecipient({ maxPerRecipient, pauseSeconds }: Limits): boolean {
	return maxPerRecipient > 0 || pauseSeconds > 0;
}

/** When another code fits a limit of `most` per window, in milliseconds since 1970; 0 for now. */
function roomFrom(times: number[], most: number, windowMs: number): number {
	return most > 0 && times.length >= most ? times[times.length - most] + windowMs : 0;
}

/** When a new recipient can be counted, as in `roomFrom`. No code is sent uncounted. */
function roomForAnother(times: RecentTimes, key: string, now: number): number {
	return times.hasRoomFor(key, now) ? 0 : Number(times.oldest()) + times.windowMs;
}

function findWaits(keys: Keys, limits: Limits, now: number): Wait[] {
	const { maxPerRecipient, maxPerRecipientPerDay: perDay, pauseSeconds, maxPerHour } = limits;
	const { recipient } = keys;
	const times = byRecipient.of(recipient, now);
	const waits: Wait[] = [
		{
			untilMs: (times.at(-1) ?? 0) + pauseSeconds * second,
			reason: 'this recipient got a code a moment ago',
			advice: limitIs('Pause Between Codes (Seconds)'),
		},
		{
			untilMs: roomFrom(times, maxPerRecipient, recipientWindowMs),
			reason: `this recipient got ${count(maxPerRecipient)} in the last 10 minutes`,
			advice: limitIs('Max Codes per Recipient'),
		},
		{
			untilMs: roomFrom(byRecipientOfDay.of(recipient, now), perDay, dayMs),
			reason: `this recipient got ${count(perDay)} in the last 24 hours`,
			advice: limitIs('Max Codes per Recipient per Day'),
		},
		{
			untilMs: roomFrom(byNode.of(keys.node, now), maxPerHour, byNode.windowMs),
			reason: `this node has sent ${count(maxPerHour)} in the last hour`,
			advice:
				' The limit protects your balance. If so many people ask for codes, raise Max Codes per Hour, under Safeguards.',
		},
		{
			untilMs: isPerRecipient(limits) ? roomForAnother(byRecipient, recipient, now) : 0,
			reason: `your n8n process has reached its limit of ${mostRecipients} recipients in 10 minutes`,
		},
		{
			untilMs: perDay > 0 ? roomForAnother(byRecipientOfDay, recipient, now) : 0,
			reason: `your n8n process has reached its limit of ${mostPerDay} recipients in 24 hours`,
		},
	];
	return waits.filter(({ untilMs }) => untilMs > now);
}

function describeWait(seconds: number): string {
	if (seconds <= 120) return `${seconds} seconds`;
	const minutes = Math.ceil(seconds / 60);
	return minutes <= 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}

function toLimitError({ untilMs, reason, advice = '' }: Wait, now: number): LimitError {
	const retryAfterSeconds = Math.ceil((untilMs - now) / second);
	return new LimitError(
		`No code was sent: ${reason}`,
		`Nothing was charged. The next code can be sent in ${describeWait(retryAfterSeconds)}.${advice}`,
		retryAfterSeconds,
	);
}

/** Counters are separate per node (of a workflow and an account) and per recipient of that node. */
export interface Keys {
	node: string;
	recipient: string;
}

/**
 * Counts a code before it is sent. Check and count are one synchronous step, so concurrent requests cannot exceed a
 * limit.
 * @returns undoes the count of a code that was certainly not sent
 * @throws LimitError if no code may be sent now
 */
export function countCode(keys: Keys, limits: Limits, now = Date.now()): () => void {
	const [longest] = findWaits(keys, limits, now).sort((a, b) => b.untilMs - a.untilMs);
	if (longest) throw toLimitError(longest, now);
	if (isPerRecipient(limits)) {
		byRecipient.add(keys.recipient, now, Math.max(limits.maxPerRecipient, 1));
	}
	const { maxPerRecipientPerDay: perDay } = limits;
	if (perDay > 0) byRecipientOfDay.add(keys.recipient, now, perDay);
	if (limits.maxPerHour > 0) byNode.add(keys.node, now, mostPerHour);
	return () => {
		byRecipient.remove(keys.recipient, now);
		byRecipientOfDay.remove(keys.recipient, now);
		byNode.remove(keys.node, now);
	};
}
