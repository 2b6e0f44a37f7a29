import {
	ExpressionParser,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeParameters,
} from 'n8n-workflow';

import { describeFields } from '../execution/emptyExpression';
import { attempt } from '../execution/items';
import { declareError, type InputError } from '../validation/InputError';
import { showDeceptive } from '../validation/invisible';
import { isLostValue } from '../validation/text';

/** The `{{ ... }}` of an expression, verbatim and in order, as n8n cuts them out. */
export function listPieces(expression: string): string[] {
	return ExpressionParser.splitExpression(expression).flatMap((chunk) =>
		chunk.type === 'code' && chunk.hasClosingBrackets
			? [ExpressionParser.joinExpression([chunk])]
			: [],
	);
}

/** Labels of the fields that requireFilledFields checks. */
export const labels: Record<string, string> = { to: 'To', message: 'Message', from: 'Sender ID' };

const hasGap = declareError(
	'<Field> has an empty expression: <gap>',
	'Fill in the field for this item, or use a default such as {{ $json.name || "customer" }}. Reject Empty Fields is on.',
);

/** A field of this item or of another node, and a text in quotes, in an expression. */
const field =
	/\$(?:json|\(.*?\)\.(?:item|first\(\)|last\(\))\.json|node\[.*?\]\.json)(?:\.[\w$]+|\[['"].*?['"]\])+/g;
const quoted = /'[^']*'|"[^"]*"|`[^`]*`/g;
/** What spreadsheets show for a value that could not be computed. */
const sheetError = /^#(?:N\/A|NAME\?|(?:REF|VALUE|DIV\/0|NUM|NULL|SPILL|ERROR)!)$/;

/** Whether the value has no words, or those of a program: 0, false and texts do. */
function leavesGap(value: unknown): boolean {
	if (Array.isArray(value)) return value.length === 0 || value.some(leavesGap);
	if (value instanceof Date) return true;
	const text = String(value ?? '');
	return (
		text.trim() === '' || Number.isNaN(value) || isLostValue(text) || sheetError.test(text.trim())
	);
}

/** A joined text such as "Dear undefined", unless the word is in what it was joined from. */
function joinsNothing(piece: string, joined: string, evaluate: (code: string) => unknown): boolean {
	const words = joined.match(/\b(?:undefined|null|NaN)\b/g) ?? [];
	const parts = () => [
		...(piece.match(quoted) ?? []),
		...(piece.match(field) ?? [])
			.map((one) => attempt(() => evaluate(`{{ ${one} }}`)))
			.flatMap((read) => ('value' in read && typeof read.value === 'string' ? [read.value] : [])),
	];
	return words.some((word) => !parts().some((part) => part.includes(word)));
}

/**
 * The first `{{ }}` of an expression that is empty for an item, as in "Hello , your order". Each `{{ }}` costs a
 * separate evaluation, so this is only for dry runs and Reject Empty Fields.
 */
function findGap(
	context: IExecuteFunctions,
	item: number,
): { field: string; label: string; gap: string } | undefined {
	const { parameters } = context.getNode();
	const evaluate = (code: string): unknown => context.evaluateExpression(code, item);
	const isGap = (piece: string) => {
		const value = evaluate(piece);
		return leavesGap(value) || (typeof value === 'string' && joinsNothing(piece, value, evaluate));
	};
	for (const [name, label] of Object.entries(labels)) {
		const written = parameters[name];
		const isExpression = typeof written === 'string' && written.startsWith('=');
		const gap = isExpression ? listPieces(written).find(isGap) : undefined;
		if (gap !== undefined) return { field: name, label, gap };
	}
	return undefined;
}

/** Option Reject Empty Fields. @throws InputError */
export function requireFilledFields(context: IExecuteFunctions, item: number): void {
	const found = findGap(context, item);
	if (found) throw hasGap(found.field, { Field: found.label, gap: found.gap });
}

/** For a dry run. An expression that n8n cannot evaluate is reported as the error of its item. */
export function findEmptyField(context: IExecuteFunctions, item: number): string | undefined {
	const found = attempt(() => findGap(context, item));
	return 'value' in found ? found.value?.gap : undefined;
}

const unknownField = declareError(
	'<Field> uses the field <unknown>, which no item has',
	'<fields> Correct the name, or drag the field from the input.',
);
const oddName = declareError(
	'<Field> uses the field <unknown>, but the name of the field is <known>',
	'It has a space or an invisible character, as the first column of a "CSV UTF-8" of Excel does. Drag the field from the input, or switch on Exclude Byte Order Mark (BOM) in Extract from File.',
);

/** A name as people see it. */
function seen(name: string): string {
	return name
		.replace(/\p{Default_Ignorable_Code_Point}|\p{Cf}/gu, '')
		.replace(/\s+/g, ' ')
		.trim();
}

/** Signs that an expression expects a field to be missing: a fallback, a condition, a function that tests. */
const expectsGaps =
	/\|\||&&|\?|[<>!]|==|\b(?:if|in|has\w*|get|is\w+|typeof|filter|compact|ifEmpty)\b/i;

const fieldOfItem = /\$json(?:\.([A-Za-z_$][\w$]*)(?![\w$(])|\[(['"])(.*?)\2\])/g;

/** Fields of the item that a `{{ }}` requires. */
function listFields(piece: string): string[] {
	if (expectsGaps.test(piece)) return [];
	return [...piece.matchAll(fieldOfItem)].map(([, name, , quoted]) => name ?? quoted);
}

/** A field in To, Message or Sender ID that no item has: it is misspelled, and would leave a gap in every text. */
export function findUnknownField(
	parameters: INodeParameters,
	items: INodeExecutionData[],
): InputError | undefined {
	for (const [name, label] of Object.entries(labels)) {
		const written = parameters[name];
		if (typeof written !== 'string' || !written.startsWith('=')) continue;
		const unknown = listPieces(written)
			.flatMap(listFields)
			.find((field) => !items.some(({ json }) => field in json));
		if (unknown === undefined) continue;
		const known = items
			.flatMap(({ json }) => Object.keys(json))
			.find((one) => seen(one) === seen(unknown));
		const error =
			known === undefined
				? unknownField(name, { Field: label, unknown, fields: describeFields(items[0].json) })
				: oddName(name, { Field: label, unknown, known: `"${showDeceptive(known)}"` });
		return error.ofRun();
	}
	return undefined;
}

/** For nodes that read one item. @throws InputError */
export function requireKnownFields(context: IExecuteFunctions): void {
	const error = findUnknownField(context.getNode().parameters, context.getInputData());
	if (error) throw error;
}
