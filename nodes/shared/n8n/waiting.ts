import { randomBytes } from 'node:crypto';

import type {
	IDataObject,
	IExecuteFunctions,
	IWebhookDescription,
	IWebhookFunctions,
} from 'n8n-workflow';

import { hideWaitingLinks, isSecretRight } from '../client/secrets';
import { InputError } from '../input/InputError';
import { memoryOf, quote } from './memory';
import { isWithinStep, readRun } from './tool';

const isN8n1 = (context: IExecuteFunctions) => 'setSignatureValidationRequired' in context;

/** n8n resumes the whole execution, and the call that resumes it replaces all items. @throws InputError */
export function requireOneItem(context: IExecuteFunctions): void {
	const { length } = context.getInputData();
	if (length < 2) return;
	const hint = isN8n1(context)
		? 'Use a Loop Over Items node with a batch size of 1: each item waits for the one before.'
		: 'Put this node into a sub-workflow. Call it by Execute Sub-workflow with the mode Run once for each item, and switch Wait For Sub-Workflow Completion off: with it, n8n mixes up the outcomes. Use Loop Over Items only if each item must wait for the one before.';
	const title = `This node waits for one message at a time, but got ${length} items`;
	throw new InputError('to', title, hint);
}

/**
 * When a sub-workflow that waited ends, n8n 1 hands the item that the parent workflow gave it on as its result: an
 * approval in it would come out of a question that was declined. n8n 2 hands on the result. @throws InputError
 */
export function requireWayBack(context: IExecuteFunctions): void {
	if (!isN8n1(context) || context.getMode() !== 'integrated') return;
	throw new InputError(
		'to',
		'On n8n 1, the result of a wait in a sub-workflow is lost',
		'Move this node to the parent workflow, or update to n8n 2.',
	);
}

/** What the node keeps of a wait, from before the send until a call, across restarts of n8n. */
interface Wait {
	run: string;
	execution: string;
	/**
	 * Random, in the address that is called. The token of n8n 2 is the same for all waits of an execution; n8n 1 has none,
	 * and may not check the signature of a link.
	 */
	proof: string;
	/** End of the wait, in ISO 8601 and UTC: n8n ends the wait later, or earlier. Absent before the wait. */
	waitedUntil?: string;
}

/** What a node waits for. Read before the wait, which replaces the item that the node's fields may refer to. */
export type Waiting<W> = W & Wait;

/** Query field that holds the proof. */
export const proofField = 'q';

/**
 * What an earlier attempt of this run has read, since expressions such as `$now` return another value in every attempt.
 * The retry of a failed execution has an address of its own, so it reads for itself.
 */
export function openWait<W extends object>(context: IExecuteFunctions, read: () => W): Waiting<W> {
	const memory = memoryOf<{ wait?: Waiting<W> }>(context);
	const [run, execution] = [readRun(context), context.getExecutionId()];
	const known = memory.wait;
	const isOurs = known?.run === run && known.execution === execution;
	// Calls of a tool within one step share what they are run by, and do not wait.
	if (isOurs && !isWithinStep(context)) return known;
	const proof = randomBytes(12).toString('base64url');
	return (memory.wait = { ...read(), run, execution, proof });
}

/** In a webhook call, a node can read its memory only through an expression. */
export function recallWait<W>(context: IWebhookFunctions): Waiting<W> | undefined {
	const memory = `$node[${quote(context.getNode().name)}].context`;
	const recall = (path: string) =>
		context.evaluateExpression(`{{ ${path} }}`, 0) as unknown as IDataObject | undefined;
	const wait = recall(`${memory}.wait`) as Waiting<W> | undefined;
	if (wait) return wait;
	const [question, awaited] = [recall(`${memory}.question`), recall(`${memory}.awaited`)];
	if (!question && !awaited) return undefined;
	// Begun by version 0.0.10, which kept the texts of a question, and the record of a message in its output.
	const { languageCode: language } = (question?.texts ?? {}) as IDataObject;
	const { waitedUntil, ...record } = question ?? recall('$json') ?? {};
	return { language, record, ...awaited, ...question, waitedUntil } as unknown as Waiting<W>;
}

/** Whether the call is for this wait, not for another one of the execution. */
export function isProven({ proof }: Wait, query: object): boolean {
	const { [proofField]: given, proof: ofEarlierVersion } = query as IDataObject;
	return isSecretRight(proof, given ?? ofEarlierVersion);
}

/** Calls after the end must not resume the execution. */
export function isOver({ waitedUntil = '' }: Wait): boolean {
	return !(Date.now() < Date.parse(waitedUntil));
}

/**
 * n8n sets the timer of a wait up to 70 s before its end, and keeps it when a call resumes the execution. It would end
 * the next wait of the execution or, on n8n 1, run the rest of the execution twice. So n8n's end of a wait is later than
 * the node's own, after which no call resumes the execution.
 */
const afterOwnEndMs = 90_000;

/**
 * At the time limit, n8n passes on the input, so `timedOut` replaces all of it: with Execute Once, the input still
 * holds every item, and `getInputData` is a copy of the first.
 * @param until the end of the wait, in milliseconds since 1970
 */
export async function fallAsleep(
	context: IExecuteFunctions,
	wait: Wait,
	timedOut: IDataObject,
	until: number,
): Promise<IDataObject> {
	wait.waitedUntil = new Date(until).toISOString();
	const [first] = context.getInputData();
	const run = context.getExecuteData();
	run.data.main = [[{ json: hideWaitingLinks(timedOut), pairedItem: first.pairedItem }]];
	// n8n deactivates the node of the run that waits. Queued runs share it, and would hand on their input without asking.
	run.node = { ...run.node };
	await context.putExecutionToWait(new Date(until + afterOwnEndMs));
	return timedOut;
}

/** What resumes an execution. Without responseData, n8n would respond with the first item. */
export function waitingWebhooks(): IWebhookDescription[] {
	const fixed = { name: 'default', responseMode: 'onReceived', responseData: '' } as const;
	const place = { path: '={{ $nodeId }}', restartWebhook: true, isFullPath: true };
	return (['GET', 'POST'] as const).map((httpMethod) => ({ ...fixed, ...place, httpMethod }));
}
