import { ExpressionParser } from 'n8n-workflow';

/** The `{{ ... }}` of an expression, verbatim and in order, as n8n cuts them out. */
export function listPieces(expression: string): string[] {
	return ExpressionParser.splitExpression(expression).flatMap((chunk) =>
		chunk.type === 'code' && chunk.hasClosingBrackets
			? [ExpressionParser.joinExpression([chunk])]
			: [],
	);
}
