import { sleep, type IExecuteFunctions } from 'n8n-workflow';

import type { MessagingServiceClient } from '../client/MessagingServiceClient';
import type { MessageRecord } from '../client/types';
import type { Ledger } from '../delivery/ledger';
import type { LedgerEntry } from '../delivery/LedgerEntry';
import type { Outgoing } from '../delivery/Outgoing';
import type { Wanted } from '../delivery/pair';
import { attempt } from '../execution/runPerItem';
import type { Charge } from '../fields/partsHint';
import type { ReadField } from '../fields/readParameters';
import { declareError } from '../validation/InputError';
import { requireOpen, type SendWindow } from '../validation/sendWindow';
import { requireFilledFields } from './emptyFields';
import type { Draft, Surroundings } from './readDraft';
import { readRecipients, type RecipientValues } from './recipients';
import { findSkipReasons, type SkipReason, type SkipValues } from './Skips';

const tooManyMessages = declareError(
	'The run has <count> messages, but Max Messages is <maxMessages>',
	'Check where the recipients come from, or raise Max Messages.',
);

/** Values of the options for a whole run. */
export interface RunValues extends SkipValues {
	dryRun: boolean;
	maxMessages: number;
	parallelRequests: number;
	pricePerPart: number | undefined;
	sendWindow: SendWindow | undefined;
	/** Milliseconds. */
	timeout: number;
}

/** Values of the options for one item. */
export interface ItemValues extends RecipientValues {
	refuseEmptyFields: boolean;
	skipIfAlreadySent: boolean;
	test?: boolean;
	whenOutcomeUnknown: 'sendAgain' | 'report';
}

/** How the items of a node are read. @throws InputError from each method */
export interface ItemReader {
	readField: ReadField;
	options: { ofRun(): RunValues; read(item: number): ItemValues };
	/** The messages of an item without their recipients. */
	readDraft(item: number, surroundings: Surroundings): Draft;
	/** Whether messages have a reference and can be scheduled. */
	isSingle: boolean;
}

/** One message to one recipient of an item. */
export interface Planned {
	item: number;
	to: string;
	/** Set if an earlier attempt has sent it. */
	record?: MessageRecord;
	skipped?: SkipReason;
	draft?: Draft;
	/** Absent if there is nothing to send. */
	outgoing?: Outgoing;
}

export interface Plan {
	/** To of each item, as the user entered it; `undefined` if it could not be read. */
	given: unknown[];
	planned: Planned[];
	/** Why items cannot be sent. */
	invalid: Map<number, unknown>;
}

/** After this many milliseconds, yield to the rest of n8n. */
const turnMs = 50;

/** Calls `work` for each item. @returns the errors it throws, by item */
async function forEachItem(
	items: number,
	signal: AbortSignal | undefined,
	work: (item: number) => void,
): Promise<Map<number, unknown>> {
	const invalid = new Map<number, unknown>();
	let turnAt = Date.now() + turnMs;
	for (let item = 0; item < items && !signal?.aborted; item += 1) {
		const result = attempt(() => work(item));
		if ('error' in result) invalid.set(item, result.error);
		if (Date.now() < turnAt) continue;
		await sleep(0);
		turnAt = Date.now() + turnMs;
	}
	return invalid;
}

/** What the items of a run have in common. */
export interface PlanContext {
	context: IExecuteFunctions;
	client: Pick<MessagingServiceClient, 'requireReachable'>;
	reader: ItemReader;
	surroundings: Surroundings;
}

/** What an item is to send. Without a draft, only what an earlier attempt has sent can be returned. */
interface ItemToSend {
	item: number;
	numbers: string[];
	values: ItemValues;
	draft?: Draft;
}

function toWanted({ numbers, values, draft }: ItemToSend): Wanted[] {
	const content = draft?.request;
	return numbers.map((to) => ({
		to,
		isTest: values.test ?? false,
		text: content?.message,
		content,
	}));
}

export function toOutgoing(
	{ request, surface }: Draft,
	to: string,
	entry: LedgerEntry,
	{
		skipIfAlreadySent: isSkipping,
		whenOutcomeUnknown,
	}: Pick<ItemValues, 'skipIfAlreadySent' | 'whenOutcomeUnknown'>,
	isSingle: boolean,
): Outgoing {
	const { clientReference = isSingle ? entry.reference : undefined } = request;
	// A scheduled message may not appear in history before its time.
	const isScheduled = (request.scheduledAt ?? entry.saved.sent?.scheduledAt) !== undefined;
	return {
		request: { ...request, to, ...(clientReference !== undefined && { clientReference }) },
		surface,
		entry,
		isUsersReference: request.clientReference !== undefined,
		isSentOnce: whenOutcomeUnknown === 'report' || isScheduled,
		isSkipping,
	};
}

/** A message in doubt can no longer be skipped: its outcome is reported, and it is not sent again. */
function skip(planned: Planned, reason: SkipReason): Planned {
	const { outgoing } = planned;
	if (!outgoing) return planned;
	if (outgoing.entry.state === 'inDoubt') {
		return { ...planned, outgoing: { ...outgoing, isSentOnce: true } };
	}
	return { item: planned.item, to: planned.to, draft: planned.draft, skipped: reason };
}

/**
 * Reads and validates all items once, before anything is sent. Messages that an earlier attempt sent are returned even
 * if the rest of their item is now invalid.
 */
export async function readPlan(run: PlanContext, ledger: Ledger): Promise<Plan> {
	const { context, reader, client, surroundings } = run;
	const given: unknown[] = [];
	const items: ItemToSend[] = [];
	const { length } = context.getInputData();
	const invalid = await forEachItem(length, context.getExecutionCancelSignal(), (item) => {
		given[item] = reader.readField('to', item);
		const values = reader.options.read(item);
		const numbers = readRecipients(given[item], values);
		client.requireReachable(numbers);
		const one: ItemToSend = { item, numbers, values };
		// A tool identifies messages by what it is to send.
		if (!surroundings.isTool) items.push(one);
		if (values.refuseEmptyFields) requireFilledFields(context, item);
		one.draft = reader.readDraft(item, surroundings);
		if (surroundings.isTool) items.push(one);
	});
	const entries = ledger.entries(items.flatMap(toWanted)).values();
	const planned = items.flatMap((one) => {
		const own = one.numbers.map((to) => toPlanned(one, to, entries.next().value!, reader.isSingle));
		const isComplete = own.every(({ record }) => record);
		if (isComplete) invalid.delete(one.item);
		return one.draft || isComplete ? own : own.filter(({ record }) => record);
	});
	return { given, planned: skipSome(reader.options.ofRun(), planned), invalid };
}

function toPlanned(
	{ item, draft, values }: ItemToSend,
	to: string,
	entry: LedgerEntry,
	isSingle: boolean,
): Planned {
	const { record } = entry;
	if (record) return { item, to, record };
	return { item, to, draft, outgoing: draft && toOutgoing(draft, to, entry, values, isSingle) };
}

function skipSome(values: SkipValues, planned: Planned[]): Planned[] {
	const reasons = findSkipReasons(
		values,
		planned.map(({ to, record, outgoing }) => ({
			to,
			isBegun: record !== undefined || outgoing?.entry.state === 'inDoubt',
		})),
	);
	return planned.map((one, n) => (reasons[n] ? skip(one, reasons[n]) : one));
}

/** The charges of all messages that are not skipped. */
export function listCharges({ planned }: Plan): Charge[] {
	return planned.flatMap(({ draft, skipped }) => (draft && !skipped ? [draft.charge] : []));
}

/** Why nothing of the run may be sent: Max Messages, or Send Window if messages can't be scheduled. */
export function findRunError(
	{ planned }: Plan,
	{ maxMessages, sendWindow }: RunValues,
	{ isSingle }: ItemReader,
	begunAt: number,
): unknown {
	const count = planned.filter(({ skipped }) => !skipped).length;
	if (count > maxMessages) return tooManyMessages('maxMessages', { count, maxMessages });
	if (!sendWindow || isSingle) return undefined;
	const result = attempt(() => requireOpen(sendWindow, begunAt));
	return 'error' in result ? result.error : undefined;
}
