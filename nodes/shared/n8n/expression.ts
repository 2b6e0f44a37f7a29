import type { IExecuteFunctions, INodeParameters } from 'n8n-workflow';

import { EmptyError, InputError, nameFirst, toLabel } from '../input/InputError';
import { showDeceptive, visibleText } from '../input/text';

const mostFieldsNamed = 8;
const longestPiece = 80;

/** `{{ $json.field }}` or `{{ $json["field"] }}`, also several levels deep, and nothing else. */
const plainField = /^\{\{\s*\$json((?:\.[A-Za-z_$][\w$]*|\[(?:'[^'"\\]*'|"[^'"\\]*")\])+)\s*\}\}$/;
const step = /\.([A-Za-z_$][\w$]*)|\[(?:'([^']*)'|"([^"]*)")\]/g;

/** The names on the path to a field of the item; `undefined` for any other expression. */
export function stepsOf(piece: string): string[] | undefined {
	const path = plainField.exec(piece)?.[1];
	if (path === undefined) return undefined;
	return [...path.matchAll(step)].map((match) => match[1] ?? match[2] ?? match[3]);
}

interface ExpressionError extends Error {
	description?: string | null;
	/** `parameter` is where the expression is, such as `options.timeout`. */
	context: { parameter?: string };
}

// By name: one process can hold two copies of n8n-workflow.
export function isOfExpression(error: unknown): error is ExpressionError {
	return (error as Error | undefined)?.name === 'ExpressionError';
}

/**
 * n8n's error of an expression does not say in which field it is.
 * @param label that of the field, if its name does not spell it
 */
export function nameFailedExpression(error: unknown, label?: string): unknown {
	if (!isOfExpression(error) || error.context.parameter === undefined) return error;
	const { message, description } = error;
	const field = error.context.parameter.split('.').pop()!;
	return new InputError(
		field,
		`n8n cannot evaluate the expression in ${label ?? toLabel(field)}: ${message}`,
		`Correct the expression.${description ? ` ${description}` : ''}`,
	);
}

const listFields = (names: Iterable<string>) =>
	nameFirst([...names].map(showDeceptive), mostFieldsNamed);

const fieldsOfRuns = new WeakMap<object, Set<string>>();

/** The fields of all items. Cached: each of many items can ask. */
function fieldsOf(context: IExecuteFunctions): Set<string> {
	const known = fieldsOfRuns.get(context);
	if (known) return known;
	const names = new Set(context.getInputData().flatMap(({ json }) => Object.keys(json)));
	fieldsOfRuns.set(context, names);
	return names;
}

/** The error of an expression that is more than a field. */
function refuseComputed(
	context: IExecuteFunctions,
	item: number,
	{ field, label, code, ending }: Record<'field' | 'label' | 'code' | 'ending', string>,
): InputError {
	const names = listFields(Object.keys(context.getInputData()[item]?.json ?? {}));
	const fields = names === '' ? 'The item has no fields.' : `The item has the fields ${names}.`;
	const hint = `Check the expression. ${fields}${ending}`;
	return new InputError(field, `${label}: ${shorten(code)} is empty`, hint);
}

/**
 * The error of a field that no item has: it is misspelled, and would leave a gap in every text.
 * @param orOption what to do if it is not misspelled
 */
function findUnknown(
	context: IExecuteFunctions,
	field: string,
	{ label, code, orOption = '' }: { label: string; code: string; orOption?: string },
): InputError | undefined {
	const [unknown] = stepsOf(code) ?? [];
	const names = fieldsOf(context);
	if (unknown === undefined || names.has(unknown)) return undefined;
	const known = [...names].find((one) => visibleText(one) === visibleText(unknown));
	const [message, hint] =
		known === undefined
			? [
					`${label}: no item has the field ${unknown}; they have ${listFields(names) || 'no fields'}`,
					`Correct the name, or drag the field from the input.${orOption}`,
				]
			: [
					`${label} uses the field ${unknown}, but the name of the field is "${showDeceptive(known)}"`,
					'It has a space or an invisible character, as the first column of a "CSV UTF-8" of Excel does. Drag the field from the input, or switch on Exclude Byte Order Mark (BOM) in Extract from File.',
				];
	return new InputError(field, message, hint, { isOfRun: true });
}

function shorten(code: string): string {
	return code.length > longestPiece ? `${code.slice(0, longestPiece).toWellFormed()}…` : code;
}

/**
 * The error of a `{{ }}` in a text without a value.
 * @param what such as `empty` or `#N/A`
 * @param hasOption whether the node has the option Allow Empty Fields
 */
export function describeGap(
	context: IExecuteFunctions,
	{ field, code, what }: Record<'field' | 'code' | 'what', string>,
	item: number,
	hasOption: boolean,
): InputError {
	const label = toLabel(field);
	const orOption = hasOption ? ' If it may be empty, add the option Allow Empty Fields.' : '';
	const unknown = findUnknown(context, field, { label, code, orOption });
	if (unknown) return unknown;
	// A default for a misspelled field would leave the gap in every text.
	if (!stepsOf(code) && what === 'empty')
		return refuseComputed(context, item, { field, label, code, ending: orOption });
	const example = what.startsWith('"')
		? "($json.name || '') for it"
		: code.replace(/\s*\}\}$/, " || '' }}");
	const more = hasOption ? ', or add the option Allow Empty Fields' : '';
	const hint = `Fill in the field. If it may be empty, write ${example}${more}.`;
	return new InputError(field, `${label}: ${shorten(code)} is ${what}`, hint);
}

function explainEmpty(context: IExecuteFunctions, error: EmptyError, item: number): InputError {
	const { field, label, hint } = error;
	const { parameters } = context.getNode();
	const collections = Object.values(parameters) as Array<INodeParameters | null>;
	const written = [parameters, ...collections].map((one) => one?.[field]).find(Boolean);
	// A model fills in `$fromAI`, and never sees it.
	if (typeof written !== 'string' || !/^=(?!.*\$fromAI)/s.test(written)) return error;
	const code = written.slice(1).trim();
	const unknown = findUnknown(context, field, { label, code });
	if (unknown) return unknown;
	const steps = stepsOf(code);
	if (steps) {
		const remedy = `${label} uses this field. Fill it in, or leave the row out, for example with a Filter node.`;
		return new InputError(field, `${steps.join('.')} is empty`, remedy);
	}
	return refuseComputed(context, item, { field, label, code, ending: ` ${hint}` });
}

/**
 * Names the expression that failed or returned no value: the editor shows an expression as filled in, so "is empty"
 * alone would be confusing.
 */
export function nameExpression(context: IExecuteFunctions, error: unknown, item: number): unknown {
	if (isOfExpression(error)) return nameFailedExpression(error);
	return error instanceof EmptyError ? explainEmpty(context, error, item) : error;
}
