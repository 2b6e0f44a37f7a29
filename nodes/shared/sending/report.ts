import type { IExecuteFunctions } from 'n8n-workflow';

import { isUnknown, ServiceError } from '../client/failure';
import { howToRetry } from '../client/texts';
import type { MessageRecord } from '../client/types';
import { Ledger } from '../delivery/memory';
import { readWallTime } from '../delivery/serviceClock';
import { describeValue, nameFirst } from '../input/InputError';
import { groupBy } from '../input/comparison';
import { dayMs } from '../input/time';
import { readRun } from '../n8n/tool';
import { hasOtherSchedule, hasOtherText, type Message, outcomeOf } from './message';
import type { Plan } from './plan';

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

/** What has become of a message, or would in a dry run, in one word. */
export type Result =
	| 'toSend'
	| 'accepted'
	| 'alreadySent'
	| 'duplicate'
	| 'optedOut'
	| 'notSent'
	| 'outcomeUnknown';

export const resultOfFailure = (error: unknown): Result =>
	isUnknown(error) ? 'outcomeUnknown' : 'notSent';

export function resultOf(message: Message): Result {
	const outcome = outcomeOf(message);
	if (message.skipped) return message.skipped.skipped;
	if (outcome === undefined || outcome instanceof Error) return resultOfFailure(outcome);
	return outcome.alreadySent === true ? 'alreadySent' : 'accepted';
}

/** The messages of a run by what has become of them, and how many were not sent, with those of wrong items. */
function sortMessages({ messages, faults }: Plan) {
	const by = groupBy(messages, resultOf);
	const only = (result: Result) => by.get(result) ?? [];
	const wrong = faults.reduce((sum, { recipients }) => sum + recipients.length, 0);
	return { only, unsent: only('notSent').length + wrong };
}

function sumParts(messages: Message[]): number {
	const partsOf = (one: Message) =>
		one.draft?.charge.parts ?? Number((outcomeOf(one) as MessageRecord).messageCount ?? 0);
	return messages.reduce((sum, one) => sum + partsOf(one), 0);
}

/** How old the oldest is of which history shows that: a month later, a reminder is another notice. */
function tellAge(messages: Message[]): string[] {
	const times = messages.map((one) => readWallTime((outcomeOf(one) as MessageRecord).createdAt));
	const oldest = times.filter(Number.isFinite).reduce((a, b) => Math.min(a, b), Infinity);
	const days = Math.floor((Date.now() - oldest) / dayMs);
	if (!Number.isFinite(days) || days < 1) return [];
	return [`${messages.length > 1 ? 'up to ' : ''}${days === 1 ? '1 day' : `${days} days`} ago`];
}

/** An appointment that was moved keeps its reference. */
function tellMoved(messages: Message[]): string {
	const [moved] = messages.filter(hasOtherSchedule);
	if (!moved) return '';
	const { clientReference, scheduledAtLocal } = outcomeOf(moved) as MessageRecord;
	const at = moved.draft!.request.scheduledAt!.slice(0, 16).replace(/[ T]/, '-').replace(':', '');
	return ` ${describeValue(clientReference)} is scheduled for ${String(scheduledAtLocal)}; it can't be canceled. A reference for this time, such as ${String(clientReference)}-${at}, sends another.`;
}

/**
 * The one hint of a run: what its messages came to. None for a single message, whose item shows it, unless it was already
 * sent.
 */
export function describeRun(plan: Plan): string {
	const { only, unsent } = sortMessages(plan);
	const [accepted, alreadySent] = [only('accepted'), only('alreadySent')];
	const others = alreadySent.filter(hasOtherText).length;
	const count = plan.messages.length - only('notSent').length + unsent;
	if (count < 2 && alreadySent.length === 0) return '';
	const parts = sumParts(accepted);
	const isScheduled = ({ draft }: Message) => draft?.request.scheduledAt !== undefined;
	const scheduled = accepted.filter(isScheduled).length;
	const sent = accepted.length - scheduled;
	const begun = [scheduled > 0 && `${scheduled} scheduled`, (sent || !scheduled) && `${sent} sent`];
	const duplicates = only('duplicate').length;
	const skipped = duplicates + only('optedOut').length;
	const inDoubt = only('outcomeUnknown').length;
	const about = [...tellAge(alreadySent), others > 0 && `${others} with another text`];
	const differing = about.filter(Boolean).join(', ');
	const earlier = differing && ` (${differing})`;
	const told = [
		`${begun.filter(Boolean).join(', ')} (${parts === 1 ? '1 part' : `${parts} parts`})`,
		skipped > 0 && `${skipped} skipped${duplicates > 0 ? ` (duplicates: ${duplicates})` : ''}`,
		alreadySent.length > 0 && `${alreadySent.length} already sent${earlier}`,
		inDoubt > 0 && `${inDoubt} may have been sent: see error`,
		unsent > 0 && `${unsent} not sent: see error`,
	];
	return `${told.filter(Boolean).join(', ')}.${tellMoved(alreadySent)}`;
}

const mostNamed = 10;

function nameNumbers(messages: Message[], one: string, several: string): string {
	const { length } = messages;
	const numbers = messages.map(({ to }) => to);
	const what = `${length} ${length === 1 ? one : several}`;
	return length === 0 ? '' : `${what} (${nameFirst(numbers, mostNamed)})`;
}

/** Ends the error of a run that stopped. @param said its description */
export function describeStopped(plan: Plan, said: string): string {
	const { messages } = plan;
	const { only, unsent } = sortMessages(plan);
	const [accepted, inDoubt] = [only('accepted'), only('outcomeUnknown')];
	const isRejected = messages.some((message) => {
		const outcome = outcomeOf(message);
		return outcome instanceof ServiceError && outcome.isOfMessages;
	});
	const others =
		isRejected && messages.length > 1
			? 'To send the others anyway, set Settings > On Error to Continue.'
			: '';
	const begun = accepted.length + inDoubt.length;
	if (begun === 0 || begun + unsent === 1) return others;
	const told = [
		nameNumbers(accepted, 'was sent', 'were sent'),
		nameNumbers(inDoubt, 'may have been sent', 'may have been sent'),
		`${unsent} ${unsent === 1 ? 'was' : 'were'} not sent`,
	].filter(Boolean);
	const isSafe = messages.every(({ values }) => values.skipIfAlreadySent);
	return [
		`Of the messages, ${told.join(', ')}.`,
		unsent > 0 && !said.includes(howToRetry) && `To send the rest, ${howToRetry}`,
		!isSafe &&
			'Execute step or Execute workflow would send all again, unless Skip If Already Sent is on.',
		others,
	]
		.filter(Boolean)
		.join(' ');
}

/** A hint if a retry found messages in history that it did not send itself. */
export function describeAdopted(records: MessageRecord[]): string {
	if (records.length === 0) return '';
	const times = records.map(({ createdAt }) => String(createdAt)).sort();
	const span = [...new Set([times[0], times.at(-1)])].join(' to ');
	const messages = records.length === 1 ? '1 message was' : `${records.length} messages were`;
	return `${messages} not sent by this retry: message history already shows the same number, text and sender ID (${span}, in the service's time zone). If another execution sent those messages, start a new execution to send yours.`;
}
