import { sleep, type IExecuteFunctions } from 'n8n-workflow';

import type { MessagingServiceClient } from '../client/MessagingServiceClient';
import type { MessageRecord } from '../client/types';
import type { Ledger } from '../delivery/ledger';
import type { LedgerEntry } from '../delivery/LedgerEntry';
import type { Outgoing } from '../delivery/Outgoing';
import { attempt } from '../execution/runPerItem';
import type { Charge } from '../fields/partsHint';
import type { ReadField } from '../fields/readParameters';
import { InputError } from '../validation/InputError';
import { countOccurrences } from '../validation/recipient';
import { requireOpen, type SendWindow } from '../validation/sendWindow';
import { requireFilledFields } from './emptyFields';
import type { Draft, Surroundings } from './readDraft';
import { readRecipients, type RecipientValues } from './recipients';
import { Skips, type SkipReason, type SkipValues } from './Skips';

/** Values of the options for a whole run. */
export interface RunValues extends SkipValues {
	dryRun: boolean;
	maxMessages: number;
	parallelRequests: number;
	/** 0 if not set. */
	pricePerPart: number;
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

/** Reads the recipients of all items. They come first: the ledger of the run is found by them. */
export async function readAllRecipients({ context, client, reader }: PlanContext): Promise<{
	/** `undefined` if To could not be read. */
	given: unknown[];
	numbers: string[][];
	invalid: Map<number, unknown>;
}> {
	const { length } = context.getInputData();
	const given: unknown[] = [];
	const numbers: string[][] = [];
	const signal = context.getExecutionCancelSignal();
	const invalid = await forEachItem(length, signal, (item) => {
		given[item] = reader.readField('to', item);
		const recipients = readRecipients(given[item], reader.options.read(item));
		client.requireReachable(recipients);
		numbers[item] = recipients;
	});
	return { given, numbers, invalid };
}

/** Plans the messages of an item. Those that an earlier attempt sent are returned even if the rest is now invalid. */
function planItem(
	{ context, reader, surroundings }: PlanContext,
	ledger: Ledger,
	item: number,
	numbers: string[],
): Planned[] | { sent: Planned[]; error: unknown } {
	const values = reader.options.read(item);
	const read = () => {
		if (values.refuseEmptyFields) requireFilledFields(context, item);
		return reader.readDraft(item, surroundings);
	};
	const early = surroundings.isTool ? read() : undefined;
	const occurrences = countOccurrences(numbers);
	const entries = numbers.map((to, n) => {
		const isTest = values.test ?? false;
		const content = early?.request;
		const entry = ledger.entry(item, to, { occurrence: occurrences[n], isTest, content });
		return { to, entry };
	});
	const sent = entries.flatMap(({ to, entry: { record } }) =>
		record ? [{ item, to, record }] : [],
	);
	if (sent.length === entries.length) return sent;
	const rest = attempt(() => early ?? read());
	if ('error' in rest) return { sent, error: rest.error };
	const draft = rest.value;
	return entries.map(({ to, entry }) => {
		const { record } = entry;
		if (record) return { item, to, record };
		return { item, to, draft, outgoing: toOutgoing(draft, to, entry, values, reader.isSingle) };
	});
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

/** Reads and validates all items once, before anything is sent. */
export async function readPlan(
	run: PlanContext,
	ledger: Ledger,
	{ numbers, invalid: early }: { numbers: string[][]; invalid: Map<number, unknown> },
): Promise<Plan> {
	const { context, reader } = run;
	const values = reader.options.ofRun();
	const isSkipping = values.skipDuplicates || values.doNotSendTo.size > 0;
	const skips = isSkipping ? new Skips(values, ledger.begun()) : undefined;
	const planned: Planned[] = [];
	const signal = context.getExecutionCancelSignal();
	const invalid = await forEachItem(numbers.length, signal, (item) => {
		if (!numbers[item]) return;
		const messages = planItem(run, ledger, item, numbers[item]);
		if ('error' in messages) {
			planned.push(...messages.sent);
			throw messages.error;
		}
		const reasons = skips?.findReasons(numbers[item], item) ?? [];
		for (const [n, message] of messages.entries()) {
			const reason = reasons[n];
			planned.push(reason ? skip(message, reason) : message);
		}
	});
	const all = [...early, ...invalid].sort(([a], [b]) => a - b);
	return { planned, invalid: new Map(all) };
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
	if (count > maxMessages) {
		return new InputError(
			'maxMessages',
			`The run has ${count} messages, but Max Messages is ${maxMessages}`,
			'Check where the recipients come from, or raise Max Messages.',
		);
	}
	if (!sendWindow || isSingle) return undefined;
	const result = attempt(() => requireOpen(sendWindow, begunAt));
	return 'error' in result ? result.error : undefined;
}
