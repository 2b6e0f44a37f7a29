import type { IExecuteFunctions } from 'n8n-workflow';

import { listPieces } from '../validation/expressionPieces';
import { InputError } from '../validation/InputError';

/** Labels of the fields that requireFilledFields checks. */
export const labels: Record<string, string> = { to: 'To', message: 'Message', from: 'Sender ID' };

/** Whether a value leaves a gap in the text; 0 and false do not. */
function leavesGap(value: unknown): boolean {
	return String(value ?? '').trim() === '';
}

/**
 * Option Refuse Empty Fields: rejects an item if one `{{ }}` of an expression is empty, as in "Hello , your order".
 * Each `{{ }}` costs a separate evaluation, so call this only if the option is on.
 * @throws InputError
 */
export function requireFilledFields(context: IExecuteFunctions, item: number): void {
	const { parameters } = context.getNode();
	for (const [field, label] of Object.entries(labels)) {
		const written = parameters[field];
		const pieces =
			typeof written === 'string' && written.startsWith('=') ? listPieces(written) : [];
		const gap = pieces.find((piece) => leavesGap(context.evaluateExpression(piece, item)));
		if (gap === undefined) continue;
		throw new InputError(
			field,
			`${label} has an empty expression: ${gap}`,
			'Fill in the field for this item, or use a default such as {{ $json.name || "customer" }}. Refuse Empty Fields is on.',
		);
	}
}
