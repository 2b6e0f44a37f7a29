import type { IExecuteFunctions, INodeParameters } from 'n8n-workflow';

import { declareError, EmptyError } from '../input/InputError';
import { showDeceptive } from '../input/text';

const mostFieldsNamed = 8;

const emptyInItem = declareError(
	'<Field> is empty: the field <named> is empty in this item',
	'Fill in <named> for this item, or leave the item out, for example with a Filter node.',
);
const noValue = declareError(
	'The expression in <Field> returned no value',
	'Check the expression. <fields> <hint>',
);

const failed = declareError(
	'n8n cannot evaluate the expression in <Field>: <reason>',
	'Correct the expression.<advice>',
);

/** Labels of fields that their names don't spell. Options are named by their reader. */
const labels: Record<string, string> = {
	expectedTo: 'Must Belong To',
	from: 'Sender ID',
	requestId: 'Request ID',
};

function toLabel(field: string): string {
	const words = field.replace(/[A-Z]/g, ' $&');
	return labels[field] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

interface ExpressionError extends Error {
	description?: string | null;
	/** `parameter` is where the expression is, such as `options.timeout`. */
	context: { parameter?: string };
}

// By name: one process can hold two copies of n8n-workflow.
function isOfExpression(error: unknown): error is ExpressionError {
	return (error as Error | undefined)?.name === 'ExpressionError';
}

/**
 * n8n's error of an expression does not say in which field it is.
 * @param label that of the field, if its name does not spell it
 */
export function nameFailedExpression(error: unknown, label?: string): unknown {
	if (!isOfExpression(error) || error.context.parameter === undefined) return error;
	const { message, description, context } = error;
	const field = context.parameter?.split('.').pop() ?? '';
	const Field = label ?? toLabel(field);
	return failed(field, { Field, reason: message, advice: description ? ` ${description}` : '' });
}

function readWritten(context: IExecuteFunctions, field: string): unknown {
	const { parameters } = context.getNode();
	const collections = Object.values(parameters) as Array<INodeParameters | null>;
	return [parameters, ...collections].map((one) => one?.[field]).find(Boolean);
}

/** The field in an expression that only names a field of the item. */
function nameField(context: IExecuteFunctions, field: string): string | undefined {
	const written = String(readWritten(context, field));
	const [, name, , quoted] =
		/^=\{\{ *\$json(?:\.([\w$]+)|\[(['"])([^'"]+)\2\]) *\}\}$/.exec(written) ?? [];
	return name ?? quoted;
}

/** Whether the field is an expression, except `$fromAI`: a model fills it in and never sees it. */
function isExpression(context: IExecuteFunctions, field: string): boolean {
	const raw = readWritten(context, field);
	return typeof raw === 'string' && raw.startsWith('=') && !raw.includes('$fromAI');
}

export function describeFields(json: object = {}): string {
	const names = Object.keys(json).map(showDeceptive);
	if (names.length === 0) return 'The item has no fields.';
	const more = names.length > mostFieldsNamed ? ', …' : '';
	return `The item has the fields ${names.slice(0, mostFieldsNamed).join(', ')}${more}.`;
}

/**
 * Names the expression that failed or returned no value: the editor shows an expression as filled in, so "is empty"
 * alone would be confusing.
 */
export function nameExpression(context: IExecuteFunctions, error: unknown, item: number): unknown {
	if (isOfExpression(error)) return nameFailedExpression(error);
	if (!(error instanceof EmptyError) || !isExpression(context, error.field)) return error;
	const { field, label, hint } = error;
	const { json = {} } = context.getInputData()[item] ?? {};
	const named = nameField(context, field);
	return named !== undefined && Object.hasOwn(json, named)
		? emptyInItem(field, { Field: label, named })
		: noValue(field, { Field: label, fields: describeFields(json), hint });
}
