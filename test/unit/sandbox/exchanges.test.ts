import { request } from 'node:http';
import type { Sandbox } from '../../../sandbox';
import exchanges from '../../fixtures/exchanges.json';
import { callSandbox, type Call } from '../../support/sandbox/callSandbox';
import requests from '../../fixtures/thirdPartyRequests.json';
import { useSandbox } from '../../support/workflow/useSandbox';

interface Exchange {
	name: string;
	request: Call;
	answer: { status: number; body: unknown };
}

/** Values that differ from run to run: compared by their shape. */
const VARIABLE = [
	'messageId',
	'createdAt',
	'expireAt',
	'verifiedAt',
	'finishedAt',
	'requestId',
	'request_id',
];

function blank(value: unknown): unknown {
	return JSON.parse(JSON.stringify(value), (name: string, one: unknown) => {
		if (name === 'requestId' || name === 'request_id') return String(one).replace(/\d/g, '9');
		if (VARIABLE.includes(name)) return String(one).replace(/[0-9a-f]/g, '9');
		if (typeof one === 'string' && /^[\w+/]{40,}={0,2}$/.test(one)) return 'encrypted';
		if (typeof one === 'string') return one.replace(/^https?:\/\/[^/]+/, '');
		return one;
	}) as unknown;
}

describe('documented exchanges', () => {
	const sandbox = useSandbox({ methods: 'any' });
	const byName = new Map((exchanges as Exchange[]).map((exchange) => [exchange.name, exchange]));

	const selfContained = [...byName.keys()].filter(
		(name) => !['history', 'otpVerify'].includes(name),
	);

	test.each(selfContained)('%s has the documented response', async (name) => {
		const { request, answer } = byName.get(name)!;
		const { status, data, headers } = await callSandbox(sandbox, request);
		expect({ status, body: blank(data) }).toEqual({ ...answer, body: blank(answer.body) });
		expect(headers['content-type']).toMatch(/^application\/json/);
	});

	test('history of 152 messages has the documented response', async () => {
		sandbox.seedMessages(152);
		const { request, answer } = byName.get('history')!;
		const { status, data } = await callSandbox(sandbox, request);
		expect(data.messages).toHaveLength(20);
		const body = { ...data, messages: data.messages.slice(0, 1) };
		expect({ status, body: blank(body) }).toEqual({ ...answer, body: blank(answer.body) });
	});

	test('the right code has the documented response', async () => {
		const requested = await callSandbox(sandbox, byName.get('otpRequestBySms')!.request);
		const { request, answer } = byName.get('otpVerify')!;
		const [otp] = sandbox.codes();
		const query = { requestId: String(requested.data.requestId), code: otp!.code };
		const { status, data } = await callSandbox(sandbox, { ...request, query });
		expect({ status, body: blank(data) }).toEqual({ ...answer, body: blank(answer.body) });
	});
});

describe('thirdParty', () => {
	interface ThirdPartyRequest {
		name: string;
		method: string;
		path: string;
		headers: Record<string, string | undefined>;
		body?: string;
		stored?: object[];
	}

	/** Byte by byte as it is written: a client library would add to it. */
	function callRaw(sandbox: Sandbox, { method, path, headers, body }: ThirdPartyRequest) {
		const fill = (text: string) =>
			text
				.replace('{token}', sandbox.token)
				.replace('{accessToken}', encodeURIComponent(sandbox.token));
		const filled = Object.entries(headers).map(([name, value = '']) => [name, fill(value)]);
		const options = { method, headers: Object.fromEntries(filled) as Record<string, string> };
		return new Promise<number | undefined>((resolve, reject) => {
			const call = request(`${sandbox.baseUrl}${fill(path)}`, options, (answer) => {
				answer.resume().once('end', () => resolve(answer.statusCode));
			});
			call.once('error', reject).end(body);
		});
	}

	describe('requests as published clients make them', () => {
		const sandbox = useSandbox({ methods: 'any' });

		test.each(requests as ThirdPartyRequest[])('$name is accepted', async (one) => {
			expect(await callRaw(sandbox, one)).toBe(201);
			expect(sandbox.messages()).toMatchObject(one.stored ?? []);
			expect(sandbox.messages().map(({ to }) => to)).toHaveLength(one.stored?.length ?? 0);
		});
	});
});
