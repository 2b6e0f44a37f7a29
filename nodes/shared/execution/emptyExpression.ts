import type { IExecuteFunctions, INodeParameters } from 'n8n-workflow';

import { EmptyError, InputError } from '../validation/InputError';
import { isTool } from './agentTool';

const mostFieldsNamed = 8;

/** A field of the node as it stands there, before n8n evaluates it. */
function findRaw(parameters: INodeParameters, field: string): unknown {
	const { options, filters } = parameters as Record<string, INodeParameters | undefined>;
	return parameters[field] ?? options?.[field] ?? filters?.[field];
}

/** Whether the builder of the workflow wrote an expression there. A model fills in expressions that it does not see. */
export function isExpression(context: IExecuteFunctions, field: string): boolean {
	if (isTool(context)) return false;
	const raw = findRaw(context.getNode().parameters, field);
	return typeof raw === 'string' && raw.startsWith('=');
}

function describeFields(json: object = {}): string {
	const names = Object.keys(json);
	if (names.length === 0) return 'The item has no fields.';
	const more = names.length > mostFieldsNamed ? ', …' : '';
	return `The item has the fields ${names.slice(0, mostFieldsNamed).join(', ')}${more}.`;
}

/**
 * Says of an empty field that it is an expression: in the editor it looks filled in, so that "is empty" would make
 * no sense.
 */
export function nameEmptyExpression(
	context: IExecuteFunctions,
	error: unknown,
	item: number,
): unknown {
	if (!(error instanceof EmptyError) || !isExpression(context, error.field)) return error;
	const { field, label, hint } = error;
	const fields = describeFields(context.getInputData()[item]?.json);
	return new InputError(field, `${label} is an expression that gave nothing`, `${fields} ${hint}`);
}
