import { NodeConnectionTypes, type IExecuteFunctions, type IRunExecutionData } from 'n8n-workflow';

import { isRecord } from '../shared/client/json';
import { declareError } from '../shared/validation/InputError';
import { showDeceptive, toEscape } from '../shared/validation/invisible';
import type { PageTexts } from './pageOptions';

/** The node type under which n8n runs a node as human review of an AI agent's tools. */
export function isReview(context: IExecuteFunctions): boolean {
	return context.getNode().type.endsWith('HitlTool');
}

/** Field of errors about the reviewed call, which the model reads. */
export const callField = 'toolParameters';

/** An object converted to text: n8n's default review text has the arguments of the call there. */
export const callPlace = '[object Object]';

/** The words of a review around the call, which the page and the SMS show themselves. */
export function withoutCall(message: string): string {
	return message
		.replaceAll(callPlace, '')
		.replace(/\n\s*\n/g, '\n')
		.trim();
}

/** As shown to the person. */
export interface Argument {
	name: string;
	text: string;
	/** Characters of the value itself. */
	length: number;
	/** Of a list; 1 for anything else. */
	entries: number;
}

/** The call that n8n runs after an approval. */
export interface ReviewedCall {
	tool: string;
	arguments: Argument[];
}

/** The request of an agent to n8n, as n8n keeps it until the review ends. */
interface AgentAction {
	id?: unknown;
	/** What the model wrote, with the tool and its arguments under `tool` and `toolParameters`. */
	input?: object;
	metadata?: { hitl?: { toolName: string; originalInput: unknown } };
}

const notOfTool = declareError(
	'The tool did not run: it does not ask for the argument <value>',
	'Call it again with its own arguments only: <names>.',
);
const otherTool = declareError(
	'The tool did not run: its arguments name another tool',
	'Call it again without the argument tool.',
);
const otherCall = declareError(
	'The tool did not run: the person would see another call',
	'Call it again with its own arguments only.',
);
const queryNotText = declareError(
	'The tool did not run: its argument query is not text',
	'n8n would use the values in query instead of those that the person sees. Call it again without query, or with text in it.',
);
const notAsked = declareError(
	'The tool did not run: the review did not ask for the argument <value>',
	'Call it again without this argument.',
);
const unknownCall = declareError(
	'The tool did not run: n8n did not say which call to review',
	'Call each tool once at a time. If this does not help, update n8n-nodes-messaging-service: n8n may be newer.',
);
const ofModel = declareError(
	'The model may fill in only Message of a review',
	'Enter the other fields yourself: otherwise the model could choose who approves its calls.',
);

/**
 * The item of a review holds the model's account of the call. n8n runs what it keeps with the agent, which is found by
 * the ID of the call, the only field of the item that the model cannot write. No public method returns it.
 */
function findAction(context: IExecuteFunctions): AgentAction | undefined {
	const { runExecutionData } = context as { runExecutionData?: IRunExecutionData };
	const stack = runExecutionData?.executionData?.nodeExecutionStack ?? [];
	const actions = stack
		.flatMap(({ metadata }) => metadata?.subNodeExecutionData?.actions ?? [])
		.map(({ action }): AgentAction => action);
	const [first] = context.getInputData();
	const found = actions.filter(({ id }) => id === first.json.toolCallId);
	return found.length === 1 ? found[0] : undefined;
}

/** The argument names of a schema of Zod or JSON; undefined if it is of another kind. */
function namesIn(schema: unknown): string[] | undefined {
	if (!isRecord(schema)) return undefined;
	const { shape, properties, _def: definition } = schema;
	const fields = [shape, properties].find(isRecord);
	if (fields) return Object.keys(fields);
	// A transformed Zod schema, as of tools that take one text.
	const { schema: inner, in: piped } = isRecord(definition) ? definition : {};
	return namesIn(inner ?? piped);
}

/** What the reviewed tool asks for, whether it is a node or comes from a toolkit such as that of an MCP server. */
async function listNames(context: IExecuteFunctions, tool: string): Promise<string[]> {
	const connected: unknown = await context.getInputConnectionData(NodeConnectionTypes.AiTool, 0);
	const found = [connected]
		.flat(2)
		.flatMap((one) => (isRecord(one) && Array.isArray(one.tools) ? (one.tools as unknown[]) : one))
		.filter((one) => isRecord(one) && one.name === tool);
	const names = found.length === 1 && isRecord(found[0]) ? namesIn(found[0].schema) : undefined;
	if (!names) throw unknownCall(callField);
	return names;
}

/**
 * Only arguments that the tool asks for exist, by their exact names: any other could look like one of them. n8n fills in
 * `$fromAI` from an object `query` first, and lets an argument `tool` choose the tool of a toolkit.
 */
function requireHonest(parameters: object, tool: string, names: string[]): void {
	const foreign = Object.keys(parameters).find((name) => !names.includes(name));
	if (foreign !== undefined)
		throw notOfTool(callField, { value: foreign, names: names.join(', ') || 'none' });
	const { query, tool: named = tool } = parameters as { query?: unknown; tool?: unknown };
	if (named !== tool) throw otherTool(callField);
	if (typeof query === 'object' && query !== null) throw queryNotText(callField);
}

/** Names of the arguments that the fields of the review let the model fill in. */
function listAsked(parameters: object): Set<string> {
	const calls = JSON.stringify(parameters).matchAll(/\$fromAI\(\s*\\?["'`]([\w-]+)/gi);
	return new Set(Array.from(calls, ([, name]) => name));
}

/**
 * If the model chooses the person or names the buttons, the review does not protect. Arguments that Message does not ask
 * for would replace fields of the agent's item, and so change whom and what the review asks.
 */
function requireOwnReview(context: IExecuteFunctions, input: object): void {
	const { message = '', ...own } = context.getNode().parameters;
	if (listAsked(own).size > 0) throw ofModel('to');
	const asked = listAsked([message]).add('tool').add(callField);
	const other = Object.keys(input).find((name) => !asked.has(name));
	if (other !== undefined) throw notAsked(callField, { value: other });
}

/** Blanks that could move the rest of a text to a line of its own. */
const longBlank = /\s{3,}/gu;

/** Quoted, with blanks as escapes, if it could look like something else, such as further arguments. */
function describeValue(value: unknown): string {
	const isPlain = typeof value === 'string' && !/\s{3,}|[\n\r\t]|^"/u.test(value);
	if (isPlain && showDeceptive(value) === value) return value;
	const toEscapes = (blanks: string) => Array.from(blanks, toEscape).join('');
	return showDeceptive(JSON.stringify(value) ?? '').replace(longBlank, toEscapes);
}

/** Entries of a list, or of a text with several phone numbers. */
function countEntries(value: unknown): number {
	if (typeof value !== 'string') return Array.isArray(value) ? value.length : 1;
	const entries = value.split(/[,;\n]/);
	return entries.every((entry) => /^[\s+()\d-]{7,25}$/.test(entry)) ? entries.length : 1;
}

function toArgument([name, value]: [string, unknown]): Argument {
	const own = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
	const { length } = Array.from(own);
	return { name, text: describeValue(value), length, entries: countEntries(value) };
}

/** Such as `500 entries, 6,499 characters`. */
export function describeSize(
	{ entries, length }: Omit<Argument, 'name' | 'text'>,
	texts: PageTexts,
): string {
	const count = (many: number) => many.toLocaleString('en-US');
	const characters = `${count(length)} ${texts.characters}`;
	return entries > 1 ? `${count(entries)} ${texts.entries}, ${characters}` : characters;
}

/** The call to review. @throws InputError if n8n would run another one than its expressions show, or it is not certain */
export async function readCall(context: IExecuteFunctions): Promise<ReviewedCall> {
	const { input = {}, metadata } = findAction(context) ?? {};
	if (!metadata?.hitl) throw unknownCall(callField);
	const { toolName: tool, originalInput = {} } = metadata.hitl;
	// As n8n does it.
	const isFields = typeof originalInput === 'object';
	const parameters = (isFields ? originalInput : { input: originalInput }) ?? {};
	requireHonest(parameters, tool, await listNames(context, tool));
	requireOwnReview(context, input);
	const shown: unknown = context.evaluateExpression(
		'{{ [$tool.name, JSON.stringify($tool.parameters)] }}',
		0,
	);
	const run = [tool, JSON.stringify(metadata.hitl.originalInput)];
	if (JSON.stringify(shown) !== JSON.stringify(run)) throw otherCall(callField);
	return { tool, arguments: Object.entries(parameters).map(toArgument) };
}
