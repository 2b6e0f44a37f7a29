import type { IExecuteFunctions } from 'n8n-workflow';

import { attempt } from '../execution/runPerItem';
import { listPieces } from '../validation/expressionPieces';
import { declareError } from '../validation/InputError';

/** Labels of the fields that requireFilledFields checks. */
export const labels: Record<string, string> = { to: 'To', message: 'Message', from: 'Sender ID' };

const hasGap = declareError(
	'<Field> has an empty expression: <gap>',
	'Fill in the field for this item, or use a default such as {{ $json.name || "customer" }}. Reject Empty Fields is on.',
);

/** Whether a value leaves a gap in the text; 0 and false do not. */
function leavesGap(value: unknown): boolean {
	return String(value ?? '').trim() === '';
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
	for (const [field, label] of Object.entries(labels)) {
		const written = parameters[field];
		const pieces =
			typeof written === 'string' && written.startsWith('=') ? listPieces(written) : [];
		const gap = pieces.find((piece) => leavesGap(context.evaluateExpression(piece, item)));
		if (gap !== undefined) return { field, label, gap };
	}
	return undefined;
}

/** Option Reject Empty Fields. @throws InputError */
export function requireFilledFields(context: IExecuteFunctions, item: number): void {
	const found = findGap(context, item);
	if (found) throw hasGap(found.field, { Field: found.label, gap: found.gap });
}

/** For a dry run. An expression that n8n cannot evaluate is reported as the error of its item. */
export function hasEmptyField(context: IExecuteFunctions, item: number): boolean {
	const found = attempt(() => findGap(context, item));
	return 'value' in found && found.value !== undefined;
}
