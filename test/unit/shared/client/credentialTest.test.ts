import { credentialsOf } from '../../../support/workflow/credentialsOf';
import { testCredential } from '../../../support/workflow/testCredential';
import { useSandbox } from '../../../support/workflow/useSandbox';
import { answerJson, answerText, useStandIn } from '../../../support/workflow/useStandIn';

describe("the credential's test", () => {
	const sandbox = useSandbox();

	test.each(['Bearer', 'Basic'])('passes with the scheme %s', async (authorizationScheme) => {
		const data = credentialsOf(sandbox, { authorizationScheme });
		expect(await testCredential(data)).toMatchObject({ status: 'OK' });
		expect(sandbox.requests().map(({ path }) => path)).toHaveLength(1);
		const { authorization } = sandbox.requests()[0].headers;
		expect(authorization).toBe(`${authorizationScheme} ${sandbox.token}`);
	});

	test('names key, secret, whitelist and limited keys after a 401, sent once', async () => {
		const result = await testCredential(credentialsOf(sandbox, { apiSecret: 'wrong' }));
		expect(result.status).toBe('Error');
		for (const words of ['HTTP 401', 'API secret', 'IP allowlist', 'one-time codes'])
			expect(result.message).toContain(words);
		expect(sandbox.requests().map(({ path }) => path)).toHaveLength(1);
	});

	test.each([
		['no address at all', { baseUrl: undefined }, /Base URL.*not a valid URL/],
		['no scheme', { baseUrl: 'sms.example.com/api' }, /starts with https:/],
		[
			'nobody listening',
			{ baseUrl: 'http://127.0.0.1:1/api' },
			/could not be reached \(ECONNREFUSED\)/,
		],
		['a host that does not exist', { baseUrl: 'https://sms.invalid/api' }, /host .* is unknown/],
	])('says what to do with %s', async (_, changes, sentence) => {
		const result = await testCredential(credentialsOf(sandbox, changes));
		expect(result).toMatchObject({ status: 'Error', message: expect.stringMatching(sentence) });
	});

	test('says that the address is not the one of the service', async () => {
		const result = await testCredential(credentialsOf(sandbox, { baseUrl: sandbox.url }));
		expect(result.message).toMatch(/not found at this URL \(HTTP 404\).*Check the Base URL/);
	});

	test('warns of http:, without sending the key there', async () => {
		const result = await testCredential(credentialsOf(sandbox, { baseUrl: 'http://8.8.8.8/api' }));
		expect(result).toMatchObject({
			status: 'Error',
			message: expect.stringMatching(/^The Base URL starts with http:.*Use https:/),
		});
	});

	test.each([undefined, '', 'Asia/Yangon', ' UTC '])(
		'passes with the Service Time Zone %p',
		async (serviceTimeZone) => {
			const data = credentialsOf(sandbox, { serviceTimeZone });
			expect(await testCredential(data)).toMatchObject({ status: 'OK' });
		},
	);

	test.each([
		['a key with a space in it', { apiKey: 'demo key' }, /^API Key has a space .* inside it/],
		['one with a space that nobody sees', { apiKey: 'demo\u200bkey' }, /^API Key has a space/],
		['an unknown time zone', { serviceTimeZone: 'Burma' }, /^Service Time Zone .*: "Burma"/],
	])('names %s, and sends nothing', async (_, changes, sentence) => {
		const result = await testCredential(credentialsOf(sandbox, changes));
		expect(result).toMatchObject({ status: 'Error', message: expect.stringMatching(sentence) });
		expect(sandbox.requests().map(({ path }) => path)).toEqual([]);
	});

	test('passes with spaces around key and secret, a surface pasted behind, and a list', async () => {
		const keys = { apiKey: ` ${sandbox.apiKey}\n`, apiSecret: `\t${sandbox.apiSecret} ` };
		const baseUrl = `${sandbox.baseUrl}/otp/`;
		const data = credentialsOf(sandbox, { ...keys, baseUrl, onlySendTo: '09791234567\n9597910*' });
		expect(await testCredential(data)).toMatchObject({ status: 'OK' });
	});

	test('does not break over an empty credential', async () => {
		expect(await testCredential({})).toMatchObject({ status: 'Error' });
		expect(await testCredential(undefined)).toMatchObject({ status: 'Error' });
	});
});

describe("the credential's test and odd responses", () => {
	const service = useStandIn();
	const elsewhere = useStandIn();

	test.each([200, 201])('passes with %i', async (status) => {
		service.answer = () => answerJson(status, { balance: 0, currency: 'MMK' });
		expect(await testCredential(credentialsOf(service))).toMatchObject({ status: 'OK' });
	});

	test.each([301, 302, 307, 308])('does not follow a %i', async (status) => {
		elsewhere.answer = () => answerJson(200, { balance: 0, currency: 'MMK' });
		const Location = `${elsewhere.baseUrl}/rest/account/get-balance`;
		service.answer = () => new Response(null, { status, headers: { Location } });
		const result = await testCredential(credentialsOf(service));
		expect(result).toMatchObject({
			status: 'Error',
			message: expect.stringContaining('The service redirected the request'),
		});
		expect(elsewhere.requests).toEqual([]);
	});

	test.each(['<html>Welcome</html>', '{}', '{"balance', '"balance"', 'null'])(
		'does not mistake the page %j of a wrong URL for the service',
		async (text) => {
			service.answer = () => answerText(200, text);
			const result = await testCredential(credentialsOf(service));
			expect(result).toMatchObject({
				status: 'Error',
				message: expect.stringMatching(/could not be read|^A website responded/),
			});
		},
	);

	test('leaves out words that echo a secret', async () => {
		service.answer = ({ headers }) =>
			answerJson(500, { message: `${headers.authorization} demo-key:demo-secret` });
		const { message } = await testCredential(credentialsOf(service));
		expect(message).toContain('HTTP 500');
		expect(message).not.toContain('The service says');
		expect(message).not.toContain('demo-secret');
	});
});
