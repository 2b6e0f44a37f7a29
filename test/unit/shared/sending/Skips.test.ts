import { findSkipReasons } from '../../../../nodes/shared/sending/Skips';

const a = '959791234567';
const b = '+6591234567';
const onlyDuplicates = { skipDuplicates: true, doNotSendTo: new Set<string>() };
const open = (...numbers: string[]) => numbers.map((to) => ({ to, isBegun: false }));

describe('who is skipped', () => {
	test('is every number but the first of it', () => {
		expect(findSkipReasons(onlyDuplicates, open(a, a, b, b, a))).toEqual([
			...[undefined, 'duplicate', undefined],
			...['duplicate', 'duplicate'],
		]);
	});

	test('is the first of a number if another was begun in an earlier attempt', () => {
		const messages = [...open(a), { to: a, isBegun: true }, ...open(a)];
		expect(findSkipReasons(onlyDuplicates, messages)).toEqual([
			...['duplicate', undefined, 'duplicate'],
		]);
	});

	test('is who opted out, before it is a duplicate', () => {
		const values = { skipDuplicates: true, doNotSendTo: new Set([a]) };
		expect(findSkipReasons(values, open(a, a, b))).toEqual(['optedOut', 'optedOut', undefined]);
	});

	test('is not a duplicate where only opt-outs are skipped', () => {
		const values = { skipDuplicates: false, doNotSendTo: new Set(['6591234567']) };
		expect(findSkipReasons(values, open(a, a, b))).toEqual([undefined, undefined, 'optedOut']);
	});

	test('is who opted out with a national zero, and a duplicate with one', () => {
		const values = { skipDuplicates: true, doNotSendTo: new Set(['447911123456']) };
		const numbers = ['+4407911123456', '+491511234567', '+4901511234567'];
		expect(findSkipReasons(values, open(...numbers))).toEqual(['optedOut', undefined, 'duplicate']);
	});
});
