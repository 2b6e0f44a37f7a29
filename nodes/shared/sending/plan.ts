import { type IDataObject, type IExecuteFunctions, sleep } from 'n8n-workflow';

import type { MessagingServiceClient } from '../client/MessagingServiceClient';
import type { Ledger } from '../delivery/memory';
import type { Channel } from '../delivery/message';
import { attempt, describeValue, InputError } from '../input/InputError';
import { listRecipients } from '../input/notation';
import { parseRecipients } from '../input/number';
import { nameItem } from '../n8n/errors';
import type { ItemResults } from '../n8n/items';
import { isCalledOverMcp, isTool } from '../n8n/tool';
import { type Inputs, readDraft, toRecipient } from './draft';
import { findConflicts, isNew, skipSome, takeUp, toNoteKey } from './message';
import type { Message, RunValues } from './message';

export interface Run extends Inputs {
	client: MessagingServiceClient;
	channel: Channel;
	ledger: Ledger;
	results: ItemResults;
	values: RunValues;
}

export interface Fault {
	item: number;
	error: unknown;
	/** Of several recipients, the one that is wrong; the others are sent. */
	entry?: string;
	/** To whom nothing is sent, as the user entered them. An item without any has one that is undefined. */
	recipients: Array<string | undefined>;
}

export interface Plan {
	messages: Message[];
	faults: Fault[];
}

/** An entry of To that is wrong, where the others are sent. */
function toFault(item: number, entry: string, error: unknown): Fault {
	const about = { item, entry, recipients: [entry] };
	if (!(error instanceof InputError)) return { ...about, error };
	const { field, message, hint, facts } = error;
	const outcome = 'Nothing was sent to this recipient.';
	return { ...about, error: new InputError(field, message, hint, { ...facts, outcome }) };
}

/** Reads an item, recipient by recipient. Keeps what was read before a failure: an earlier attempt may have sent it. */
function readItem(run: Run, plan: Plan, item: number): void {
	const { readField, options, client, results, channel, context } = run;
	let given: unknown;
	const messages: Message[] = [];
	const result = attempt(() => {
		given = readField('to', item);
		results.isFor(item, given);
		const values = options.read(item);
		const entries = parseRecipients(given);
		const faults = entries.flatMap((entry) => {
			const one = attempt(() => {
				const to = toRecipient(entry, values);
				client.requireReachable([to]);
				messages.push({ item, entry, to, values });
			});
			if (!('error' in one)) return [];
			if (results.isToStop || entries.length === 1) throw one.error;
			return [toFault(item, entry, one.error)];
		});
		const simplify = readField('simplify', item, {});
		for (const message of messages) message.simplify = simplify;
		const draft = readDraft(run, item, channel.hasReference);
		for (const message of messages) message.draft = draft;
		plan.faults.push(...faults);
	});
	if ('error' in result) {
		const all = listRecipients(given);
		const recipients = all.length > 0 ? all : [undefined];
		plan.faults.push({ item, error: result.error, recipients });
	}
	// A tool identifies messages by what it is to send.
	plan.messages.push(...messages.filter(({ draft }) => draft || !isTool(context)));
}

/** After this many milliseconds, yield to the rest of n8n. */
const turnMs = 50;

async function readItems(run: Run): Promise<Plan> {
	const { context } = run;
	const signal = context.getExecutionCancelSignal();
	const { length } = context.getInputData();
	const plan: Plan = { messages: [], faults: [] };
	let turnAt = Date.now() + turnMs;
	for (let item = 0; item < length && !signal?.aborted; item += 1) {
		readItem(run, plan, item);
		if (Date.now() < turnAt) continue;
		await sleep(0);
		turnAt = Date.now() + turnMs;
	}
	return plan;
}

function toConflict({ item, to, outgoing }: Message): Fault {
	const reference = describeValue(outgoing?.request.clientReference);
	const error = new InputError(
		'clientReference',
		`Two texts to one number have the Client Reference ${reference}`,
		'Use one reference for one notice, such as order-1043-shipped.',
	);
	return toFault(item, to, error);
}

/**
 * Reads and validates all items once, before anything is sent. Messages that an earlier attempt sent are returned, and
 * those that it left in doubt are looked up, even if the rest of their item is now invalid.
 */
export async function readPlan(run: Run): Promise<Plan> {
	const { messages, faults } = await readItems(run);
	const notes = run.ledger.notes(messages.map(toNoteKey));
	for (const [n, one] of messages.entries()) takeUp(one, notes[n], run.channel.hasReference);
	const isKnown = ({ record, outgoing }: Message) => record !== undefined || outgoing !== undefined;
	const known = messages.filter(isKnown);
	const begun = new Set(known.map(({ item, entry }) => `${item} ${entry}`));
	const left = faults.flatMap((fault): Fault[] => {
		const recipients = fault.recipients.filter((one) => !begun.has(`${fault.item} ${one}`));
		return recipients.length > 0 ? [{ ...fault, recipients }] : [];
	});
	const conflicts = new Set(findConflicts(known));
	return {
		messages: skipSome(
			run.values,
			known.filter((one) => !conflicts.has(one)),
			(item) => nameItem(run.context, item),
		),
		faults: [...left, ...[...conflicts].map(toConflict)].sort((a, b) => a.item - b.item),
	};
}

/** Why nothing of the run may be sent: Max Messages. Earlier calls of a tool in the execution count. */
export function findRunError({ context, ledger, values }: Run, plan: Plan): InputError | undefined {
	const { maxMessages } = values;
	// Over MCP, each call is an execution of its own.
	const sent = isTool(context) && !isCalledOverMcp(context) ? ledger.sent : 0;
	const isCounted = (one: Message) => !one.skipped && (sent === 0 || isNew(one));
	const count = plan.messages.filter(isCounted).length;
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

/** A column that was dragged into Do Not Send To reads one row, the one that belongs to the item. @throws InputError */
export function requireWholeList(context: IExecuteFunctions): void {
	const { doNotSendTo: written } = Object(context.getNode().parameters.options) as IDataObject;
	const [, code, read, source, , node] =
		/^=.*\{\{\s*(.*?((\$\((['"])(.+?)\4\))\.item)\b.*?)\s*\}\}/s.exec(String(written)) ?? [];
	if (code === undefined) return;
	const rows = Number(context.evaluateExpression(`{{ ${source}.all().length }}`, 0));
	if (rows < 2) return;
	const filled = `${source}.all().filter((row) => Object.keys(row.json).length)`;
	const list = `${filled}.map((row) => ${code.replaceAll(read, 'row')})`;
	throw new InputError(
		'doNotSendTo',
		`Do Not Send To reads one row of '${node}', which has ${rows}`,
		`Use {{ ${list} }} to skip all of them.`,
		{ isOfRun: true },
	);
}
