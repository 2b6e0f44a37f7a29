import type { IExecuteFunctions, INodeParameters } from 'n8n-workflow';

import { declareError, EmptyError } from '../validation/InputError';
import { showDeceptive } from '../validation/invisible';

const mostFieldsNamed = 8;

const emptyInItem = declareError(
	'<Field> is empty: the field <named> is empty in this item',
	'Fill in <named> for this item, or leave the item out, for example with a Filter node.',
);
const noValue = declareError(
	'The expression in <Field> returned no value',
	'Check the expression. <fields> <hint>',
);

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

/** The editor shows an expression as filled in, so "is empty" alone would be confusing. */
export function nameEmptyExpression(
	context: IExecuteFunctions,
	error: unknown,
	item: number,
): unknown {
	if (!(error instanceof EmptyError) || !isExpression(context, error.field)) return error;
	const { field, label, hint } = error;
	const { json = {} } = context.getInputData()[item] ?? {};
	const named = nameField(context, field);
	return named !== undefined && Object.hasOwn(json, named)
		? emptyInItem(field, { Field: label, named })
		: noValue(field, { Field: label, fields: describeFields(json), hint });
}
