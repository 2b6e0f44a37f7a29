import { readOptedOut } from '../../../../nodes/shared/input/recipient';
import { processorMs } from '../../../support/unit/processorTime';

describe('the list of those who get nothing', () => {
	test.each([
		['09791234567, +959791234568;၀၉၇၉၁၂၃၄၅၆၉\n+65 9123-4567,'],
		[['09791234567', 959791234568, '00959791234569', '6591234567']],
		[['0979 1234567, 09791234568', ['09-791234569'], '+6591234567']],
	])('%j holds numbers in any spelling', (value) => {
		expect([...readOptedOut(value)]).toEqual([
			...['959791234567', '959791234568', '959791234569', '6591234567'],
		]);
	});

	test('is empty where it has no entry, which the option decides about', () => {
		expect(() => readOptedOut([])).toThrow('Do Not Send To is empty');
	});

	test.each([
		['09791234567, nobody', '"nobody"'],
		[['09791234567', '9607771234'], 'could be two numbers: "9607771234"'],
		[['09791234567', ''], 'not a phone number: ""'],
		[['09791234567', undefined], 'not a phone number: empty'],
		[[null], 'not a phone number: empty'],
		[[''], 'not a phone number: ""'],
		['  ', 'not a phone number: "  "'],
		[undefined, 'not a phone number: empty'],
		[[{ phone: '09791234567' }], 'an object'],
		[true, 'true'],
	])('%j is rejected, naming the entry', (value, words) => {
		expect(() => readOptedOut(value)).toThrow(`Do Not Send To`);
		expect(() => readOptedOut(value)).toThrow(words);
		expect(() => readOptedOut(value)).toThrow(expect.objectContaining({ field: 'doNotSendTo' }));
	});

	test('of 100,000 numbers is read in less than a second of work', async () => {
		const numbers = Array.from({ length: 100_000 }, (_, n) => `0979${String(1_000_000 + n)}`);
		const ms = await processorMs(() => {
			expect(readOptedOut(numbers.join('\n')).size).toBe(100_000);
		});
		expect(ms).toBeLessThan(1000);
	});
});
