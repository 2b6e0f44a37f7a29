import { countryOf } from '../../../../nodes/shared/sending/country';

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
