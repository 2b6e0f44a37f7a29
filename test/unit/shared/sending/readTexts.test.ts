import { listParts } from '../../../../nodes/shared/sending/readTexts';

const listPieces = (expression: string) =>
	listParts(expression).flatMap((part) => (typeof part === 'string' ? [] : [part.code]));

describe('the pieces of an expression', () => {
	test.each([
		['=Hello {{ $json.name }}, {{$json.order}}', ['{{ $json.name }}', '{{$json.order}}']],
		['={{ { a: { b: 1 } }.a.b }}', ['{{ { a: { b: 1 } }.a.b }}']],
		["={{ $json['a\\}}b'] }}!", ["{{ $json['a\\}}b'] }}"]],
		['=\\{{ not }} but {{ this }}', ['{{ this }}']],
		['={{ never closed', []],
		['=plain', []],
	])('of %s are %j', (expression, pieces) => expect(listPieces(expression)).toEqual(pieces));
});
