import { toApiToken } from '../../../../nodes/shared/client/token';

test('the token is Base64 of key, colon and secret in UTF-8', () => {
	const token = toApiToken({ apiKey: 'ကီး', apiSecret: 'se:cret' });
	expect(Buffer.from(token, 'base64').toString('utf8')).toBe('ကီး:se:cret');
});
