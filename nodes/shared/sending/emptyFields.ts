import type { IExecuteFunctions } from 'n8n-workflow';

import { listPieces } from '../validation/expressionPieces';
import { InputError } from '../validation/InputError';

/** Of the fields whose text comes from the item. */
export const labels: Record<string, string> = { to: 'To', message: 'Message', from: 'Sender ID' };

/** What leaves a gap in a text; 0 and false do not. */
function leavesGap(value: unknown): boolean {
	return String(value ?? '').trim() === '';
}

/**
 * Option Refuse Empty Fields: refuses an item for which one `{{ }}` of an expression is empty, such as "Hello , your
 * order". n8n evaluates each of them by itself, so it is asked only while the option is on.
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
