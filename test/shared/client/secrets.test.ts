import fc from 'fast-check';

import { hideSecrets, secretsOf } from '../../../nodes/shared/client/secrets';
import { toApiToken, type ServiceCredentials } from '../../../nodes/shared/client/token';

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
