import { randomBytes } from 'node:crypto';

import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { InputError } from '../validation/InputError';

/** A node as a tool of an AI agent has one output of the type `ai_tool`; only that one reaches the model. */
export function isTool(context: IExecuteFunctions): boolean {
	const [first] = context.getNodeOutputs();
	return first?.type === 'ai_tool' || context.getNode().type.endsWith('Tool');
}

/** A model learns little of what its tool throws, so failures are responses, unless the user chose to stop. */
export function isToolThatAnswers(context: IExecuteFunctions): boolean {
	return isTool(context) && context.getNode().onError !== 'stopWorkflow';
}

/** What a model is told of a record: an encryption key is for the people who read the stored text. */
export function forModel(record: IDataObject): IDataObject {
	const told = { ...record };
	delete told.encryptKey;
	return told;
}

/** The arguments of a call by an agent up to version 2. Later agents name each call; for those it is `undefined`. */
function readUncountedCall(context: IExecuteFunctions): IDataObject | undefined {
	const json = context.getInputData()[0]?.json;
	return isTool(context) && json?.toolCallId === undefined ? json : undefined;
}

/** An agent up to version 2 runs its tools within one step, in which nothing can wait. */
export function isWithinStep(context: IExecuteFunctions): boolean {
	return readUncountedCall(context) !== undefined;
}

const labelsOfCalls = new WeakMap<object, string>();

/**
 * What tells the runs of a node apart, the same in every attempt. `$runIndex` does not for an agent up to version 2:
 * calls side by side share it, and attempts differ in it. A call has its object for itself.
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
 * With a batch size above 1, n8n fills the parameters of one call of an agent up to version 2 with the arguments of
 * another: an SMS with another's text, a code checked for another. @throws {InputError}
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
		'n8n mixed this call up with one for another item, so nothing was done',
		'In the options of the AI Agent, set Batch Size under Batch Processing to 1, or add a new AI Agent node: its present version keeps the calls apart.',
	);
}
