import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { createFieldReader, toParts } from '../../../../nodes/shared/options/fields';
import { nowhere, openContext } from '../../../support/workflow/openContext';

/** The value, or the sentence of what was thrown. */
function outcomeOf(read: () => unknown): { value: unknown } | { thrown: string } {
	try {
		return { value: read() };
	} catch (error) {
		return { thrown: (error as Error).message };
	}
}

function compare(message: unknown, items: IDataObject[]): void {
	const options = { allowEmptyFields: true };
	const parameters = { to: '0979', message, from: 'Shop', options } as IDataObject;
	const context = openContext(nowhere, { parameters, items });
	const readField = createFieldReader(context, { hasOption: true });
	items.forEach((_, item) => {
		const fast = outcomeOf(() => readField('message', item));
		const own = outcomeOf(() => context.getNodeParameter('message', item));
		// Of several parts, n8n makes a text with the code of a function, or nothing at all. An error is better.
		const isBad = /native code|:null/.test(JSON.stringify(own));
		if (!isBad || !('thrown' in fast)) expect(fast).toEqual(own);
	});
}

describe('the field reader', () => {
	const hardNames = [
		...['to', 'အမည်', 'phone number', '__proto__', 'constructor', 'prototype', 'toString'],
		...['getPrototypeOf', 'mainModule', '__data', 'hasOwnProperty', 'valueOf', 'length', 'isEmpty'],
		...['a}}b', '{{', "it's", 'a"b', 'back\\slash', 'a.b', 'a[0]', '0', '', ' ', '$json'],
		...['line\nbreak', '\u2028', 'class', 'é'],
	];
	const names = fc.oneof(fc.constantFrom(...hardNames), fc.string({ maxLength: 5 }));
	const leaves = fc.oneof(
		fc.string(),
		fc.constantFrom('', '={{ 1 }}', '{{ $json.to }}', '=text', 'ကခဂ', '\ud83d', ' x ', 'null'),
		fc.integer(),
		fc.double({ noNaN: true, noDefaultInfinity: true }),
		fc.constantFrom(0, null, true, false, 9.5e300, Number.MAX_SAFE_INTEGER),
	);
	const values = fc.oneof(
		{ depthSize: 'small' },
		leaves,
		fc.array(leaves, { maxLength: 3 }),
		fc.dictionary(names, fc.oneof(leaves, fc.dictionary(names, leaves), fc.array(leaves))),
	);
	// JSON.parse gives what a webhook gives: an own property, also when its name is __proto__.
	const jsons = fc
		.array(fc.tuple(names, values))
		.map(
			(entries) =>
				JSON.parse(
					`{${entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join()}}`,
				) as IDataObject,
		);
	const steps = fc.oneof(
		// Of several parts with a private name, n8n makes nothing, and no error.
		names.filter((name) => !name.startsWith('#')).map((name) => `.${name}`),
		names.map((name) => `["${name}"]`),
		names.map((name) => `['${name}']`),
		names.map((name) => `[${JSON.stringify(name)}]`),
		fc.constantFrom('[0]', '?.to', '.to.length', '.to.toString()'),
	);
	const expressions = fc
		.tuple(
			fc.constantFrom(
				'={{ $json',
				'={{$json',
				'={{\n$json',
				'= {{ $json',
				'={{ $json ',
				'{{ $json',
			),
			fc.array(steps, { minLength: 0, maxLength: 3 }),
			fc.constantFrom(' }}', '}}', '\t}}', ' }} ', '}}x', ' + 1 }}', '; }}', ''),
		)
		.map(([start, path, end]) => start + path.join('') + end);

	test('returns what n8n returns for every expression and every item', () => {
		fc.assert(
			fc.property(expressions, fc.array(jsons, { minLength: 1, maxLength: 2 }), (expression, all) =>
				compare(expression, all),
			),
			{ numRuns: 150 },
		);
	});

	test('returns what n8n returns when the expression names a field that is there', () => {
		const entries = fc.tuple(names, values, fc.constantFrom('.%', "['%']", '["%"]'));
		fc.assert(
			fc.property(entries, ([name, value, form]) => {
				const json = JSON.parse(
					`{${JSON.stringify(name)}:${JSON.stringify(value)}}`,
				) as IDataObject;
				compare(`={{ $json${form.replace('%', () => name)} }}`, [json]);
			}),
			{ numRuns: 100 },
		);
	});

	test('returns what n8n returns for a text with no, one, several and unclosed expressions', () => {
		const words = [
			'Hello {name}',
			'Hello',
			'{',
			'}}',
			'{{',
			' ',
			'\n',
			"it's \\",
			'\\{{',
			'=',
			'၁၂',
		];
		const code = ['{{ $json.name }}', '{{ 1 + 1 }}', '{{ $json.none }}', '{{ $json.name'];
		// n8n refuses two backslashes before braces, which nobody types; here they stay in the text.
		const written = fc
			.array(fc.constantFrom(...words, ...code), { maxLength: 4 })
			.filter((all) => !all.join('').includes('\\\\{{'));
		fc.assert(
			fc.property(written, (all) => compare(`=${all.join('')}`, [{ name: 'Aye' }, { name: '' }])),
			{ numRuns: 300 },
		);
	});

	test.each([
		...['Hello', '', '  ', 'Hello {{ $json.to }}', 7, null, true, undefined],
		...[['a'], { a: 1 }, { a: ['={{ $json.to }}'] }],
	])('returns what n8n returns for the fixed value %j', (value) =>
		compare(value, [{ to: 'x' }, {}]),
	);

	test('returns what n8n returns for fields of other items and nodes', () => {
		const items = [{ to: 'a' }, { to: 'b' }];
		for (const expression of [
			'={{ $input.item.json.to }}',
			'={{ $itemIndex }}',
			'={{ $input.all()[1].json.to }}',
		])
			compare(expression, items);
	});

	test('asks n8n once for an expression that names a field, and for a fixed value', () => {
		const items = [{ a: 'x' }, { a: 'y' }, { a: 'z' }];
		const parameters = { to: '={{ $json.a }}', from: 'Shop', options: {} };
		const context = openContext(nowhere, { parameters, items });
		const asked: string[] = [];
		const watched = new Proxy(context, {
			get: (target, name) =>
				name === 'getNodeParameter'
					? (parameter: string, item: number) => {
							asked.push(parameter);
							return target.getNodeParameter(parameter, item);
						}
					: Reflect.get(target, name),
		});
		const readField = createFieldReader(watched);
		expect(items.map((_, item) => [readField('to', item), readField('from', item)])).toEqual([
			['x', 'Shop'],
			['y', 'Shop'],
			['z', 'Shop'],
		]);
		expect(asked).toEqual(['to', 'from']);
	});
});

const listPieces = (expression: string) =>
	toParts(expression).flatMap((part) => (typeof part === 'string' ? [] : [part.code]));

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
