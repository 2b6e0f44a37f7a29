import { sleep, type IExecuteFunctions } from 'n8n-workflow';

import type { MessagingServiceClient } from '../client/MessagingServiceClient';
import type { Ledger } from '../delivery/memory';
import type { Channel } from '../delivery/message';
import { type ItemReport, type ItemResults } from '../n8n/items';
import type * as limits from '../options/limits';
import type { RunValuesOf } from '../options/option';
import type { ReadField } from '../options/readParameters';
import type * as requestOptions from '../options/requestOptions';
import { createShapeReader, type Shape } from '../options/simplify';
import { attempt, declareError, type InputError } from '../input/InputError';
import type { Draft, Surroundings } from './draft';
import {
	isNew,
	skipSome,
	toPlanned,
	toWanted,
	type ItemToSend,
	type ItemValues,
	type Planned,
} from './planned';
import { readRecipients } from './recipients';

const tooManyMessages = declareError(
	'The run has <count> messages, but Max Messages is <maxMessages>',
	'Check where the recipients come from, or raise Max Messages.',
);

const tooManyOfTool = declareError(
	'The tool has sent <sent> messages; <count> more exceed Max Messages (<maxMessages>)',
	'The limit applies to all calls of the execution. Send fewer, or raise Max Messages.',
);

/** Values of the options for a whole run. */
export type RunValues = RunValuesOf<typeof limits & typeof requestOptions>;

/** What differs between the nodes that send many messages. @throws InputError from each method that reads */
export interface SendingNode {
	readField: ReadField;
	options: { ofRun(): RunValues; read(item: number): ItemValues };
	/** The messages of an item without their recipients. */
	readDraft(item: number, surroundings: Surroundings): Draft;
	/** Whether messages have a reference and can be scheduled. */
	isSingle: boolean;
	openChannel(client: MessagingServiceClient): Channel;
}

export interface Plan {
	/** To of each item, as the user entered it; `undefined` if it could not be read. */
	given: unknown[];
	planned: Planned[];
	/** Why items cannot be sent. */
	invalid: Map<number, unknown>;
	/** How the records of each item are returned; as they are for some invalid items. */
	shapes: Array<Shape | undefined>;
}

/** What the items of a run have in common. */
export interface PlanContext {
	context: IExecuteFunctions;
	client: Pick<MessagingServiceClient, 'requireReachable'>;
	node: Omit<SendingNode, 'openChannel'>;
	surroundings: Surroundings;
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

/** An item as it was read. With an error, only what an earlier attempt has sent of it can be returned or looked up. */
interface ReadItem {
	/** To, as the user entered it. */
	given?: unknown;
	shape?: Shape;
	toSend?: ItemToSend;
	error?: unknown;
}

function readItem(
	{ node, client, surroundings }: PlanContext,
	readShape: (item: number) => Shape,
	item: number,
): ReadItem {
	// Keeps what was read before a failure: an earlier attempt may have sent it.
	const read: ReadItem = {};
	const result = attempt(() => {
		read.given = node.readField('to', item);
		const values = node.options.read(item);
		const numbers = readRecipients(read.given, values);
		client.requireReachable(numbers);
		read.toSend = { item, numbers, values };
		read.shape = readShape(item);
		read.toSend.draft = node.readDraft(item, surroundings);
	});
	return { ...read, ...('error' in result && { error: result.error }) };
}

/** After this many milliseconds, yield to the rest of n8n. */
const turnMs = 50;

async function readItems(run: PlanContext): Promise<ReadItem[]> {
	const { context, node } = run;
	const readShape = createShapeReader(node.readField);
	const signal = context.getExecutionCancelSignal();
	const { length } = context.getInputData();
	const read: ReadItem[] = [];
	let turnAt = Date.now() + turnMs;
	while (read.length < length && !signal?.aborted) {
		read.push(readItem(run, readShape, read.length));
		if (Date.now() < turnAt) continue;
		await sleep(0);
		turnAt = Date.now() + turnMs;
	}
	return read;
}

/**
 * Reads and validates all items once, before anything is sent. Messages that an earlier attempt sent are returned, and
 * those that it left in doubt are looked up, even if the rest of their item is now invalid.
 */
export async function readPlan(run: PlanContext, ledger: Ledger): Promise<Plan> {
	const { node, surroundings } = run;
	const read = await readItems(run);
	const items = read
		.flatMap(({ toSend }) => toSend ?? [])
		// A tool identifies messages by what it is to send.
		.filter(({ draft }) => draft || !surroundings.isTool);
	const wanted = items.flatMap((one) => one.numbers.map((to) => ({ one, to })));
	const all = ledger
		.notes(items.flatMap(toWanted))
		.map((noted, n) => toPlanned(wanted[n].one, wanted[n].to, noted, node.isSingle));
	const isLost = ({ record, outgoing }: Planned) => !record && !outgoing;
	const lost = new Set(all.filter(isLost).map(({ item }) => item));
	const complete = new Set(items.map(({ item }) => item).filter((item) => !lost.has(item)));
	const planned = all.filter((one) => !isLost(one));
	return {
		given: read.map(({ given }) => given),
		planned: skipSome(node.options.ofRun(), planned),
		invalid: new Map(
			read.flatMap(
				({ error }, item): Array<[number, unknown]> =>
					error === undefined || complete.has(item) ? [] : [[item, error]],
			),
		),
		shapes: read.map(({ shape }) => shape),
	};
}

/**
 * Why nothing of the run may be sent: Max Messages.
 * @param sent by earlier calls of a tool, which one execution can call again and again
 */
export function findRunError(
	{ planned }: Plan,
	{ maxMessages }: Pick<RunValues, 'maxMessages'>,
	sent: number,
): InputError | undefined {
	const isCounted = (one: Planned) => !one.skipped && (sent === 0 || isNew(one));
	const count = planned.filter(isCounted).length;
	if (sent > 0 && count > 0 && sent + count > maxMessages)
		return tooManyOfTool('maxMessages', { sent, count, maxMessages }).ofRun();
	if (count > maxMessages) return tooManyMessages('maxMessages', { count, maxMessages }).ofRun();
	return undefined;
}
