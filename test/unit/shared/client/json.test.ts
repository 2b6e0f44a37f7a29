import fc from 'fast-check';

import { parseJson } from '../../../../nodes/shared/client/json';
import { processorMs } from '../../../support/unit/processorTime';

describe('parseJson', () => {
	test('reads any JSON as JSON.parse does, as long as no number loses digits', () => {
		const numbers = fc.oneof(
			fc.maxSafeInteger(),
			fc.double({ noInteger: true, noNaN: true, noDefaultInfinity: true }),
		);
		const values = fc.letrec((tie) => ({
			value: fc.oneof(
				{ depthSize: 'small' },
				fc.constantFrom(null, true, false),
				fc.string({ unit: 'binary' }),
				fc.stringMatching(/^[\d"\\-]{0,40}$/),
				numbers,
				fc.array(tie('value')),
				fc.dictionary(fc.string(), tie('value')),
			),
		})).value;
		fc.assert(
			fc.property(values, fc.constantFrom(undefined, 1, '\t'), (value, space) => {
				const text = JSON.stringify(value, null, space);
				expect(parseJson(text)).toEqual(JSON.parse(text));
			}),
			{ numRuns: 500 },
		);
	});

	test('keeps every digit of every whole number, as text where a number cannot hold it', () => {
		const digits = fc.stringMatching(/^-?[1-9]\d{0,40}$/);
		const place = fc.constantFrom(
			'%',
			'[%]',
			'{"id":%}',
			'{"a":[1,{"b": % }]}',
			'{"text":"\\"%","id":%}',
		);
		fc.assert(
			fc.property(digits, place, (id, where) => {
				const parsed = JSON.stringify(parseJson(where.replaceAll('%', id)));
				const isSafe = Number.isSafeInteger(Number(id));
				const written = isSafe
					? where.replaceAll('%', id)
					: where.replace(/"%"|(?<!")%/g, `"${id}"`).replace('%', id);
				expect(parsed).toBe(JSON.stringify(JSON.parse(written)));
			}),
		);
	});

	test.each([
		...['', ' ', '{"a":', '<html>', 'undefined', "{'a':1}", '{"a":1}x', '12345678901234567890123x'],
	])('returns undefined for %j', (text) => expect(parseJson(text)).toBeUndefined());

	test('returns undefined for an endless response', () => {
		expect(parseJson(' '.repeat(50_000_001))).toBeUndefined();
	});

	test('makes no prototype of what is called __proto__', () => {
		const parsed = parseJson('{"__proto__":{"isAdmin":true},"id":12345678901234567890}') as object;
		expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
		expect('isAdmin' in parsed).toBe(false);
	});

	test('is fast with a response that is all quotes and digits', async () => {
		const text = `["${'\\"'.repeat(200_000)}${'1'.repeat(200_000)}`;
		expect(await processorMs(() => parseJson(text))).toBeLessThan(1000);
	});
});
