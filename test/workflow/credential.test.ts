import type { IDataObject } from 'n8n-workflow';

import { MessagingServiceClient } from '../../nodes/shared/client/MessagingServiceClient';
import { buildToken } from '../../sandbox';
import { openContext } from '../support/workflow/openContext';
import { nodeNames, runAgainst } from '../support/workflow/runAgainst';
import { useSandbox } from '../support/workflow/useSandbox';
import { answerJson, useStandIn } from '../support/workflow/useStandIn';

const hardKeys = [
	['a +, a / and a = in the token', 'ö>ü?~', 'û>>>???'],
	['letters beyond ASCII', 'သော့', 'лозинка-🔑'],
	['a colon in the secret', 'key', 'a:b::c'],
	['signs that mean something in an address', 'k&y=#?%20', 's%+ /\\"\'<>'],
] as const;

describe.each(hardKeys)('a credential with %s', (_, apiKey, apiSecret) => {
	const sandbox = useSandbox({ apiKey, apiSecret });

	test.each(['Bearer', 'Basic'])('works with the scheme %s on every surface', async (scheme) => {
		const credentials = { authorizationScheme: scheme };
		for (const node of nodeNames) {
			const { error } = await runAgainst(sandbox, node)({}, { credentials });
			expect([node, error]).toEqual([node, undefined]);
		}
		const byQuery = await runAgainst(sandbox, 'SmsSend')(
			{ options: { surface: 'http' } },
			{ credentials },
		);
		expect(byQuery.error).toBeUndefined();
	});

	test('travels as Base64 of its UTF-8, in the header or percent-encoded in the query', async () => {
		const token = buildToken({ apiKey, apiSecret });
		await runAgainst(sandbox, 'SmsBalance')();
		await runAgainst(sandbox, 'OtpRequest')();
		const [balance, otp] = sandbox.requests();
		expect(balance.headers.authorization).toBe(`Bearer ${token}`);
		expect(balance.rawQuery).toBe('');
		expect(otp.headers.authorization).toBeUndefined();
		expect(otp.rawQuery).toContain(`accessToken=${encodeURIComponent(token)}`);
	});
});

describe('spaces and line ends around a key', () => {
	const sandbox = useSandbox();

	test('make no other account of it, whose messages would be sent again', async () => {
		const open = async (credentials: IDataObject) =>
			await MessagingServiceClient.open(openContext(sandbox, { credentials }), {
				parallelRequests: 1,
				timeout: 1000,
			});
		const around = { apiKey: ` ${sandbox.apiKey}\n`, apiSecret: `${sandbox.apiSecret} ` };
		const [plain, spaced] = [await open({}), await open(around)];
		expect(spaced.account).toBe(plain.account);
		expect(spaced.seal('a')).toBe(plain.seal('a'));
		expect((await open({ apiKey: 'another' })).account).not.toBe(plain.account);
	});
});

describe('the Base URL', () => {
	const service = useStandIn();
	const answers = {
		balance: 1,
		requestId: 1,
		records: 1,
		request_id: 184512007,
		to: '959779123456',
		verifiedAt: '2026-11-20 14:01:00',
		messages: [
			{ messageId: 'a', status: 'Accepted', to: '959779123456', message: 'Hello', from: 'MyShop' },
		],
	};
	const expectedPaths = {
		OtpRequest: '/otp/request',
		OtpVerify: '/otp/verify',
		SmsBalance: '/rest/account/get-balance',
		SmsBulkSend: '/rest/send/bulk',
		SmsHistory: '/rest/messages',
		SmsSend: '/rest/send',
	};

	test.each([
		...['', '/', '/REST/', '/otp', '/rest/account/get-balance', '/http/send?accessToken=abc'],
		...['//rest//', '?a=1#b'],
	])('is understood with %j at its end', async (ending) => {
		service.answer = () => answerJson(200, answers);
		const credentials = { baseUrl: ` ${service.baseUrl}${ending}` };
		for (const node of nodeNames) {
			const { error } = await runAgainst(service, node)({}, { credentials });
			expect([node, error]).toEqual([node, undefined]);
		}
		expect(service.requests.map(({ path }) => path)).toEqual(
			nodeNames.map((node) => expectedPaths[node]),
		);
	});

	test.each(['/otp', '/http', '/rest-api', '/v3/otp/eu'])(
		'may have %s within its path',
		async (path) => {
			service.answer = () => answerJson(200, answers);
			const baseUrl = `${service.baseUrl}${path}/gateway`;
			for (const node of nodeNames)
				await runAgainst(service, node)({}, { credentials: { baseUrl } });
			expect(service.requests.map((request) => request.path)).toEqual(
				nodeNames.map((node) => `${path}/gateway${expectedPaths[node]}`),
			);
			const withHeader = service.requests.filter(({ headers }) => headers.authorization);
			expect(withHeader.map((request) => request.path)).toEqual(
				service.requests.map((request) => request.path).filter((one) => one.includes('/rest/')),
			);
		},
	);
});

describe('a credential with an expression', () => {
	const sandbox = useSandbox({ apiKey: 'own' });
	const apiKeys = {
		'a field of the item': '={{ $json.key }}',
		'a field of another node': "={{ $('Source').item.json.key }}",
		'a fallback': "={{ $json.key === 'other' ? 'other' : 'own' }}",
	};
	const toItems = (...keys: string[]) => keys.map((key) => ({ key }));

	test.each(Object.entries(apiKeys))(
		'that depends on %s: the first item decides',
		async (_, apiKey) => {
			const items = toItems('own', 'other', 'own');
			const { error } = await runAgainst(sandbox, 'SmsSend')(
				{ options: { skipDuplicates: false } },
				{ items, credentials: { apiKey } },
			);
			expect(error).toBeUndefined();
			const tokens = sandbox.requests().map(({ headers }) => headers.authorization);
			expect(new Set(tokens)).toEqual(new Set([`Bearer ${sandbox.token}`]));
			expect(tokens).toHaveLength(3);
		},
	);
});
