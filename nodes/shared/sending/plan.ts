import { sleep, type IExecuteFunctions } from 'n8n-workflow';

import type { MessagingServiceClient } from '../client/MessagingServiceClient';
import type { Ledger } from '../delivery/memory';
import type { Channel } from '../delivery/message';
import { type ItemReport, type ItemResults } from '../n8n/items';
import type * as limits from '../options/limits';
import type { RunValuesOf } from '../options/option';
import type { ReadField } from '../options/readParameters';
import type * as requestOptions from '../options/requestOptions';
import { createShapeReader, type ReadShape, type Shape } from '../options/simplify';
import { attempt, describeValue, InputError } from '../input/InputError';
import { parseRecipients } from '../input/number';
import type { Draft, Surroundings } from './draft';
import {
	fillIn,
	findConflicts,
	isNew,
	skipSome,
	toWanted,
	type ItemValues,
	type Planned,
} from './planned';
import { toRecipient } from './recipients';

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
	invalid: Fault[];
	/** How the records of each item are returned; as they are for some invalid items. */
	shapes: Array<Shape | undefined>;
}

/** Why an item cannot be sent. */
export interface Fault {
	item: number;
	error: unknown;
	/** Of several recipients, the one that is wrong; the others are sent. */
	entry?: string;
}

/** What the items of a run have in common. */
export interface PlanContext {
	context: IExecuteFunctions;
	client: Pick<MessagingServiceClient, 'requireReachable'>;
	node: Omit<SendingNode, 'openChannel'>;
	surroundings: Surroundings;
	/** Whether a failure fails the node; otherwise each recipient is judged alone. */
	isToStop: boolean;
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

/** An entry of To that is wrong, where the others are sent. */
function toFault(item: number, entry: string, error: unknown): Fault {
	if (!(error instanceof InputError)) return { item, entry, error };
	const { field, message, hint, facts } = error;
	const outcome = 'Nothing was sent to this recipient.';
	return { item, entry, error: new InputError(field, message, hint, { ...facts, outcome }) };
}

function toConflict({ item, to, outgoing }: Planned): Fault {
	const reference = describeValue(outgoing?.request.clientReference);
	const error = new InputError(
		'clientReference',
		`Two texts to one number have the Client Reference ${reference}`,
		'Use one reference for one notice, such as order-1043-shipped.',
	);
	return toFault(item, to, error);
}

/** The messages of an item without their text, and which of its recipients cannot be sent to. @throws InputError */
function readMessages(
	{ node, client, isToStop }: PlanContext,
	item: number,
	given: unknown,
): { messages: Planned[]; faults: Fault[] } {
	const values = node.options.read(item);
	const entries = parseRecipients(given);
	const faults: Fault[] = [];
	const messages = entries.flatMap((entry) => {
		const result = attempt(() => {
			const to = toRecipient(entry, values);
			client.requireReachable([to]);
			return { item, to, values };
		});
		if ('value' in result) return [result.value];
		if (isToStop || entries.length === 1) throw result.error;
		faults.push(toFault(item, entry, result.error));
		return [];
	});
	return { messages, faults };
}

function readItem(run: PlanContext, plan: Plan, readShape: ReadShape, item: number): void {
	const { node, surroundings } = run;
	let messages: Planned[] = [];
	// Keeps what was read before a failure: an earlier attempt may have sent it.
	const result = attempt(() => {
		plan.given[item] = node.readField('to', item);
		const read = readMessages(run, item, plan.given[item]);
		messages = read.messages;
		plan.shapes[item] = readShape(item);
		const draft = node.readDraft(item, surroundings);
		for (const message of messages) message.draft = draft;
		plan.invalid.push(...read.faults);
	});
	if ('error' in result) plan.invalid.push({ item, error: result.error });
	// A tool identifies messages by what it is to send.
	plan.planned.push(...messages.filter(({ draft }) => draft || !surroundings.isTool));
}

/** After this many milliseconds, yield to the rest of n8n. */
const turnMs = 50;

async function readItems(run: PlanContext): Promise<Plan> {
	const { context, node } = run;
	const readShape = createShapeReader(node.readField);
	const signal = context.getExecutionCancelSignal();
	const { length } = context.getInputData();
	const plan: Plan = { given: [], planned: [], invalid: [], shapes: [] };
	let turnAt = Date.now() + turnMs;
	for (let item = 0; item < length && !signal?.aborted; item += 1) {
		plan.given[item] = undefined;
		readItem(run, plan, readShape, item);
		if (Date.now() < turnAt) continue;
		await sleep(0);
		turnAt = Date.now() + turnMs;
	}
	return plan;
}

/**
 * Reads and validates all items once, before anything is sent. Messages that an earlier attempt sent are returned, and
 * those that it left in doubt are looked up, even if the rest of their item is now invalid.
 */
export async function readPlan(run: PlanContext, ledger: Ledger): Promise<Plan> {
	const { node } = run;
	const plan = await readItems(run);
	const noted = ledger.notes(plan.planned.map(toWanted));
	for (const [n, one] of plan.planned.entries()) fillIn(one, noted[n], node.isSingle);
	const isLost = ({ record, outgoing }: Planned) => !record && !outgoing;
	const lost = new Set(plan.planned.filter(isLost).map(({ item }) => item));
	const found = new Set(plan.planned.map(({ item }) => item).filter((item) => !lost.has(item)));
	const left = plan.planned.filter((one) => !isLost(one));
	const conflicts = new Set(findConflicts(left));
	const invalid = plan.invalid.filter(({ item, entry }) => entry !== undefined || !found.has(item));
	return {
		...plan,
		planned: skipSome(
			node.options.ofRun(),
			left.filter((one) => !conflicts.has(one)),
		),
		invalid: [...invalid, ...[...conflicts].map(toConflict)].sort((a, b) => a.item - b.item),
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
	if (count === 0 || sent + count <= maxMessages) return undefined;
	const [message, hint] =
		sent > 0
			? [
					`The tool has sent ${sent} messages; ${count} more exceed Max Messages (${maxMessages})`,
					'The limit applies to all calls of the execution. Send fewer, or raise Max Messages.',
				]
			: [
					`The run has ${count} messages, but Max Messages is ${maxMessages}`,
					'Check where the recipients come from, or raise Max Messages.',
				];
	return new InputError('maxMessages', message, hint, { isOfRun: true });
}
