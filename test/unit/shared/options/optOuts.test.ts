import { readOptOuts, readTypedOptOuts } from '../../../../nodes/shared/options/optOuts';
import { processorMs } from '../../../support/unit/processorTime';

describe('optOuts', () => {
	const numbers = ['959791234567', '959791234568', '959791234569', '6591234567'];
	const typed = '09791234567, +959791234568;၀၉၇၉၁၂၃၄၅၆၉\n+65 9123-4567,';

	test('hold numbers in any spelling', () => {
		expect([...readTypedOptOuts(typed)]).toEqual(numbers);
		const lists = [
			typed,
			['09791234567', 959791234568, '00959791234569', '6591234567'],
			['0979 1234567, 09791234568', ['09-791234569'], '+6591234567'],
		];
		for (const list of lists) {
			const optOuts = readOptOuts(list);
			expect([...optOuts]).toEqual(numbers);
			expect(optOuts.unread).toEqual([]);
		}
	});

	test.each([
		['09791234567, nobody', '"nobody"'],
		['09791234567, 9607771234', 'could be two numbers: "9607771234"'],
		['  ', 'not a phone number: "  "'],
		[['09791234567', ''], 'not a phone number: ""'],
		[[null], 'not a phone number: empty'],
		[true, 'true'],
	])('typed as %j are rejected, naming the entry', (value, words) => {
		expect(() => readTypedOptOuts(value)).toThrow(words);
		expect(() => readTypedOptOuts(value)).toThrow(
			expect.objectContaining({ field: 'doNotSendTo' }),
		);
	});

	test.each([
		[['09791234567', 'nobody'], ['"nobody"']],
		['09791234567\nnobody', ['"nobody"']],
		[['09791234567', ''], ['""']],
		[
			[undefined, '09791234567', null],
			['empty', 'empty'],
		],
		[[{ phone: '09791234568' }, '09791234567'], ['an object']],
		[['09791234567', '+96602399474'], ['"+96602399474"']],
	])('of a table with a bad entry, %j, are read without it, and name it', (value, unread) => {
		const optOuts = readOptOuts(value);
		expect(optOuts.has('959791234567')).toBe(true);
		expect(optOuts.has('959791234568')).toBe(false);
		expect(optOuts.unread).toEqual(unread);
	});

	test.each([
		['91234567', '6591234567'],
		['9123 4567', '6591234567'],
		['81234567', '6581234567'],
		['091 234 5678', '66912345678'],
		['0912345678', '84912345678'],
		['021 234 5678', '64212345678'],
		['4155552671', '14155552671'],
	])('written as in their country, %j, skip %s', (entry, key) => {
		const optOuts = readOptOuts(['09791234567', entry]);
		expect(optOuts.has(key)).toBe(true);
		expect(optOuts.has(`${key.slice(0, -1)}0`)).toBe(false);
	});

	test('with a country code skip nobody with these digits in another country', () => {
		const optOuts = readOptOuts(['+6591234567', '0091234567890', '09791234567']);
		for (const key of ['16591234567', '66591234567', '86791234567'])
			expect(optOuts.has(key)).toBe(false);
	});

	test.each([
		['9607771234', ['9607771234', '959607771234']],
		['0959123456', ['959123456', '95959123456']],
	])('of a table that could be two numbers, %j, are both', (entry, both) => {
		const optOuts = readOptOuts(['09791234567', entry]);
		expect(both.filter((key) => !optOuts.has(key))).toEqual([]);
		expect(optOuts.unread).toEqual([`"${entry}"`]);
	});

	test.each([[[undefined, undefined]], [['Mg Mg', 'Ma Aye']], ['nobody'], [[{ phone: '0979' }]]])(
		'of a table without any number, %j, are rejected: the list would have no effect',
		(value) => {
			expect(() => readOptOuts(value)).toThrow('Do Not Send To is not a phone number');
		},
	);

	test('of 250,000 numbers are read in a second or two of work', async () => {
		const list = Array.from({ length: 250_000 }, (_, n) => `0979${String(1_000_000 + n)}`);
		const ms = await processorMs(() => expect(readOptOuts(list).size).toBe(250_000));
		expect(ms).toBeLessThan(2_000);
	});
});
