import { request } from 'node:http';
import { type Sandbox, startSandbox } from '../../../sandbox';
import requests from '../../fixtures/thirdPartyRequests.json';

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
	let sandbox: Sandbox;

	beforeAll(async () => {
		sandbox = await startSandbox({ pace: 0 });
	});
	beforeEach(() => sandbox.reset());
	afterAll(() => sandbox.close());

	test.each(requests as ThirdPartyRequest[])('$name is accepted', async (one) => {
		expect(await callRaw(sandbox, one)).toBe(201);
		expect(sandbox.messages()).toMatchObject(one.stored ?? []);
		expect(sandbox.messages().map(({ to }) => to)).toHaveLength(one.stored?.length ?? 0);
	});
});
