import { randomBytes } from 'node:crypto';

import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';

import { InputError } from '../input/InputError';

const tools = new WeakMap<object, boolean>();

/**
 * As a tool of an AI agent, a node has one output of the type `ai_tool`. Only that output reaches the model. n8n is asked
 * once a run.
 */
export function isTool(context: IExecuteFunctions): boolean {
	const known = tools.get(context);
	if (known !== undefined) return known;
	const [first] = context.getNodeOutputs();
	const is = first?.type === 'ai_tool' || context.getNode().type.endsWith('Tool');
	tools.set(context, is);
	return is;
}

/** What the model reads about a tool. n8n by itself would pass only the short description in the nodes panel. */
export function toolDescription(text: string): INodeProperties {
	return {
		displayName: 'Description',
		name: 'toolDescription',
		type: 'string',
		typeOptions: { rows: 4 },
		required: true,
		default: text,
		displayOptions: { show: { '@tool': [true] } },
		description: 'Tells the AI model when to use this tool and what its responses mean',
	};
}

/** A model sees little of a thrown error, so failures are returned as responses, unless On Error is set to stop. */
export function isToolThatResponds(context: IExecuteFunctions): boolean {
	return isTool(context) && context.getNode().onError !== 'stopWorkflow';
}

/**
 * n8n calls a tool of its MCP Server Trigger before there is an execution or, in a worker, in that of the trigger. Session
 * and request are not passed on: nothing tells a repeated call from a new one.
 */
export function isCalledOverMcp(context: IExecuteFunctions): boolean {
	if (!isTool(context)) return false;
	const { triggerNode } = context.getExecutionContext?.() ?? {};
	return !context.getExecutionId() || triggerNode?.type.endsWith('.mcpTrigger') === true;
}

/** What a repeated call of a tool returns: the message that the first call sent. */
export function markRepeat<R extends object>(record: R, agoMs: number) {
	const seconds = Math.max(1, Math.round(agoMs / 1000));
	const note = `Sent ${seconds} ${seconds === 1 ? 'second' : 'seconds'} ago. To send another message, change the text.`;
	return { ...record, alreadySent: true, note };
}

/** A record without its encryption key, which is only for the people who read the stored text. */
export function forModel(record: IDataObject): IDataObject {
	const told = { ...record };
	delete told.encryptKey;
	return told;
}

const mostTold = 10;

function outcomeOf({ error, skipped, alreadySent, dryRun, wouldSend }: IDataObject): string {
	if (error) return 'failed';
	if (skipped) return 'skipped';
	if (dryRun) return wouldSend === false ? 'failed' : 'wouldSend';
	return alreadySent ? 'alreadySent' : 'sent';
}

function countBy(records: IDataObject[], wordFor: (record: IDataObject) => string): IDataObject {
	const counts: Record<string, number> = {};
	for (const record of records) counts[wordFor(record)] = (counts[wordFor(record)] ?? 0) + 1;
	return counts;
}

/** Of many records of message history, counts by status and the newest ten. */
export function tellNewest(
	records: IDataObject[],
	shape: (record: IDataObject) => IDataObject,
): IDataObject[] {
	if (records.length <= mostTold) return records.map(shape);
	const timeOf = ({ createdAt }: IDataObject) => String(createdAt ?? '');
	const inOrder = [...records].sort((a, b) => timeOf(b).localeCompare(timeOf(a)));
	const newest = inOrder.slice(0, mostTold).map((record) => forModel(shape(record)));
	const counts = countBy(records, ({ status }) => String(status));
	return [{ ...counts, messages: records.length, newest }];
}

/** Of many records, counts by outcome and the first ten, failures first: hundreds would fill the model's context. */
export function tellInShort(items: INodeExecutionData[]): INodeExecutionData[] {
	if (items.length <= mostTold) return items;
	const records = items.map(({ json }) => json);
	const isFailed = (record: IDataObject) => outcomeOf(record) === 'failed';
	const inOrder = [...records.filter(isFailed), ...records.filter((one) => !isFailed(one))];
	const first = inOrder.slice(0, mostTold);
	const json = { ...countBy(records, outcomeOf), messages: records.length, first };
	return [{ json, pairedItem: { item: 0 } }];
}

/** The arguments of a call by an agent up to version 2; `undefined` for later agents, which give each call an ID. */
function readUncountedCall(context: IExecuteFunctions): IDataObject | undefined {
	const json = context.getInputData()[0]?.json;
	return isTool(context) && json?.toolCallId === undefined ? json : undefined;
}

/** An agent up to version 2 runs its tools within one step, which cannot wait. */
export function isWithinStep(context: IExecuteFunctions): boolean {
	return readUncountedCall(context) !== undefined;
}

const labelsOfCalls = new WeakMap<object, string>();

/**
 * Identifies a run of the node, the same in every attempt. `$runIndex` cannot do that for an agent up to version 2:
 * parallel calls share it, and attempts differ in it. Each call has its own arguments object.
 */
export function readRun(context: IExecuteFunctions): string {
	const call = readUncountedCall(context);
	if (!call) return String(context.evaluateExpression('{{ $runIndex }}', 0) ?? 0);
	const label = labelsOfCalls.get(call) ?? randomBytes(4).toString('hex');
	labelsOfCalls.set(call, label);
	return label;
}

const argumentName = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * With a batch size above 1, n8n fills the parameters of one call by an agent up to version 2 with the arguments of
 * another: an SMS gets the wrong text, or the wrong code is checked. @throws {InputError}
 */
export function requireOwnArguments(context: IExecuteFunctions): void {
	const call = readUncountedCall(context) ?? {};
	const names = Object.keys(call).filter((name) => argumentName.test(name));
	const isMixedUp = names.some((name) => {
		const filledIn = context.evaluateExpression(`{{ $fromAI('${name}') }}`, 0);
		return JSON.stringify(filledIn ?? null) !== JSON.stringify(call[name] ?? null);
	});
	if (!isMixedUp) return;
	throw new InputError(
		'batchSize',
		'Nothing was done: n8n mixed up the arguments of two calls',
		'In the options of the AI Agent, set Batch Size to 1, or replace it with a new AI Agent node (version 3 or later).',
	);
}
