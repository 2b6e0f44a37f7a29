import { Skips } from '../../../../nodes/shared/sending/Skips';

const a = '959791234567';
const b = '+6591234567';
const onlyDuplicates = { skipDuplicates: true, doNotSendTo: new Set<string>() };

describe('who is skipped', () => {
	test('is every number but the first of it, in an item and over the items', () => {
		const skips = new Skips(onlyDuplicates, []);
		expect(skips.findReasons([a, a, b], 0)).toEqual([undefined, 'duplicate', undefined]);
		expect(skips.findReasons([b, a], 1)).toEqual(['duplicate', 'duplicate']);
	});

	test('is nobody for an item whose message was begun in an earlier attempt', () => {
		const skips = new Skips(onlyDuplicates, [{ item: 1, to: a }]);
		expect(skips.findReasons([a], 0)).toEqual(['duplicate']);
		expect(skips.findReasons([a], 1)).toEqual([undefined]);
	});

	test('is who opted out, before it is a duplicate', () => {
		const skips = new Skips({ skipDuplicates: true, doNotSendTo: new Set([a]) }, []);
		expect(skips.findReasons([a, a, b], 0)).toEqual(['optedOut', 'optedOut', undefined]);
	});

	test('is no duplicate where only opt-outs are skipped', () => {
		const skips = new Skips({ skipDuplicates: false, doNotSendTo: new Set(['6591234567']) }, []);
		expect(skips.findReasons([a, a, b], 0)).toEqual([undefined, undefined, 'optedOut']);
	});

	test('is who opted out with a national zero, and a duplicate with one', () => {
		const doNotSendTo = new Set(['447911123456']);
		const skips = new Skips({ skipDuplicates: true, doNotSendTo }, []);
		expect(skips.findReasons(['+4407911123456'], 0)).toEqual(['optedOut']);
		expect(skips.findReasons(['+491511234567', '+4901511234567'], 0)).toEqual([
			undefined,
			'duplicate',
		]);
	});
});
