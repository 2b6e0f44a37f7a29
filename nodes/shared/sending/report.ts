import type { IExecuteFunctions } from 'n8n-workflow';

import { isUnknown } from '../client/failure';
import { Ledger } from '../delivery/memory';
import { readRun } from '../n8n/tool';
import { listRecipients } from '../input/number';
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
	alreadySent: number;
	inDoubt: number;
	notSent: number;
}

function count(counts: Counts, { record, skipped, draft, outgoing }: Planned): void {
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

/** The one hint of a run: what its messages came to. None for a single message: its item shows it. */
export function describeOutcome({ planned, invalid, given }: Omit<Plan, 'shapes'>): string {
	const counts: Counts = {
		...{ sent: 0, scheduled: 0, parts: 0, skipped: 0, alreadySent: 0, inDoubt: 0, notSent: 0 },
	};
	const sentEarlier = new Map<number, number>();
	for (const message of planned) {
		count(counts, message);
		sentEarlier.set(message.item, (sentEarlier.get(message.item) ?? 0) + 1);
	}
	for (const item of invalid.keys()) {
		const left = listRecipients(given[item]).length - (sentEarlier.get(item) ?? 0);
		counts.notSent += Math.max(1, left);
	}
	const { sent, scheduled, parts, skipped, alreadySent, inDoubt, notSent } = counts;
	if (sent + scheduled + skipped + alreadySent + inDoubt + notSent < 2) return '';
	const accepted = [
		scheduled > 0 && `${scheduled} scheduled`,
		(sent > 0 || scheduled === 0) && `${sent} sent`,
	].filter(Boolean);
	const told = [
		`${accepted.join(', ')} (${parts === 1 ? '1 part' : `${parts} parts`})`,
		skipped > 0 && `${skipped} skipped`,
		alreadySent > 0 && `${alreadySent} already sent`,
		inDoubt > 0 && `${inDoubt} may have been sent: see error`,
		notSent > 0 && `${notSent} not sent: see error`,
	].filter(Boolean);
	return `${told.join(', ')}.`;
}
