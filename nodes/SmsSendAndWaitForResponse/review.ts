import type { IExecuteFunctions, IRunExecutionData } from 'n8n-workflow';

import { declareError } from '../shared/validation/InputError';
import { isDeceptive, showDeceptive, toEscape } from '../shared/validation/invisible';

/** The node type under which n8n runs a node as human review of an AI agent's tools. */
export function isReview(context: IExecuteFunctions): boolean {
	return context.getNode().type.endsWith('HitlTool');
}

/** Field of errors about the reviewed call, which the model reads. */
export const callField = 'toolParameters';

/** The call that n8n runs after an approval. */
export interface ReviewedCall {
	tool: string;
	/** As shown to the person. */
	text: string;
}

/** The request of an agent to n8n, as n8n keeps it until the review ends. */
interface AgentAction {
	id?: unknown;
	/** What the model wrote, with the tool and its arguments under `tool` and `toolParameters`. */
	input?: object;
	metadata?: { hitl?: { toolName: string; originalInput: unknown } };
}

const again = 'Call it again with its own arguments only.';
const isList = declareError('The tool did not run: its arguments are a list', again);
const otherTool = declareError('The tool did not run: its arguments name another tool', again);
const otherCall = declareError('The tool did not run: the person would see another call', again);
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
	'To and Approval Options of a review cannot be filled in by the model',
	'Enter them yourself: otherwise the model could choose who approves its calls.',
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

/** n8n fills in `$fromAI` from an object `query` first, and lets an argument `tool` choose the tool of a toolkit. */
function requireHonest(parameters: object, tool: string): void {
	const { query, tool: named = tool } = parameters as { query?: unknown; tool?: unknown };
	if (Array.isArray(parameters)) throw isList(callField);
	if (named !== tool) throw otherTool(callField);
	if (typeof query === 'object' && query !== null) throw queryNotText(callField);
}

/** Names of the arguments that the fields of the review let the model fill in. */
function listAsked(parameters: object): Set<string> {
	const calls = JSON.stringify(parameters).matchAll(/\$fromAI\(\s*\\?["'`]([\w-]+)/gi);
	return new Set(Array.from(calls, ([, name]) => name));
}

/** Other arguments would replace fields of the agent's item, and so change whom and what the review asks. */
function requireAsked(context: IExecuteFunctions, input: object): void {
	const asked = listAsked(context.getNode().parameters).add('tool').add(callField);
	const other = Object.keys(input).find((name) => !asked.has(name));
	if (other !== undefined) throw notAsked(callField, { value: other });
}

/** If the model chooses the person or names the buttons, the review does not protect. */
function requireOwnFields(context: IExecuteFunctions): void {
	const { to, approvalOptions } = context.getNode().parameters;
	if (listAsked([to, approvalOptions]).size > 0) throw ofModel('to');
}

/** Blanks that could move the rest of a text to a line of its own. */
const longBlank = /\s{3,}/gu;

/** Quoted, with blanks as escapes, if it could look like something else, such as further arguments. */
function describeArgument(value: unknown): string {
	const isText = typeof value === 'string' && !isDeceptive(value) && !value.startsWith('"');
	if (isText && value.search(longBlank) < 0) return value;
	const toEscapes = (blanks: string) => Array.from(blanks, toEscape).join('');
	return showDeceptive(JSON.stringify(value) ?? '').replace(longBlank, toEscapes);
}

/** One line for each argument. */
export function describeArguments(parameters: object): string {
	return Object.entries(parameters)
		.map(([name, value]) => {
			const shown = /^[\w.-]+$/.test(name) ? name : showDeceptive(JSON.stringify(name));
			return `${shown}: ${describeArgument(value)}`;
		})
		.join('\n');
}

/** The call to review. @throws InputError if n8n would run another one than its expressions show, or it is not certain */
export function readCall(context: IExecuteFunctions): ReviewedCall {
	const { input = {}, metadata } = findAction(context) ?? {};
	if (!metadata?.hitl) throw unknownCall(callField);
	const { toolName: tool, originalInput } = metadata.hitl;
	// As n8n does it.
	const isFields = typeof originalInput === 'object';
	const parameters = (isFields ? originalInput : { input: originalInput }) ?? {};
	requireHonest(parameters, tool);
	requireAsked(context, input);
	requireOwnFields(context);
	const shown: unknown = context.evaluateExpression(
		'{{ [$tool.name, JSON.stringify($tool.parameters)] }}',
		0,
	);
	const run = [tool, JSON.stringify(originalInput)];
	if (JSON.stringify(shown) !== JSON.stringify(run)) throw otherCall(callField);
	return { tool, text: describeArguments(parameters) };
}

/** An object converted to text. n8n's default review text has the arguments of the call there. */
const unreadable = '[object Object]';

/**
 * The message of a review, with the arguments of the call as text, and what it leaves unsaid of the call: the page
 * shows the whole call, whatever the message says.
 */
export function tellCall(message: unknown, { tool, text }: ReviewedCall) {
	const details = `${tool}\n${text}`;
	if (typeof message !== 'string') return { message, details };
	const told = showDeceptive(message.replaceAll(unreadable, () => text));
	const isTold = message.includes(unreadable) && message.includes(tool);
	return { message: told, details: isTold ? undefined : details };
}
