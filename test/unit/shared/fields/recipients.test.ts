import {
	readRecipients,
	requireAllowedCountries,
} from '../../../../nodes/shared/fields/recipients';

const three = '09791234567, 09791234568; +6591234567';
const refusal = (value: unknown, options: object) => () => readRecipients(value, options as never);

describe('the recipients of an item', () => {
	test.each([
		{},
		{ maxRecipients: 3 },
		{ maxRecipients: 0 },
		{ maxRecipients: '' },
		{ allowedCountryCodes: '95, 65' },
	])('are all of them with %j', (options) => {
		expect(readRecipients(three, options)).toEqual([
			...['959791234567', '959791234568', '+6591234567'],
		]);
	});

	test('are counted before they are read', () => {
		expect(refusal('nobody, nowhere', { maxRecipients: 1 })).toThrow(
			'To holds 2 recipients, and Most Recipients per Item allows 1',
		);
	});

	test.each([
		[{ maxRecipients: 2 }, 'maxRecipients'],
		[{ maxRecipients: 'few' }, 'maxRecipients'],
		[{ allowedCountryCodes: '95' }, 'allowedCountryCodes'],
		// An expression that gives nothing must not open all countries.
		[{ allowedCountryCodes: '' }, 'allowedCountryCodes'],
		[{ allowedCountryCodes: undefined }, 'allowedCountryCodes'],
		[{ allowedCountryCodes: 'SG' }, 'allowedCountryCodes'],
	])('are refused with %j, naming %s', (options, field) => {
		expect(refusal(three, options)).toThrow(expect.objectContaining({ field }));
	});

	test('are of any country while the option is absent', () => {
		expect(() => requireAllowedCountries(['+6591234567'], {})).not.toThrow();
	});
});
