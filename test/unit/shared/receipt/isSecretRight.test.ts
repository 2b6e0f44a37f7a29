import { isSecretRight } from '../../../../nodes/shared/receipt/isSecretRight';

describe('isSecretRight', () => {
	test('is true for the secret only', () => {
		expect(isSecretRight('s3cret', 's3cret')).toBe(true);
		for (const given of [
			'',
			's3cre',
			's3cret ',
			'S3CRET',
			undefined,
			null,
			['s3cret'],
			{ s3cret: 1 },
			0,
		])
			expect(isSecretRight('s3cret', given)).toBe(false);
	});
});
