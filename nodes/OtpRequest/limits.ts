import { Expiring } from '../shared/n8n/Expiring';
import { dayMs, hourMs, minuteMs } from '../shared/input/time';
import { LimitError } from '../shared/n8n/errors';
import { isVerified } from '../shared/n8n/memory';

/** 0 for no limit. */
export const limitOptions = {
	maxPerHour: {
		label: 'Max Codes per Hour',
		description: 'Max unverified codes per hour of this node, in each n8n process',
		whenAbsent: 300,
		most: 100_000,
	},
	maxPerRecipientPerHour: {
		label: 'Max Codes per Recipient per Hour',
		description: 'Max codes per hour for one number or email address, verified or not',
		whenAbsent: 5,
		most: 1000,
	},
} as const;

export type Limits = Record<keyof typeof limitOptions, number>;

/** By what a code is counted: sealed, and separate per node (of a workflow and an account). */
export type Keys = Record<'node' | 'recipient', string>;

/** Times are by `performance.now()`: setting the clock neither holds anybody back nor lets more through. */
interface Code {
	at: number;
	/** The sealed request ID, once the service has returned it. */
	request?: string;
}

interface Rule {
	option?: keyof typeof limitOptions;
	most: number;
	windowMs: number;
	reason: string;
}

const mostKeys = 500_000;

/** When this process sent codes, by recipient, and the unverified ones, by node; oldest first. */
const ofRecipients = new Expiring<number[]>(dayMs, mostKeys);
const ofNodes = new Expiring<Code[]>(hourMs, mostKeys);

function findUnverified(node: string, now: number): Code[] {
	const codes = ofNodes.get(node, now) ?? [];
	return codes.filter(({ at, request }) => at > now - hourMs && !isVerified(request));
}

function rulesOfRecipient(most: number): Rule[] {
	const inHour = `this recipient got ${most === 1 ? '1 code' : `${most} codes`} in the last hour`;
	const rules: Rule[] = [
		{ most: 1, windowMs: minuteMs / 2, reason: 'this recipient got a code a moment ago' },
		{ option: 'maxPerRecipientPerHour', most, windowMs: hourMs, reason: inHour },
		{ most: 20, windowMs: dayMs, reason: 'this recipient got 20 codes in the last 24 hours' },
	];
	return rules.filter((rule) => rule.most > 0);
}

function describeWait(seconds: number): string {
	if (seconds <= 120) return `${seconds} seconds`;
	const minutes = Math.ceil(seconds / 60);
	return minutes <= 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}

function toLimitError({ option, reason }: Rule, waitMs: number): LimitError {
	// Somebody may verify a code at any moment.
	const canEnd = option === 'maxPerHour';
	const seconds = Math.ceil((canEnd ? Math.min(waitMs, minuteMs) : waitMs) / 1000);
	const wait = describeWait(seconds);
	const next = canEnd
		? `Try again in ${wait}. Verified codes make room sooner.`
		: `The next code can be sent in ${wait}.`;
	const change = option
		? `To change this limit, edit ${limitOptions[option].label} under Options.`
		: 'If several items have this recipient, switch on Execute Once in the settings of this node.';
	const hint = `Nothing was charged. ${next} ${change}`;
	return new LimitError(`No code was sent: ${reason}`, hint, seconds, option ?? 'to');
}

/**
 * Counts a code before it is requested. Check and count are one synchronous step, so concurrent requests cannot exceed
 * a limit.
 * @returns when it was counted, which identifies it
 * @throws LimitError for the longest wait, if no code may be sent now
 */
export function countCode(
	{ node, recipient }: Keys,
	{ maxPerHour, maxPerRecipientPerHour }: Limits,
	now = performance.now(),
): number {
	const unverified = findUnverified(node, now);
	const sent = (ofRecipients.get(recipient, now) ?? []).filter((at) => at > now - dayMs);
	const reason = 'too many unverified codes in the last hour';
	const ofNode: Rule = { option: 'maxPerHour', most: maxPerHour, windowMs: hourMs, reason };
	const waits = [
		...rulesOfRecipient(maxPerRecipientPerHour).map((rule) => ({
			rule,
			first: sent.at(-rule.most),
		})),
		{ rule: ofNode, first: maxPerHour > 0 ? unverified.at(-maxPerHour)?.at : undefined },
	].map(({ rule, first = -Infinity }) => ({ rule, ms: first + rule.windowMs - now }));
	const [longest] = waits.sort((a, b) => b.ms - a.ms);
	if (longest.ms > 0) throw toLimitError(longest.rule, longest.ms);
	ofRecipients.set(recipient, [...sent, now], { now });
	if (maxPerHour > 0) ofNodes.set(node, [...unverified, { at: now }], { now });
	return now;
}

/** Gives the place of a code back that was certainly not sent. */
export function uncountCode({ node, recipient }: Keys, at: number, now = performance.now()): void {
	const sent = ofRecipients.get(recipient, now) ?? [];
	if (sent.includes(at)) sent.splice(sent.indexOf(at), 1);
	const codes = ofNodes.get(node, now) ?? [];
	const place = codes.findIndex((code) => code.at === at && code.request === undefined);
	if (place >= 0) codes.splice(place, 1);
}

/** Lets the code that was counted at that time give its place back once it is verified, by its sealed request ID. */
export function nameCode(
	{ node }: Keys,
	at: number,
	request: string,
	now = performance.now(),
): void {
	// An ID that was verified before is that of an older code.
	if (isVerified(request)) return;
	const codes = ofNodes.get(node, now) ?? [];
	const code = codes.find((one) => one.at === at && one.request === undefined);
	if (code) code.request = request;
}
