import fc from 'fast-check';

import {
	isLoopback,
	isOpenToReaders,
	isUsableBaseUrl,
	normalizeBaseUrl,
} from '../../../../nodes/shared/client/address';
import { endpoints } from '../../../../nodes/shared/client/endpoints';

const segment = fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,8}$/);
/** A host that consists of digits only is read as an IP address, and most of them are none. */
const host = segment.map((name) => `h${name}`);
const notAnEnding = segment.filter((name) => !/^(rest|otp|http)$/.test(name));
const origin = fc
	.tuple(
		fc.constantFrom('http', 'https', 'HTTPS'),
		host,
		fc.option(fc.integer({ min: 1, max: 65535 })),
	)
	.map(([scheme, host, port]) => `${scheme}://${host}${port === null ? '' : `:${port}`}`);
const base = fc
	.tuple(origin, fc.array(segment, { maxLength: 2 }), fc.option(notAnEnding))
	.map(([start, path, last]) => (last === null ? start : [start, ...path, last].join('/')));
const endings = [
	'',
	'rest',
	'otp',
	'http',
	...Object.values(endpoints).map(({ surface, path }) => `${surface}${path}`),
];
const slashes = fc.constantFrom('', '/', '//');

describe('normalizeBaseUrl', () => {
	test('drops every ending, slash, space and query that people paste', () => {
		const pasted = fc.record({
			ending: fc.constantFrom(...endings, ...endings.map((ending) => ending.toUpperCase())),
			tail: fc.constantFrom('', '?', '?accessToken=a/b/rest', '#top', ' ', '\n'),
			before: fc.constantFrom('/', '//'),
			after: slashes,
		});
		fc.assert(
			fc.property(base, pasted, (address, { ending, tail, before, after }) => {
				const text = `${address}${ending && before}${ending}${after}${tail}`;
				expect(normalizeBaseUrl(` ${text}`)).toBe(address);
				expect(normalizeBaseUrl(address)).toBe(address);
				expect(isUsableBaseUrl(address)).toBe(true);
			}),
		);
	});

	test.each([
		['https://rest', 'https://rest'],
		['http://otp/', 'http://otp'],
		['http://http/http', 'http://http'],
		['https://example.com/interest', 'https://example.com/interest'],
		['https://example.com/send', 'https://example.com/send'],
		['https://example.com/api/rest/v1', 'https://example.com/api/rest/v1'],
	])('brings %s to %s', (pasted, expected) => expect(normalizeBaseUrl(pasted)).toBe(expected));

	test.each([undefined, null, '', '   '])('returns an empty text for %p', (value) =>
		expect(normalizeBaseUrl(value)).toBe(''),
	);
});

describe('isUsableBaseUrl', () => {
	test.each([
		...['', 'sms.example.com/api', '//sms.example.com', 'ftp://sms.example.com'],
		...['file:///etc/passwd', 'javascript:alert(1)', 'https://', 'https:///api'],
		...['https://user:secret@sms.example.com', 'https://sms.example.com/a b'],
		...['https://sms example.com', 'https://sms.example.com:99999', 'https://999.1.1.1/api'],
		...['https://sms.example.com/api/..%2fadmin'],
	])('is false for %j', (address) => expect(isUsableBaseUrl(address)).toBe(false));
});

describe('isOpenToReaders', () => {
	test.each([
		...['http://sms.example.com', 'http://8.8.8.8/api', 'http://172.15.0.1', 'http://11.0.0.1'],
		...['http://[2001:db8::1]', 'http://localhost.example.com', 'http://10.example.com'],
	])('is true for %s', (baseUrl) => expect(isOpenToReaders(baseUrl)).toBe(true));

	test.each([
		...[
			'https://sms.example.com',
			'http://localhost:4010/api',
			'http://127.0.0.1',
			'http://[::1]/a',
		],
		...['http://10.1.2.3', 'http://172.16.0.1', 'http://172.31.9.9', 'http://192.168.1.1:80/api'],
		...['http://[fd12:3456::1]', 'http://[fe80::1]', 'http://sandbox:4010', 'http://sms.local'],
	])('is false for %s', (baseUrl) => expect(isOpenToReaders(baseUrl)).toBe(false));
});

test.each([
	...['http://localhost:5678/x', 'http://n8n.localhost', 'http://127.0.0.1', 'http://[::1]:5678'],
	...['http://0.0.0.0:5678', 'http://[::]'],
])('%s is open to programs on this machine only', (url) => expect(isLoopback(url)).toBe(true));

test.each(['https://n8n.example.com', 'http://192.168.1.5:5678', 'http://localhost.example.com'])(
	'%s may be open to phones',
	(url) => expect(isLoopback(url)).toBe(false),
);
