import { EmptyError } from '../../../../nodes/shared/input/InputError';
import { doNotSendTo } from '../../../../nodes/shared/options/limits';

describe('Do Not Send To', () => {
	const read = (value: unknown) => () => doNotSendTo.read(value).has('');
	const numbers = ['959791234567', '959791234568', '959791234569', '6591234567'];

	test.each([
		['09791234567, +959791234568;၀၉၇၉၁၂၃၄၅၆၉\n+65 9123-4567,'],
		[['09791234567', 959791234568, '00959791234569', '6591234567']],
		[['0979 1234567, 09791234568', ['09-791234569'], '+6591234567']],
		[['Mr. Tun 09-791 234 567', 'Daw Mya: +959791234568', 'ဦးဘ ၀၉၇၉၁၂၃၄၅၆၉', 'SG +6591234567']],
		[['', '09791234567', null, '959791234568.0', undefined, ' ', '09791234569', 6591234567]],
	])('are numbers in any spelling, without blank cells: %j', (value) => {
		expect(numbers.filter((one) => doNotSendTo.read(value).has(one))).toEqual(numbers);
	});

	test.each([[''], [[]], [[[]]]])('are nobody in an empty text or list: %j', (value) => {
		expect(doNotSendTo.read(value).size).toBe(0);
	});

	test.each([[undefined], [null]])('of %j are missing: what to write is said', (value) => {
		expect(read(value)).toThrow(EmptyError);
		expect(read(value)).toThrow(
			expect.objectContaining({
				message: 'Do Not Send To is empty',
				hint: expect.stringContaining(
					"{{ $('Opt-outs').all().filter((row) => Object.keys(row.json).length).map((row) => row.json.phone) }}",
				),
			}),
		);
	});

	test.each([[',,'], ['  '], [[undefined]], [['', null, ' ']], [[[undefined]]]])(
		'of nothing but blanks, %j, are a wrong column',
		(value) => {
			expect(read(value)).toThrow(
				expect.objectContaining({
					field: 'doNotSendTo',
					message: 'Do Not Send To has only empty entries: no opt-outs were read',
					hint: expect.stringContaining('Object.keys(row.json).length'),
				}),
			);
		},
	);

	test.each([
		['09791234567, nobody', '"nobody"'],
		[['09791234567', '9.59791E+11', 'Mg Mg'], '"9.59791E+11", "Mg Mg"'],
		[['09791234567', '9607771234'], '"9607771234"'],
		[['09791234567', { phone: '09791234568' }], '"an object"'],
		[[...numbers, ...Array.from({ length: 12 }, (_, n) => `x${n}`)], '"x9" and 2 more'],
		['null', '"null"'],
		[true, '"true"'],
	])('with an entry that is not a number, %j, stop the run and name it', (value, named) => {
		expect(read(value)).toThrow('Do Not Send To contains entries that are not phone numbers: ');
		expect(read(value)).toThrow(named);
	});
});
