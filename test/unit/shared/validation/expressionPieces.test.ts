import fc from 'fast-check';
import { ExpressionParser } from 'n8n-workflow';

import { listPieces } from '../../../../nodes/shared/validation/expressionPieces';

/** What n8n takes for code, in its own words. */
const piecesOfN8n = (expression: string) =>
	ExpressionParser.splitExpression(expression).flatMap((chunk) =>
		chunk.type === 'code' && chunk.hasClosingBrackets ? [chunk.text] : [],
	);

/** n8n takes the backslash before the first }} of a piece away. */
const toCode = (piece: string) => piece.slice(2, -2).replace('\\}}', '}}');

describe('the pieces of an expression', () => {
	test.each([
		['=Hello {{ $json.name }}, {{$json.order}}', ['{{ $json.name }}', '{{$json.order}}']],
		['={{ { a: { b: 1 } }.a.b }}', ['{{ { a: { b: 1 } }.a.b }}']],
		["={{ $json['a\\}}b'] }}!", ["{{ $json['a\\}}b'] }}"]],
		['=\\{{ not }} but {{ this }}', ['{{ this }}']],
		['={{ never closed', []],
		['=plain', []],
	])('of %s are %j', (expression, pieces) => expect(listPieces(expression)).toEqual(pieces));

	test('are those that n8n cuts out', () => {
		const signs = fc.constantFrom('{{', '}}', '{', '}', '\\', '"', "'", ' ', 'a', '\n');
		fc.assert(
			fc.property(fc.array(signs, { maxLength: 14 }), (parts) => {
				const expression = `=${parts.join('')}`;
				// Two of n8n's own parsers disagree on these.
				fc.pre(!expression.includes('\\\\'));
				expect(listPieces(expression).map(toCode)).toEqual(piecesOfN8n(expression));
			}),
			{ numRuns: 3000 },
		);
	});
});
