import type { IExecuteFunctions } from 'n8n-workflow';

/** The node type under which n8n runs a node as human review of an AI agent's tools. */
export function isReview(context: IExecuteFunctions): boolean {
	return context.getNode().type.endsWith('HitlTool');
}

/** An object converted to text. n8n's default review text has the arguments of the call there. */
const unreadable = '[object Object]';

/** Quotes multi-line text, so that it cannot look like further arguments. */
function describeArgument(value: unknown): string {
	const isLine = typeof value === 'string' && !/[\r\n\u2028\u2029]/.test(value);
	return isLine ? value : (JSON.stringify(value) ?? '');
}

/** One line for each argument. */
export function describeArguments(parameters: object): string {
	return Object.entries(parameters)
		.map(([name, value]) => `${describeArgument(name)}: ${describeArgument(value)}`)
		.join('\n');
}

/** The message of a review, with the arguments of the call as text. */
export function fillInArguments(context: IExecuteFunctions, message: unknown): unknown {
	if (typeof message !== 'string' || !message.includes(unreadable)) return message;
	const parameters: unknown = context.evaluateExpression('{{ $tool.parameters }}', 0);
	if (typeof parameters !== 'object' || parameters === null) return message;
	return message.replaceAll(unreadable, () => describeArguments(parameters));
}
