import fc from 'fast-check';

import {
	hideSecrets,
	parseAndHide,
	secretsOf,
	secretsOfData,
} from '../../../../nodes/shared/client/secrets';
import { toApiToken, type ServiceCredentials } from '../../../../nodes/shared/client/token';

const credentialsWith = (apiKey: string, apiSecret: string): ServiceCredentials => ({
	baseUrl: 'https://sms.example.com/api',
	apiKey,
	apiSecret,
	authorizationScheme: 'Bearer',
});

describe('hideSecrets', () => {
	const secret = fc
		.string({ unit: 'grapheme', minLength: 4, maxLength: 20 })
		.filter((text) => !'[hidden]'.includes(text));
	const echoes: Array<(text: string) => string> = [
		(text) => text,
		(text) => encodeURIComponent(text),
		(text) => encodeURIComponent(text).toLowerCase(),
		(text) => new URLSearchParams({ a: text }).toString().slice(2),
		(text) => JSON.stringify(text),
		(text) => JSON.stringify({ nested: text }),
		(text) => Buffer.from(text).toString('base64'),
		(text) => `before ${text} after`,
	];

	test('leaves no key, secret, token or code readable, in whatever form it is echoed', () => {
		const cases = fc.tuple(secret, secret, secret, fc.constantFrom(...echoes));
		fc.assert(
			fc.property(cases, ([apiKey, apiSecret, code, echo]) => {
				const credentials = credentialsWith(apiKey, apiSecret);
				const all = [apiKey, apiSecret, toApiToken(credentials), `${apiKey}:${apiSecret}`, code];
				const hidden = hideSecrets(all.map(echo).join(' | '), secretsOf(credentials, [code]));
				const left = hidden.replaceAll('[hidden]', '\u0000');
				for (const one of all) {
					for (const form of [one, encodeURIComponent(one), JSON.stringify(one).slice(1, -1)])
						expect(left).not.toContain(form);
				}
			}),
			{ numRuns: 500 },
		);
	});

	test.each([' ᾈ  ', 'Ⓐ-Ⓑ-Ⓒ', 'pin-Ⅷ'])(
		'hides %s beside a sigma, by which each letter is read for itself',
		(secretOfCall) => {
			const credentials = credentialsWith('a key', 'a secret');
			const hidden = hideSecrets(`Σ: ${secretOfCall}`, secretsOf(credentials, [secretOfCall]));
			expect(hidden).toBe('Σ: [hidden]');
		},
	);

	describe('whatever way each sign of a secret is written', () => {
		const hex = (sign: string) => sign.codePointAt(0)?.toString(16) ?? '';
		const percent = (sign: string) =>
			[...Buffer.from(sign)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
		const named: Record<string, string> = { '&': 'amp', '"': 'quot', '+': 'plus', '/': 'sol' };
		const writings: Array<(sign: string) => string> = [
			(sign) => sign,
			percent,
			(sign) => percent(sign).toUpperCase(),
			(sign) => percent(percent(sign)),
			(sign) => `\\u${hex(sign).padStart(4, '0')}`,
			(sign) => `\\u${hex(sign).padStart(4, '0').toUpperCase()}`,
			(sign) => `\\\\u${hex(sign).padStart(4, '0')}`,
			(sign) => (/[/"\\]/.test(sign) ? `\\${sign}` : sign),
			(sign) => `&#${sign.codePointAt(0)};`,
			(sign) => `&#X${hex(sign)};`,
			(sign) => (named[sign] ? `&${named[sign]};` : sign),
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

		test('all of it is hidden, and nothing beside it', () => {
			fc.assert(
				fc.property(fc.constantFrom(...texts), choices, (text, how) => {
					const echo = `<<${write(text, how)}>>`;
					expect(hideSecrets(echo, secretsOf(credentials, ['code-4711']))).toBe('<<[hidden]>>');
				}),
				{ numRuns: 3000 },
			);
		});

		test('a part of at least eight signs is hidden where an echo is cut', () => {
			const cut = fc.tuple(fc.constantFrom(...tokens), fc.nat(), fc.nat(), choices);
			fc.assert(
				fc.property(cut, ([text, from, length, how]) => {
					const start = from % (text.length - 8);
					const part = text.slice(start, start + 8 + (length % (text.length - start - 7)));
					const hidden = hideSecrets(`… ${write(part, how)}`, secretsOf(credentials));
					expect(hidden).toBe('… [hidden]');
				}),
				{ numRuns: 3000 },
			);
		});

		test('an escape that is cut as well leaves no more than itself', () => {
			const echo = `accessToken=${encodeURIComponent(token).slice(0, 30)}%2`;
			expect(hideSecrets(echo, secretsOf(credentials))).toMatch(/^accessToken=\[hidden\](%2)?$/);
		});

		test('the token is hidden in parsed data, in values, names and texts of JSON in it', () => {
			fc.assert(
				fc.property(fc.constantFrom(...tokens), choices, (text, how) => {
					const echo = write(text, how);
					const data = { echo, list: [{ [echo]: 1 }], inner: JSON.stringify({ echo }), n: 1 };
					expect(parseAndHide(JSON.stringify(data), secretsOfData(credentials))).toEqual({
						echo: '[hidden]',
						list: [{ '[hidden]': 1 }],
						inner: '{"echo":"[hidden]"}',
						n: 1,
					});
				}),
				{ numRuns: 1000 },
			);
		});

		test('the signs of the JSON text itself can be escaped in any way', () => {
			fc.assert(
				fc.property(fc.constantFrom(...tokens), fc.array(fc.boolean()), (text, escaped) => {
					const signs = [...text].map((sign, at) =>
						escaped[at % (escaped.length || 1)] ? `\\u${hex(sign).padStart(4, '0')}` : sign,
					);
					const json = `{"message":"token ${signs.join('').replaceAll('/', '\\/')} is bad"}`;
					expect(parseAndHide(json, secretsOfData(credentials))).toEqual({
						message: 'token [hidden] is bad',
					});
				}),
			);
		});

		test('data that holds no token stays as it is, also where a key is a word of it', () => {
			const text = '{"messages":[{"message":"ak\\/12+34=of \\"mine\\" 50% & more","id":12}]}';
			expect(parseAndHide(text, secretsOfData(credentials))).toEqual(JSON.parse(text));
			expect(parseAndHide('<html>', secretsOfData(credentials))).toBeUndefined();
			expect(parseAndHide(undefined, secretsOfData(credentials))).toBeUndefined();
		});
	});

	test('takes no time over texts that are made to take some', () => {
		const hostile = ['%41', '%2525', '\\u0041', '&#65;', 'demo', 'demo-key:', '\\\\', '&'];
		const begin = performance.now();
		for (const text of hostile) {
			hideSecrets(text.repeat(200_000 / text.length), secretsOf(credentialsWith('demo-key', 's')));
		}
		expect(performance.now() - begin).toBeLessThan(2_000);
	});

	test('hides the longer secret first when one is a part of the other', () => {
		const hidden = hideSecrets('key and key-2', secretsOf(credentialsWith('key', 'key-2')));
		expect(hidden).toBe('[hidden] and [hidden]');
	});

	test('leaves other text as it is', () => {
		const words = 'Your request was made with invalid credentials.';
		expect(hideSecrets(words, secretsOf(credentialsWith('demo-key', 'demo-secret')))).toBe(words);
	});

	test('does not fail over an empty or half secret', () => {
		expect(hideSecrets('a', secretsOf(credentialsWith('', '')))).toBe('a');
		expect(hideSecrets('x \ud83d\ud83d y', secretsOf(credentialsWith('k', '\ud83d\ud83d')))).toBe(
			'x [hidden] y',
		);
	});
});
