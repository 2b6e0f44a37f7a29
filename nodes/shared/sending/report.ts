import type { IExecuteFunctions } from 'n8n-workflow';

import { isUnknown } from '../client/failure';
import { isNotDelivered } from '../client/status';
import { Ledger } from '../delivery/memory';
import { readRun } from '../n8n/tool';
import type { Items } from '../n8n/errors';
import { findName } from '../n8n/items';
import { isFixed } from '../options/readParameters';
import { nameFirst } from '../input/InputError';
import { listRecipients } from '../input/notation';
import { toRecipientKey } from '../input/recipient';
import { describeMoment } from '../input/time';
import type { Plan } from './plan';
import type { Planned } from './planned';

/**
 * The first sentence of each input error in a node that sends.
 * An earlier attempt, another retry or an earlier pass of a loop may have sent something.
 * @param isForItem whether other items may be sent all the same
 */
export function describeUnsent(context: IExecuteFunctions, isForItem: boolean): string {
	const which = isForItem ? ' for this item' : '';
	const isAlone = readRun(context) === '0' && context.getMode() !== 'retry';
	const isFirst = isAlone && !Ledger.hasSent(context);
	return `Nothing was sent${which}${isFirst ? '' : ' in this attempt'}.`;
}

interface Counts {
	sent: number;
	scheduled: number;
	parts: number;
	skipped: number;
	inDoubt: number;
	notSent: number;
}

function count(counts: Counts, { record, skipped, draft, outgoing }: Planned): void {
	const outcome = record ?? outgoing?.outcome;
	if (skipped) counts.skipped += 1;
	else if (isUnknown(outcome)) counts.inDoubt += 1;
	else if (outcome === undefined || outcome instanceof Error) counts.notSent += 1;
	else if (outcome.alreadySent === true) counts.skipped += 1;
	else {
		counts[draft?.scheduled ? 'scheduled' : 'sent'] += 1;
		counts.parts += draft?.charge.parts ?? Number(outcome.messageCount ?? 0);
	}
}

/**
 * Counts the outcomes of a run with On Error set to continue. No hint for a single message: its item shows the outcome.
 * @param isSingle whether messages have a reference
 */
export function describeOutcome({ planned, invalid, given }: Plan, isSingle: boolean): string {
	const counts: Counts = { sent: 0, scheduled: 0, parts: 0, skipped: 0, inDoubt: 0, notSent: 0 };
	const sentEarlier = new Map<number, number>();
	for (const message of planned) {
		count(counts, message);
		sentEarlier.set(message.item, (sentEarlier.get(message.item) ?? 0) + 1);
	}
	for (const item of invalid.keys()) {
		const left = listRecipients(given[item]).length - (sentEarlier.get(item) ?? 0);
		counts.notSent += Math.max(1, left);
	}
	const { sent, scheduled, parts, skipped, inDoubt, notSent } = counts;
	if (sent + scheduled + skipped + inDoubt + notSent < 2) return '';
	const accepted = [
		scheduled > 0 && `${scheduled} scheduled`,
		(sent > 0 || scheduled === 0) && `${sent} sent`,
	].filter(Boolean);
	const told = [
		`${accepted.join(', ')} (${parts === 1 ? '1 part' : `${parts} parts`})`,
		skipped > 0 && `${skipped} skipped`,
		inDoubt > 0 && `${inDoubt} may have been sent: see error`,
		notSent > 0 && `${notSent} not sent: see error`,
	].filter(Boolean);
	const rest = inDoubt + notSent;
	const done = sent + scheduled;
	const again = done > 0 && rest > 0 ? describeAgain(planned, isSingle, done + rest, rest) : '';
	return `${told.join(', ')}.${again}`;
}

/** What a new execution of the same items would do. Skip If Already Sent finds only references of the user. */
function describeAgain(planned: Planned[], isSingle: boolean, all: number, rest: number): string {
	const values = planned.map((one) => one.values);
	if (values.some(({ skipIfAlreadySent }) => skipIfAlreadySent)) return '';
	const isFound = !isSingle || values.every(({ clientReference }) => clientReference !== undefined);
	const remedy = isFound
		? 'turn on Skip If Already Sent first.'
		: 'leave out the items that were sent. Next time, use Client Reference and Skip If Already Sent from the first run.';
	return ` If you execute this again, all ${all} are sent. To send only the remaining ${rest}, ${remedy}`;
}

/** To typed in for a whole list is the usual mistake of a first campaign. */
export function describeFixedTo(
	context: Items & Pick<IExecuteFunctions, 'getNode'>,
	isSingle: boolean,
): string {
	const items = context.getInputData().length;
	if (isSingle || items === 1 || !isFixed(context.getNode().parameters.to)) return '';
	return `To is the same for all ${items} items, so one recipient gets all messages. If each item has its own number, drag its column into To.`;
}

/** Whom Skip Duplicates leaves out: mother and child can share a phone. */
export function describeDuplicates(context: Items, planned: Planned[]): string {
	const first = new Map<string, Planned>();
	for (const one of planned) {
		const key = toRecipientKey(one.to);
		if (!one.skipped && !first.has(key)) first.set(key, one);
	}
	const left = planned.filter(({ skipped }) => skipped === 'duplicate');
	if (left.length === 0) return '';
	const textOf = ({ draft }: Planned) => draft?.request.message;
	const isOther = (one: Planned) => textOf(one) !== textOf(first.get(toRecipientKey(one.to))!);
	const others = left.filter(isOther).length;
	const named = [...left.filter(isOther), ...left.filter((one) => !isOther(one))].map(
		({ item, to }) => [findName(context, item), to].filter(Boolean).map(String).join(', '),
	);
	const differ = others > 0 ? ` The text differs in ${others} of them.` : '';
	return `Skip Duplicates: ${left.length} not sent, because an earlier item has the same number (${nameFirst(named, 3, '; ')}).${differ}`;
}

/** n8n's time zone while nobody has set one. */
const unsetTimeZone = 'America/New_York';

/** When scheduled messages go out, in local time: nobody can cancel them. */
export function describeScheduled(planned: Planned[], workflowZone: string): string {
	const accepted = planned.filter(({ skipped, outgoing }) => {
		const outcome = outgoing?.outcome;
		return !skipped && !(outcome instanceof Error) && outcome?.alreadySent !== true;
	});
	const all = accepted.flatMap(({ draft }) => draft?.scheduled ?? []);
	if (all.length === 0) return '';
	const first = all.reduce((earliest, one) => (one.at < earliest.at ? one : earliest));
	const isRepeated = accepted.some(
		({ draft, values }) => draft?.scheduled && values.skipIfAlreadySent !== true,
	);
	const [are, they] =
		all.length === 1 ? ['1 message is', 'it is'] : [`${all.length} messages are`, 'they are'];
	const moment = describeMoment(first.at, first.timeZone);
	const zone = `This workflow's time zone is ${unsetTimeZone}, n8n's default: if it isn't yours, set it in the workflow's settings.`;
	return [
		`${are} scheduled, the first for ${moment}.`,
		isRepeated &&
			`If you execute this again, ${they} scheduled again. To avoid that, add Client Reference and Skip If Already Sent.`,
		workflowZone === unsetTimeZone && all.some((one) => one.hasOffset) && zone,
	]
		.filter(Boolean)
		.join(' ');
}

/** Skip If Already Sent sends a message that was not delivered once more, and then never again. */
export function describeUndelivered(planned: Planned[]): string {
	const { length } = planned.filter(({ outgoing }) => {
		const outcome = outgoing?.outcome;
		if (outcome === undefined || outcome instanceof Error) return false;
		return outcome.alreadySent === true && isNotDelivered(outcome.status);
	});
	if (length === 0) return '';
	const [were, they] = length === 1 ? ['message was', 'it was'] : ['messages were', 'they were'];
	return `${length} ${were} already sent twice and not delivered, so ${they} not sent again. To send again anyway, remove Skip If Already Sent.`;
}
