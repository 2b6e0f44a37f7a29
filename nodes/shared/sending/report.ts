import type { IExecuteFunctions } from 'n8n-workflow';

import { isUnknown } from '../client/failure';
import { howToRetry } from '../client/texts';
import { Ledger } from '../delivery/memory';
import { readRun } from '../n8n/tool';
import { nameFirst } from '../input/InputError';
import { listRecipients } from '../input/number';
import type { Plan } from './plan';
import { hasOtherText, type Planned } from './planned';

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
	alreadySent: number;
	otherText: number;
	inDoubt: number;
	notSent: number;
}

function count(counts: Counts, planned: Planned): void {
	const { record, skipped, draft, outgoing } = planned;
	if (hasOtherText(planned)) counts.otherText += 1;
	const outcome = record ?? outgoing?.outcome;
	if (skipped) counts.skipped += 1;
	else if (isUnknown(outcome)) counts.inDoubt += 1;
	else if (outcome === undefined || outcome instanceof Error) counts.notSent += 1;
	else if (outcome.alreadySent === true) counts.alreadySent += 1;
	else {
		counts[draft?.request.scheduledAt === undefined ? 'sent' : 'scheduled'] += 1;
		counts.parts += draft?.charge.parts ?? Number(outcome.messageCount ?? 0);
	}
}

function countAll({ planned, invalid, given }: Omit<Plan, 'shapes'>): Counts {
	const counts: Counts = {
		...{ sent: 0, scheduled: 0, parts: 0, skipped: 0, alreadySent: 0 },
		...{ otherText: 0, inDoubt: 0, notSent: 0 },
	};
	const sentEarlier = new Map<number, number>();
	for (const message of planned) {
		count(counts, message);
		sentEarlier.set(message.item, (sentEarlier.get(message.item) ?? 0) + 1);
	}
	for (const { item, entry } of invalid) {
		const left = listRecipients(given[item]).length - (sentEarlier.get(item) ?? 0);
		counts.notSent += entry === undefined ? Math.max(1, left) : 1;
	}
	return counts;
}

/**
 * The one hint of a run: what its messages came to. None for a single message, whose item shows it, unless it has
 * another text than history.
 */
export function describeOutcome(plan: Omit<Plan, 'shapes'>): string {
	const counts = countAll(plan);
	const { sent, scheduled, parts, skipped, alreadySent, otherText, inDoubt, notSent } = counts;
	if (sent + scheduled + skipped + alreadySent + inDoubt + notSent < 2 && otherText === 0)
		return '';
	const accepted = [
		scheduled > 0 && `${scheduled} scheduled`,
		(sent > 0 || scheduled === 0) && `${sent} sent`,
	].filter(Boolean);
	const told = [
		`${accepted.join(', ')} (${parts === 1 ? '1 part' : `${parts} parts`})`,
		skipped > 0 && `${skipped} skipped`,
		alreadySent > 0 &&
			`${alreadySent} already sent${otherText > 0 ? ` (${otherText} with another text)` : ''}`,
		inDoubt > 0 && `${inDoubt} may have been sent: see error`,
		notSent > 0 && `${notSent} not sent: see error`,
	].filter(Boolean);
	return `${told.join(', ')}.`;
}

const mostNamed = 10;

/** How many, and to whom. */
function nameNumbers(planned: Planned[], one: string, several: string): string {
	const { length } = planned;
	const numbers = nameFirst(
		planned.map(({ to }) => to),
		mostNamed,
	);
	return length === 0 ? '' : `${length} ${length === 1 ? one : several} (${numbers})`;
}

/** Ends the error of a run that stopped after messages were sent, or may have been. @param said its description */
export function describeStopped(plan: Omit<Plan, 'shapes'>, said: string): string {
	const outcomeOf = ({ record, outgoing }: Planned) => record ?? outgoing?.outcome;
	const { planned } = plan;
	const { sent, scheduled, inDoubt, notSent } = countAll(plan);
	const done = sent + scheduled;
	if (done + inDoubt === 0 || done + inDoubt + notSent === 1) return '';
	const isDone = (one: Planned) => {
		const outcome = outcomeOf(one);
		return outcome !== undefined && !(outcome instanceof Error) && outcome.alreadySent !== true;
	};
	const told = [
		nameNumbers(planned.filter(isDone), 'was sent', 'were sent'),
		nameNumbers(
			planned.filter((one) => isUnknown(outcomeOf(one))),
			'may have been sent',
			'may have been sent',
		),
		`${notSent} ${notSent === 1 ? 'was' : 'were'} not sent`,
	].filter(Boolean);
	const isSafe = planned.every(({ values }) => values.skipIfAlreadySent);
	return [
		`Of the messages, ${told.join(', ')}.`,
		notSent > 0 && !said.includes(howToRetry) && `To send the rest, ${howToRetry}`,
		!isSafe &&
			'Execute step or Execute workflow would send all again, unless Skip If Already Sent is on.',
	]
		.filter(Boolean)
		.join(' ');
}
