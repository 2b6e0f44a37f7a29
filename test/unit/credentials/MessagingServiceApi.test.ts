import 'reflect-metadata';
import fc from 'fast-check';
import type { IHttpRequestOptions } from 'n8n-workflow';

import { MessagingServiceApi } from '../../../credentials/MessagingServiceApi.credentials';
import { rememberAsOwn } from '../../../nodes/shared/client/credential';
import { processorMs } from '../../support/unit/processorTime';

type Authenticate = (credentials: object, options: object) => Promise<IHttpRequestOptions>;

const authenticate = new MessagingServiceApi().authenticate as Authenticate;
const credentials = {
	baseUrl: 'https://sms.example.com/api',
	apiKey: 'key',
	apiSecret: 'secret',
	authorizationScheme: 'Bearer',
};
const token = Buffer.from('key:secret').toString('base64');

describe('the credential', () => {
	test('has the fields of the permanent interface', () => {
		const { name, displayName, properties } = new MessagingServiceApi();
		expect({ name, displayName }).toEqual({
			name: 'messagingServiceApi',
			displayName: 'SMS and OTP Messaging Service API',
		});
		const fields = properties.filter((property) => property.type !== 'notice');
		expect(fields.map((property) => property.name)).toEqual([
			'baseUrl',
			'apiKey',
			'apiSecret',
			'senderId',
			'brand',
			'onlySendTo',
			'authorizationScheme',
			'serviceTimeZone',
			'flags',
		]);
		const passwords = fields.filter((property) => property.typeOptions?.password);
		expect(passwords.map((property) => property.name)).toEqual(['apiKey', 'apiSecret']);
		expect(fields.slice(3).map(({ default: value }) => value)).toEqual([
			...['', '', ''],
			'Bearer',
			'Asia/Yangon',
			'whenOn',
		]);
	});

	test.each([
		['url', { url: 'https://sms.example.com/api/rest/send' }],
		["the HTTP Request node's uri", { uri: 'https://sms.example.com/api/rest/send' }],
		['baseURL and url', { baseURL: 'https://sms.example.com/api/', url: '/rest/send' }],
		[
			'a whole url and a baseURL',
			{ baseURL: 'https://x.test', url: `${credentials.baseUrl}/rest` },
		],
		['another path of the service', { url: 'https://sms.example.com/api/v4/templates' }],
		['upper case and the usual port', { url: 'HTTPS://SMS.Example.com:443/api/rest/send' }],
		['a path that goes up and comes back', { url: 'https://sms.example.com/x/../api/rest/send' }],
	])('puts the token into the header for %s', async (_, options) => {
		const given = { method: 'POST', headers: { A: 'b' }, qs: { c: 1 }, ...options };
		expect(await authenticate(credentials, given)).toMatchObject({
			...given,
			headers: { A: 'b', Authorization: `Bearer ${token}` },
		});
	});

	test.each([
		['url', { url: 'https://sms.example.com/api/otp/request' }],
		["the HTTP Request node's uri", { uri: 'https://sms.example.com/api/otp/verify' }],
		['baseURL and url', { baseURL: 'https://sms.example.com/api', url: 'http/send' }],
		['a query in the address', { uri: 'https://sms.example.com/api/http/send?to=1' }],
	])('puts the token into the query for %s of the other surfaces', async (_, options) => {
		const given = { method: 'POST', headers: { A: 'b' }, qs: { c: 1 }, ...options };
		expect(await authenticate(credentials, given)).toMatchObject({
			...given,
			qs: { c: 1, accessToken: token },
		});
	});

	test('follows no redirect, in the words of both forms of options', async () => {
		const options = { uri: `${credentials.baseUrl}/rest/messages`, followAllRedirects: true };
		expect(await authenticate(credentials, options)).toMatchObject({
			disableFollowRedirect: true,
			followRedirect: false,
			followAllRedirects: false,
		});
	});

	test.each([
		'https://evil.example.com/api/rest/send',
		'https://sms.example.com.evil.example/api/rest/send',
		'https://sms.example.com@evil.example/api/rest/send',
		'https://sms.example.com:pw@evil.example/api/rest/send',
		'https://evil.example\\@sms.example.com/api/rest/send',
		'https://me:pw@sms.example.com/api/rest/send',
		'http://sms.example.com/api/rest/send',
		'https://sms.example.com:8443/api/rest/send',
		'https://sms.example.com./api/rest/send',
		'https://sms.example.com/',
		'https://sms.example.com/apis/rest/send',
		'https://sms.example.com/API/rest/send',
		'https://sms.example.com/api/../admin',
		'https://sms.example.com/api/%2e%2E/admin',
		'https://sms.example.com/api\\..\\admin',
		'https://sms.example.com/api/..%2fadmin',
		'https://sms.example.com/api/..%5Cadmin',
		'https://sms.example.com/api/%252e%252e%252Fadmin',
		'https://sms.example.com/api/..;/admin',
		'https://sms.example.com/api/.\t./admin',
		'//evil.example.com/api/rest/send',
		'\thttps:evil.example.com/api',
		'/api/rest/send',
		'not an address',
		'',
	])('sends the token to its own address only, and not to %j', async (address) => {
		for (const options of [
			{ url: address },
			{ uri: address },
			{ baseURL: '', url: address },
			{ url: address, uri: `${credentials.baseUrl}/rest/send` },
		]) {
			await expect(authenticate(credentials, options)).rejects.toThrow(/not under its Base URL/);
		}
	});

	test('rejects a long path at once, however often it is escaped', async () => {
		const url = `${credentials.baseUrl}/%${'25'.repeat(40_000)}2e`;
		const ms = await processorMs(async () => {
			await expect(authenticate(credentials, { url })).rejects.toThrow(/not under its Base URL/);
		});
		expect(ms).toBeLessThan(1000);
	});

	test.each([
		[{ baseURL: 'https://evil.example', url: '/api/rest/send' }],
		[{ baseURL: credentials.baseUrl, url: 'https://evil.example' }],
		[{ baseURL: credentials.baseUrl, url: '//evil.example/api' }],
		[{ baseURL: credentials.baseUrl, url: '/../admin' }],
		[{ baseURL: credentials.baseUrl, uri: 'ftp://sms.example.com/api' }],
	])('reads %j as n8n does, and rejects it', async (options) => {
		await expect(authenticate(credentials, options)).rejects.toThrow(/not under its Base URL/);
	});

	test.each([
		['a header Host', { headers: { hOST: 'evil.example' } }],
		['a proxy', { proxy: 'http://evil.example:8080' }],
		['a proxy', { proxy: { host: 'evil.example', port: 8080 } }],
		['the option Ignore SSL Issues', { rejectUnauthorized: false }],
		['the option Ignore SSL Issues', { skipSslCertificateValidation: true }],
		['the option Ignore SSL Issues', { agentOptions: { rejectUnauthorized: false } }],
	])('rejects %s, by which somebody else would get the token', async (name, options) => {
		const given = { url: `${credentials.baseUrl}/rest/send`, ...options };
		await expect(authenticate(credentials, given)).rejects.toThrow(`names ${name}`);
	});

	test('signs requests whose certificate is checked', async () => {
		const checked = { rejectUnauthorized: true, skipSslCertificateValidation: false };
		const given = { url: `${credentials.baseUrl}/rest/send`, ...checked, agentOptions: {} };
		expect(await authenticate(credentials, given)).toMatchObject({ headers: expect.anything() });
	});

	test('names neither key, secret nor token when it rejects', async () => {
		const secret = { ...credentials, apiKey: 'key-4711', apiSecret: 'secret-4711' };
		const error = await authenticate(secret, { url: 'https://evil.example' }).catch(String);
		expect(error).not.toMatch(/4711|a2V5/);
	});

	/** SECURITY.md: "The credential signs only requests under its Base URL." */
	test('rejects every address that resolves to another origin or another path', async () => {
		const base = new URL(credentials.baseUrl);
		const piece = fc.constantFrom(
			...[
				'..',
				'.',
				'%2e',
				'%2F',
				'\\',
				'/',
				'//',
				'@',
				':',
				':443',
				'?',
				'#',
				'api',
				'evil.example',
			],
			...['https:', 'http:', 'sms.example.com', ';', '%', ' ', '\t', 'rest', '.evil.example'],
		);
		const tails = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
		const starts = fc.constantFrom('https://', 'https://sms.example.com', credentials.baseUrl, '');
		await fc.assert(
			fc.asyncProperty(starts, tails, async (start, tail) => {
				const url = start + tail;
				const isSigned = await authenticate(credentials, { url }).then(
					() => true,
					() => false,
				);
				if (!isSigned) return;
				const called = new URL(url);
				expect(called.origin).toBe(base.origin);
				expect(`${called.pathname}/`).toMatch(/^\/api\//);
				expect(decodeURIComponent(called.pathname.replace(/%(?![\da-f]{2})/gi, '%25'))).not.toMatch(
					/(^|[/\\])\.\.?([/\\]|$)/,
				);
			}),
			{ numRuns: 5000 },
		);
	});

	test.each([
		['Basic', 'Basic'],
		['Bearer', 'Bearer'],
		['other', 'Bearer'],
		[undefined, 'Bearer'],
	])('writes the scheme %p as %s', async (authorizationScheme, word) => {
		const options = { url: `${credentials.baseUrl}/rest/messages` };
		const { headers } = await authenticate({ ...credentials, authorizationScheme }, options);
		expect(headers).toEqual({ Authorization: `${word} ${token}` });
	});
});

describe('the credential with Only Send To', () => {
	const { baseUrl } = credentials;
	const requests = [
		{ url: `${baseUrl}/rest/send`, method: 'POST', body: { to: '09791234567' } },
		{ url: `${baseUrl}/http/send?to=09791234567`, method: 'POST' },
		{ uri: `${baseUrl}/rest/account/get-balance`, method: 'GET' },
	];

	test.each(['09791234567, 9597910*', 'everybody', ',', null, undefined, 5])(
		'signs with %j only requests of its own nodes',
		async (onlySendTo) => {
			const restricted = { ...credentials, onlySendTo };
			for (const request of requests) {
				await expect(authenticate(restricted, request)).rejects.toMatchObject({
					message: expect.stringMatching(/^Not sent: a credential with Only Send To works only in/),
					description: expect.stringContaining('a credential without Only Send To'),
				});
				const own = rememberAsOwn({ ...request });
				await expect(authenticate(restricted, { ...own })).rejects.toThrow(/^Not sent/);
				expect(await authenticate(restricted, own)).toHaveProperty('followRedirect', false);
			}
		},
	);

	test.each(['', ' ', '\n'])('signs any request while the list is %j', async (onlySendTo) => {
		for (const request of requests) {
			const signed = await authenticate({ ...credentials, onlySendTo }, request);
			expect(signed).toHaveProperty('followRedirect', false);
		}
	});
});
