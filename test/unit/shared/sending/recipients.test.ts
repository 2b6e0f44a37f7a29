import {
	readRecipient,
	toRecipient,
	type RecipientValues,
} from '../../../../nodes/shared/sending/recipients';

const read = (entry: unknown, values: Partial<RecipientValues> = {}) =>
	toRecipient(entry, { allowedCountryCodes: undefined, ...values });

describe('a recipient', () => {
	test.each([{}, { allowedCountryCodes: ['95', '65'] }])(
		'is in the form to send with %j',
		(values) => {
			expect(read('09791234567', values)).toBe('959791234567');
			expect(read('+6591234567', values)).toBe('+6591234567');
		},
	);

	test.each([['95'], []])('is rejected in another country than %s', (...allowedCountryCodes) => {
		expect(() => read('+6591234567', { allowedCountryCodes })).toThrow(
			expect.objectContaining({ field: 'allowedCountryCodes' }) as Error,
		);
	});

	test('may lack the + where the country codes name it, and nowhere else', () => {
		expect(read('6591234567', { allowedCountryCodes: ['95', '65'] })).toBe('+6591234567');
		for (const allowedCountryCodes of [undefined, ['95']])
			expect(() => read('6591234567', { allowedCountryCodes })).toThrow('is not a');
	});

	test('of a node that waits is one', () => {
		const values = { allowedCountryCodes: undefined };
		expect(readRecipient('09791234567', values)).toBe('959791234567');
		expect(() => readRecipient('09791234567, 09791234568', values)).toThrow('several numbers');
	});
});
