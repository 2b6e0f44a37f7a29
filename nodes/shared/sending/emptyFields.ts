import type { IExecuteFunctions } from 'n8n-workflow';

import { attempt } from '../execution/runPerItem';
import { listPieces } from '../validation/expressionPieces';
import { declareError } from '../validation/InputError';
import { isLostValue } from '../validation/text';

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
	if (typeof value === 'object' && value !== null && String(value) === '[object Object]')
		return true;
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
