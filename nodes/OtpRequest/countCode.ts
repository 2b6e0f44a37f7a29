import { LimitError } from '../shared/execution/toNodeError';
import { RecentTimes } from '../shared/execution/RecentTimes';
import { mostPerHour, type OtpOptions } from './otpOptions';

const second = 1000;
const minute = 60 * second;

/** 0 for no limit. */
type Limits = Pick<OtpOptions, 'maxPerRecipient' | 'pauseSeconds' | 'maxPerHour'>;

export const recipientWindowMs = 10 * minute;
const mostRecipients = 100_000;

/** The codes that this process has sent lately: by node and recipient, and by node. */
const byRecipient = new RecentTimes(recipientWindowMs, mostRecipients);
const byNode = new RecentTimes(60 * minute, 10_000);

interface Wait {
	untilMs: number;
	reason: string;
	option?: string;
}

function count(codes: number): string {
	return codes === 1 ? '1 code' : `${codes} codes`;
}

function isPerRecipient({ maxPerRecipient, pauseSeconds }: Limits): boolean {
	return maxPerRecipient > 0 || pauseSeconds > 0;
}

/** When there is room for another code, of which there are `most` in any such stretch of time. */
function roomFrom(times: number[], most: number, windowMs: number): number {
	return most > 0 && times.length >= most ? times[times.length - most] + windowMs : 0;
}

function findWaits(keys: Keys, limits: Limits, now: number): Wait[] {
	const { maxPerRecipient, pauseSeconds, maxPerHour } = limits;
	const times = byRecipient.of(keys.recipient, now);
	const isFull = isPerRecipient(limits) && !byRecipient.hasRoomFor(keys.recipient, now);
	const waits: Wait[] = [
		{
			untilMs: (times.at(-1) ?? 0) + pauseSeconds * second,
			reason: 'this recipient got a code a moment ago',
			option: 'Pause Between Codes (Seconds)',
		},
		{
			untilMs: roomFrom(times, maxPerRecipient, recipientWindowMs),
			reason: `this recipient got ${count(maxPerRecipient)} in the last 10 minutes`,
			option: 'Most Codes per Recipient',
		},
		{
			untilMs: roomFrom(byNode.of(keys.node, now), maxPerHour, byNode.windowMs),
			reason: `this node has sent ${count(maxPerHour)} in the last hour`,
			option: 'Most Codes in All per Hour',
		},
		{
			untilMs: isFull ? Number(byRecipient.oldest()) + recipientWindowMs : 0,
			reason: `this n8n has sent codes to ${mostRecipients} recipients in the last 10 minutes, and can count no more`,
		},
	];
	return waits.filter(({ untilMs }) => untilMs > now);
}

function toLimitError({ untilMs, reason, option }: Wait, now: number): LimitError {
	const retryAfterSeconds = Math.ceil((untilMs - now) / second);
	const change = option ? ` The limit is the option ${option} of the node.` : '';
	return new LimitError(
		`No code was sent: ${reason}`,
		`Nothing was charged. The next code can be sent in ${retryAfterSeconds} seconds.${change}`,
		retryAfterSeconds,
	);
}

/** What is counted apart: the node (of a workflow and an account), and a recipient of that node. */
export interface Keys {
	node: string;
	recipient: string;
}

/**
 * Counts a code that is about to be sent. Looking and counting are one step, with nothing awaited in between, so
 * that codes wanted at the same time cannot all see room for one.
 * @returns takes the code back that certainly was not sent
 * @throws LimitError when no code may be sent now
 */
export function countCode(keys: Keys, limits: Limits, now = Date.now()): () => void {
	const [longest] = findWaits(keys, limits, now).sort((a, b) => b.untilMs - a.untilMs);
	if (longest) throw toLimitError(longest, now);
	if (isPerRecipient(limits)) {
		byRecipient.add(keys.recipient, now, Math.max(limits.maxPerRecipient, 1));
	}
	if (limits.maxPerHour > 0) byNode.add(keys.node, now, mostPerHour);
	return () => {
		byRecipient.remove(keys.recipient, now);
		byNode.remove(keys.node, now);
	};
}
