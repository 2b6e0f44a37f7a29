import {
	countryOf,
	readCountryCodes,
	startsWithOneOf,
} from '../../../../nodes/shared/validation/country';

describe('the country of a number', () => {
	test.each([
		['959791234567', 'MM'],
		['6591234567', 'SG'],
		['66812345678', 'TH'],
		['85291234567', 'HK'],
		['12125550123', 'US'],
		['14165550123', 'CA'],
		['18765550123', 'JM'],
		['79161234567', 'RU'],
		['77011234567', 'KZ'],
		['447911123456', 'GB'],
		['59995123456', 'CW'],
		['59971234567', 'BQ'],
		['8881234567', undefined],
		['', undefined],
	])('%s is %s', (digits, country) => expect(countryOf(digits)).toBe(country));
});

describe('country codes', () => {
	test.each([
		['95, +65; 1', ['95', '65', '1']],
		[66, ['66']],
	])('%j are %j', (value, codes) => expect(readCountryCodes(value)).toEqual(codes));

	test.each(['95, MM', ',', ''])('are rejected where one is not a code (%j)', (value) => {
		expect(() => readCountryCodes(value)).toThrow(`${JSON.stringify(value)} is not a country code`);
	});

	test('are the first digits of a number', () => {
		expect(startsWithOneOf('+6591234567', ['95', '65'])).toBe(true);
		expect(startsWithOneOf('+6591234567', ['5', '95'])).toBe(false);
	});
});
