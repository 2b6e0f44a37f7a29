import { readRecipients, type RecipientValues } from '../../../../nodes/shared/sending/recipients';

const three = '09791234567, 09791234568; +6591234567';
const read = (value: unknown, values: Partial<RecipientValues>) =>
	readRecipients(value, { allowedCountryCodes: undefined, ...values });
const refusal = (value: unknown, values: Partial<RecipientValues>) => () => read(value, values);

describe('the recipients of an item', () => {
	test.each([{}, { allowedCountryCodes: ['95', '65'] }])('are all of them with %j', (values) => {
		expect(read(three, values)).toEqual(['959791234567', '959791234568', '+6591234567']);
	});

	test.each([
		[{ allowedCountryCodes: ['95'] }, 'allowedCountryCodes'],
		[{ allowedCountryCodes: [] }, 'allowedCountryCodes'],
	])('are rejected with %j, naming %s', (values, field) => {
		expect(refusal(three, values)).toThrow(expect.objectContaining({ field }));
	});

	test('may lack the + where the country codes name them, and nowhere else', () => {
		expect(read('6591234567', { allowedCountryCodes: ['95', '65'] })).toEqual(['+6591234567']);
		for (const allowedCountryCodes of [undefined, ['95']]) {
			expect(refusal('6591234567', { allowedCountryCodes })).toThrow('number in Myanmar');
		}
	});
});
