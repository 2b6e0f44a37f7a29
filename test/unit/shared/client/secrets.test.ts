import fc from 'fast-check';
import {
	hideInData,
	holdsSecret,
	listSecrets,
	listToken,
} from '../../../../nodes/shared/client/secrets';
import { toApiToken, type ApiKey, readCredentials } from '../../../../nodes/shared/client/token';

const credentialsWith = (apiKey: string, apiSecret: string): ApiKey => ({ apiKey, apiSecret });

describe('words that hold a secret', () => {
	const secret = fc
		.string({ unit: 'grapheme', minLength: 4, maxLength: 20 })
		.filter((text) => text.replace(/[-+\s]/g, '').length > 1);
	const echoes: Array<(text: string) => string> = [
		(text) => text,
		(text) => encodeURIComponent(text),
		(text) => encodeURIComponent(text).toLowerCase(),
		(text) => new URLSearchParams({ a: text }).toString().slice(2),
		(text) => JSON.stringify(text),
		(text) => JSON.stringify({ nested: text }),
		(text) => Buffer.from(text).toString('base64'),
		(text) => `before ${text} after`,
		(text) => text.trim().replace(/\s+/g, ' '),
	];

	test('are known, in whatever form key, secret, token or code are echoed', () => {
		const cases = fc.tuple(secret, secret, secret, fc.constantFrom(...echoes));
		fc.assert(
			fc.property(cases, ([apiKey, apiSecret, code, echo]) => {
				const credentials = credentialsWith(apiKey, apiSecret);
				const all = [apiKey, apiSecret, `${apiKey}:${apiSecret}`, code];
				const secrets = listSecrets(credentials, [code]);
				expect(holdsSecret(toApiToken(credentials), secrets)).toBe(true);
				for (const one of all) expect(holdsSecret(echo(one), secrets)).toBe(true);
			}),
			{ numRuns: 500 },
		);
	});

	test.each([' ᾈ  ', 'Ⓐ-Ⓑ-Ⓒ', 'pin-Ⅷ', 'ΠΙΝ ΣΑΣ'])('are known by %s in either case', (code) => {
		const secrets = listSecrets(credentialsWith('a key', 'a secret'), [code]);
		expect(holdsSecret(`Σ: ${code.toLowerCase()}`, secrets)).toBe(true);
		expect(holdsSecret(`Σ: ${code.toUpperCase()}`, secrets)).toBe(true);
	});

	describe('whatever way each sign of a secret is written', () => {
		const hex = (sign: string) => sign.codePointAt(0)?.toString(16) ?? '';
		const percent = (sign: string) =>
			[...Buffer.from(sign)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
		const writings: Array<(sign: string) => string> = [
			(sign) => sign,
			percent,
			(sign) => percent(sign).toUpperCase(),
			(sign) => percent(percent(sign)),
			(sign) => `\\u${hex(sign).padStart(4, '0')}`,
			(sign) => `\\u${hex(sign).padStart(4, '0').toUpperCase()}`,
			(sign) => `\\\\u${hex(sign).padStart(4, '0')}`,
			(sign) => (/[/"\\]/.test(sign) ? `\\${sign}` : sign),
			(sign) => (sign === '+' ? ' ' : sign),
			(sign) => sign.toUpperCase(),
		];
		const apiKey = 'ak/12+34=of "mine"';
		const apiSecret = 's&cret_é-မြန်မာ';
		const credentials = credentialsWith(apiKey, apiSecret);
		const token = toApiToken(credentials);
		const tokens = [
			token,
			token.replace(/=+$/, ''),
			Buffer.from(`${apiKey}:${apiSecret}`).toString('base64url'),
		];
		const texts = [apiKey, apiSecret, `${apiKey}:${apiSecret}`, 'code-4711', ...tokens];
		const write = (text: string, choices: number[]) =>
			[...text].map((sign, at) => writings[choices[at % choices.length]](sign)).join('');
		const choices = fc.array(fc.nat({ max: writings.length - 1 }), { minLength: 1, maxLength: 60 });

		test('it is known', () => {
			const secrets = listSecrets(credentials, ['code-4711']);
			fc.assert(
				fc.property(fc.constantFrom(...texts), choices, (text, how) => {
					expect(holdsSecret(`<<${write(text, how)}>>`, secrets)).toBe(true);
				}),
				{ numRuns: 3000 },
			);
		});

		test('a text of data that holds the token is hidden as a whole, and nothing beside it', () => {
			const secrets = listToken(credentials);
			fc.assert(
				fc.property(fc.constantFrom(...tokens), choices, (text, how) => {
					const echo = `/send?accessToken=${write(text, how)}`;
					const data = { echo, list: [{ echo }, 'more'], inner: JSON.stringify({ echo }), n: 1 };
					expect(hideInData(data, secrets)).toEqual({
						echo: '[hidden]',
						list: [{ echo: '[hidden]' }, 'more'],
						inner: '[hidden]',
						n: 1,
					});
				}),
				{ numRuns: 1000 },
			);
		});

		test('data that holds no token stays as it is, also where a key is a word of it', () => {
			const secrets = listToken(credentials);
			const data = { messages: [{ message: 'ak/12+34=of "mine" 50% & more', id: 12 }] };
			expect(hideInData(data, secrets)).toBe(data);
			for (const nothing of [undefined, null, '', 0])
				expect(hideInData(nothing, secrets)).toBe(nothing);
		});

		test('what was hidden in data leaves no words', () => {
			const [hidden] = hideInData([token], listToken(credentials)) as string[];
			expect(holdsSecret(`to: ${hidden}`, listSecrets(credentials))).toBe(true);
		});
	});

	test.each([
		['a%2Bbcd', 'a+bcd'],
		['a%252Bbcd', 'a+bcd'],
		['%25u12', '%u12'],
		['%e1%80%80%e1%80%80', '\u1000\u1000'],
		['a\\u002b\\/b', 'a+/b'],
		['%zz', '%zz'],
	])('%j is read as %j', (text, code) => {
		expect(holdsSecret(text, listSecrets(credentialsWith('demo-key', 'x'), [code]))).toBe(true);
	});

	test.each(['%41', '%25', '%2525', '\\u0041', 'demo', 'demo-key:', '\\\\'])(
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

describe('token', () => {
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
});
