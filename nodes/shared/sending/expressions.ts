import {
	ExpressionParser,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeParameters,
} from 'n8n-workflow';

import { describeFields } from '../n8n/emptyExpression';
import { declareError, type InputError } from '../input/InputError';
import { showDeceptive } from '../input/text';

/** The `{{ ... }}` of an expression, verbatim and in order, as n8n cuts them out. */
export function listPieces(expression: string): string[] {
	return ExpressionParser.splitExpression(expression).flatMap((chunk) =>
		chunk.type === 'code' && chunk.hasClosingBrackets
			? [ExpressionParser.joinExpression([chunk])]
			: [],
	);
}

/** Fields whose expressions are checked. */
const labels: Record<string, string> = { to: 'To', message: 'Message', from: 'Sender ID' };

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
