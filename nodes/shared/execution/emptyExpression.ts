import type { IExecuteFunctions, INodeParameters } from 'n8n-workflow';

import { EmptyError, InputError } from '../validation/InputError';
import { isTool } from './agentTool';

const mostFieldsNamed = 8;

/** A field of the node as it stands there, before n8n evaluates it. */
function findRaw(parameters: INodeParameters, field: string): unknown {
	const { options, filters } = parameters as Record<string, INodeParameters | undefined>;
	return parameters[field] ?? options?.[field] ?? filters?.[field];
}

function describeFields(json: object = {}): string {
	const names = Object.keys(json);
	if (names.length === 0) return 'The item has no fields.';
	const more = names.length > mostFieldsNamed ? ', …' : '';
	return `The item has the fields ${names.slice(0, mostFieldsNamed).join(', ')}${more}.`;
}

/**
 * Says of an empty field that it is an expression: in the editor it looks filled in, so that "is empty" would make
 * no sense. A model fills in expressions that it does not see.
 */
export function nameEmptyExpression(
	context: IExecuteFunctions,
	error: unknown,
	item: number,
): unknown {
	if (!(error instanceof EmptyError) || isTool(context)) return error;
	const { field, label, hint } = error;
	const raw = findRaw(context.getNode().parameters, field);
	if (typeof raw !== 'string' || !raw.startsWith('=')) return error;
	const fields = describeFields(context.getInputData()[item]?.json);
	return new InputError(field, `${label} is an expression that gave nothing`, `${fields} ${hint}`);
}
