import { readCredentials, toApiToken } from '../../../../nodes/shared/client/token';

test('the token is Base64 of key, colon and secret in UTF-8', () => {
	const token = toApiToken({ apiKey: 'ကီး', apiSecret: 'se:cret' });
	expect(Buffer.from(token, 'base64').toString('utf8')).toBe('ကီး:se:cret');
});

test.each([
	[undefined, ''],
	['text', ''],
	[{}, ''],
	[{ apiKey: ' key\r\n', apiSecret: '\u200bsecret\ufeff' }, 'key:secret'],
	[{ apiKey: 'a key', apiSecret: 4711 }, 'a key:4711'],
])('the credential %j has the key and secret %j', (data, both) => {
	const { apiKey, apiSecret } = readCredentials(data);
	expect(`${apiKey}:${apiSecret}`.replace(/^:$/, '')).toBe(both);
});

test.each([
	[{}, ''],
	[{ onlySendTo: '' }, ''],
	[{ onlySendTo: 'a' }, 'a'],
	[{ onlySendTo: undefined }, null],
	[{ onlySendTo: null }, null],
	[{ onlySendTo: 5 }, null],
])('of %j, Only Send To is %j', (data, onlySendTo) => {
	expect(readCredentials(data).onlySendTo).toBe(onlySendTo);
});
