import { sleep, type IExecuteFunctions } from 'n8n-workflow';

import type { MessagingServiceClient } from '../client/MessagingServiceClient';
import type { MessageRecord } from '../client/types';
import type { LedgerEntry, Wanted } from '../delivery/entry';
import type { Ledger } from '../delivery/memory';
import { isInDoubt, type Channel, type Outgoing } from '../delivery/Outgoing';
import { attempt, type ItemReport, type ItemResults } from '../n8n/items';
import type { Charge } from '../options/partsHint';
import type { OptOuts } from '../options/optOuts';
import type { ReadField } from '../options/readParameters';
import { createShapeReader, type Shape } from '../options/simplify';
import { declareError, type InputError } from '../input/InputError';
import { requireOpen, type SendWindow } from '../options/sendWindow';
import type { Draft, Surroundings } from './draft';
import {
	findSkipReasons,
	readRecipients,
	type RecipientValues,
	type SkipReason,
	type SkipValues,
} from './recipients';

const tooManyMessages = declareError(
	'The run has <count> messages, but Max Messages is <maxMessages>',
	'Check where the recipients come from, or raise Max Messages.',
);

const tooManyOfTool = declareError(
	'The tool has sent <sent> messages; <count> more exceed Max Messages (<maxMessages>)',
	'The limit applies to all calls of the execution. Send fewer, or raise Max Messages.',
);

/** Values of the options for a whole run. */
export interface RunValues extends SkipValues {
	doNotSendTo: OptOuts;
	dryRun: boolean;
	maxMessages: number;
	parallelRequests: number;
	pricePerPart: number;
	sendWindow: SendWindow | undefined;
	/** Milliseconds. */
	timeout: number;
}

/** Values of the options for one item. */
export interface ItemValues extends RecipientValues {
	clientReference?: string;
	skipIfAlreadySent: boolean;
	test?: boolean;
	whenOutcomeUnknown: 'sendAgain' | 'report';
}

/** Those that a message depends on. */
type MessageValues = Pick<ItemValues, 'clientReference' | 'test' | 'whenOutcomeUnknown'> &
	Partial<Pick<ItemValues, 'skipIfAlreadySent'>>;

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
	values: MessageValues;
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
	/** How the records of each item are returned; absent for some invalid items. */
	shapes: Array<Shape | undefined>;
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

/** What differs between the nodes that send many messages. */
export interface SendingNode extends ItemReader {
	openChannel(client: MessagingServiceClient): Channel;
}

/** Everything that sending or rehearsing a run requires. */
export interface SendRun extends PlanContext {
	node: SendingNode;
	values: RunValues;
	client: MessagingServiceClient;
	results: ItemResults;
	reports: ItemReport[];
	ledger: Ledger;
	channel: Channel;
}

/** What an item is to send. Without a draft, only what an earlier attempt has sent can be returned or looked up. */
export interface ItemToSend {
	item: number;
	numbers: string[];
	values: MessageValues;
	draft?: Draft;
}

export function toWanted({ numbers, values, draft }: ItemToSend): Wanted[] {
	const content = draft?.request;
	return numbers.map((to) => ({
		to,
		isTest: values.test ?? false,
		text: content?.message,
		content,
	}));
}

export function toOutgoing(
	{ request, surface }: Pick<Draft, 'request' | 'surface'>,
	to: string,
	entry: LedgerEntry,
	{ skipIfAlreadySent: isSkipping = false, whenOutcomeUnknown }: MessageValues,
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

/** Whether no attempt has sent it, and it would be sent. */
export function isNew({ outgoing }: Planned): boolean {
	return outgoing !== undefined && !isInDoubt(outgoing);
}

/** The message is looked up if it is in doubt, and not sent again. */
export function neverAgain(planned: Planned): Planned {
	const { outgoing } = planned;
	return { ...planned, ...(outgoing && { outgoing: { ...outgoing, isSentOnce: true } }) };
}

/** A message in doubt can no longer be skipped: its outcome is reported. */
function skip(planned: Planned, reason: SkipReason): Planned {
	const { outgoing, ...others } = planned;
	if (!outgoing) return planned;
	return isInDoubt(outgoing) ? neverAgain(planned) : { ...others, skipped: reason };
}

/**
 * Reads and validates all items once, before anything is sent. Messages that an earlier attempt sent are returned, and
 * those that it left in doubt are looked up, even if the rest of their item is now invalid.
 */
export async function readPlan(run: PlanContext, ledger: Ledger): Promise<Plan> {
	const { context, reader, client, surroundings } = run;
	const given: unknown[] = [];
	const items: ItemToSend[] = [];
	const shapes: Plan['shapes'] = [];
	const readShape = createShapeReader(context, reader.readField);
	const { length } = context.getInputData();
	const invalid = await forEachItem(length, context.getExecutionCancelSignal(), (item) => {
		given[item] = reader.readField('to', item);
		const values = reader.options.read(item);
		const numbers = readRecipients(given[item], values);
		client.requireReachable(numbers);
		const read = attempt(() => {
			shapes[item] = readShape(item);
			return reader.readDraft(item, surroundings);
		});
		const draft = 'value' in read ? read.value : undefined;
		// A tool identifies messages by what it is to send.
		if (draft || !surroundings.isTool) items.push({ item, numbers, values, draft });
		if ('error' in read) throw read.error;
	});
	const wanted = items.flatMap((one) => one.numbers.map((to) => ({ one, to })));
	const all = ledger
		.entries(items.flatMap(toWanted))
		.map((entry, n) => toPlanned(wanted[n].one, wanted[n].to, entry, reader.isSingle));
	const isLost = ({ record, outgoing }: Planned) => !record && !outgoing;
	const lost = new Set(all.filter(isLost).map(({ item }) => item));
	const planned = all.filter((one) => !isLost(one));
	for (const { item } of items) if (!lost.has(item)) invalid.delete(item);
	return { given, planned: skipSome(reader.options.ofRun(), planned), invalid, shapes };
}

export function toPlanned(
	{ item, draft, values }: ItemToSend,
	to: string,
	entry: LedgerEntry,
	isSingle: boolean,
): Planned {
	const { record, state, saved } = entry;
	const planned = { item, to, values };
	if (record) return { ...planned, record };
	const toOwn = (content: Pick<Draft, 'request' | 'surface'>) =>
		toOutgoing(content, to, entry, values, isSingle);
	if (draft) return { ...planned, draft, outgoing: toOwn(draft) };
	// It is looked up as it was sent.
	if (state !== 'inDoubt' || !saved.sent) return planned;
	return neverAgain({ ...planned, outgoing: toOwn({ request: saved.sent, surface: 'rest' }) });
}

function skipSome(values: SkipValues, planned: Planned[]): Planned[] {
	const reasons = findSkipReasons(
		values,
		planned.map((one) => ({ to: one.to, isBegun: !isNew(one) })),
	);
	return planned.map((one, n) => (reasons[n] ? skip(one, reasons[n]) : one));
}

/** The charges of all messages that are not skipped. */
export function listCharges({ planned }: Plan): Charge[] {
	return planned.flatMap(({ draft, skipped }) => (draft && !skipped ? [draft.charge] : []));
}

/**
 * Why nothing of the run may be sent: Max Messages, or Send Window if messages can't be scheduled.
 * @param sent by earlier calls of a tool, which one execution can call again and again
 */
export function findRunError(
	{ planned }: Plan,
	{ maxMessages, sendWindow }: RunValues,
	{ isSingle }: ItemReader,
	begunAt: number,
	sent = 0,
): InputError | undefined {
	const isCounted = (one: Planned) => !one.skipped && (sent === 0 || isNew(one));
	const count = planned.filter(isCounted).length;
	if (sent > 0 && count > 0 && sent + count > maxMessages)
		return tooManyOfTool('maxMessages', { sent, count, maxMessages }).ofRun();
	if (count > maxMessages) return tooManyMessages('maxMessages', { count, maxMessages }).ofRun();
	if (!sendWindow || isSingle) return undefined;
	const result = attempt(() => requireOpen(sendWindow, begunAt));
	return 'error' in result ? (result.error as InputError).ofRun() : undefined;
}
