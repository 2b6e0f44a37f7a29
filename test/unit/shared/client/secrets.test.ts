import fc from 'fast-check';
import { hideToken, holdsSecret, listSecrets } from '../../../../nodes/shared/client/secrets';
import {
	toApiToken,
	type ApiKey,
	readCredentials,
} from '../../../../nodes/shared/client/credential';

const credentialsWith = (apiKey: string, apiSecret: string): ApiKey => ({ apiKey, apiSecret });

/** What services, proxies and pages of errors make of a text that they repeat. */
const echoes: Array<(text: string) => string> = [
	(text) => text,
	(text) => encodeURIComponent(text),
	(text) => encodeURIComponent(text).replace(/%../g, (escape) => escape.toLowerCase()),
	(text) => new URLSearchParams({ a: text }).toString().slice(2),
	(text) => JSON.stringify(text),
	(text) => JSON.stringify({ nested: text }).replaceAll('/', '\\/'),
	(text) => text.replaceAll('/', '\\u002f').replaceAll('=', '\\u003D').replaceAll('+', '\\u002b'),
	(text) => text.replace(/[^]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`),
	(text) => text.replace(/=+$/, '').replaceAll('+', ' '),
	(text) => text.replace(/[&<>"'/=]/g, (sign) => `&#x${sign.charCodeAt(0).toString(16)};`),
	(text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;'),
	(text) => `before ${text} after`,
];

describe('words that hold a secret', () => {
	const secret = fc
		.string({ unit: 'grapheme', minLength: 4, maxLength: 20 })
		.filter((text) => !/[%&\\]/.test(text) && text.replace(/[+\s=]/g, '').length > 1);

	test('are known, however key, secret, token or code are echoed', () => {
		const cases = fc.tuple(secret, secret, secret, fc.constantFrom(...echoes));
		fc.assert(
			fc.property(cases, ([apiKey, apiSecret, code, echo]) => {
				const credentials = credentialsWith(apiKey, apiSecret);
				const all = [apiKey, apiSecret, `${apiKey}:${apiSecret}`, code];
				const secrets = listSecrets(credentials, [code]);
				expect(holdsSecret(toApiToken(credentials), secrets)).toBe(true);
				for (const one of all) {
					expect(holdsSecret(echo(one), secrets)).toBe(true);
					expect(holdsSecret(Buffer.from(one).toString('base64'), secrets)).toBe(true);
				}
			}),
			{ numRuns: 500 },
		);
	});

	test.each(['%41', '%2525', '\\u0041', '&amp;', '&#', 'demo-key:', '\\\\'])(
		'are read in no time, even if made of %s',
		(piece) => {
			const secrets = listSecrets(credentialsWith('demo-key', 's'));
			const text = piece.repeat(80_000 / piece.length);
			const timed = Array.from({ length: 5 }, () => {
				const begin = performance.now();
				holdsSecret(text, secrets);
				return performance.now() - begin;
			});
			// In proportion to the text it is some 10 ms; with the square of its length, minutes.
			expect(Math.min(...timed)).toBeLessThan(500);
		},
	);

	test('are none where nothing of them is secret', () => {
		const secrets = listSecrets(credentialsWith('demo-key', 'demo-secret'));
		expect(holdsSecret('Your request was made with invalid credentials.', secrets)).toBe(false);
		expect(holdsSecret('The sender ID demo is not yours', secrets)).toBe(false);
	});

	test('an empty secret does no harm', () => {
		expect(holdsSecret('a', listSecrets(credentialsWith('', '')))).toBe(false);
	});
});

describe('data that a service returns', () => {
	const credentials = credentialsWith('ak>>>???of', '~~~>>>???me!');
	const token = toApiToken(credentials);

	test.each(echoes)('hides each text with the token, and nothing beside it: %s', (echo) => {
		const shown = `/send?accessToken=${echo(token)}`;
		const data = { echo: shown, list: [{ shown }, 'more'], n: 1 };
		expect(hideToken(data, credentials)).toEqual({
			echo: '[hidden]',
			list: [{ shown: '[hidden]' }, 'more'],
			n: 1,
		});
	});

	test('stays as it is without the token, also where a key is a word of it', () => {
		const data = { messages: [{ message: 'ak>>>???of 50% & more', id: 12 }] };
		expect(hideToken(data, credentials)).toEqual(data);
		for (const nothing of [undefined, null, '', 0])
			expect(hideToken(nothing, credentials)).toBe(nothing);
	});

	test('leaves no words where something was hidden', () => {
		const [hidden] = hideToken([token], credentials) as string[];
		expect(holdsSecret(`to: ${hidden}`, listSecrets(credentials))).toBe(true);
	});
});

describe('token', () => {
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
});
