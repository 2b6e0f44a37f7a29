import { Readable } from 'node:stream';

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { httpClient } from '../../../scripts/http';
import type { IDataObject } from 'n8n-workflow';

import { SmsReceiptTrigger } from '../../../nodes/SmsReceiptTrigger/SmsReceiptTrigger.node';
import { startReceiver, type Receiver } from '../../support/unit/receiver';
import { processorMs } from '../../support/unit/processorTime';

const secret = 'right-and-long-enough';
const http = httpClient.create({ validateStatus: () => true, timeout: 5000 });
const receipt = {
	messageId: '0b0bd9a4-5c2e-4d38-9a31-111111111111',
	to: '959791234567',
	clientReference: 'order-7',
	status: 'Delivered',
	updatedAt: '2026-11-20 10:00:00',
	finishedAt: '2026-11-20 10:00:01',
};
const output = {
	...receipt,
	delivered: true,
	final: true,
	updatedAtUtc: '2026-11-20T03:30:00.000Z',
	finishedAtUtc: '2026-11-20T03:30:01.000Z',
	recipient: '959791234567',
	receiptId: `${receipt.messageId.replaceAll('-', '')}:${receipt.to}:delivered`,
};

let receiver: Receiver;
async function serve(parameters: IDataObject = {}): Promise<Receiver> {
	receiver = await startReceiver(parameters);
	return receiver;
}
afterEach(() => receiver?.close());

describe('SMS Delivery Receipt Trigger', () => {
	test.each<[string, (url: string) => Promise<{ status: number; data: unknown }>]>([
		['GET with a query', (url) => http.get(url, { params: receipt })],
		['POST with a query and no body', (url) => http.post(url, undefined, { params: receipt })],
		['POST with a form', (url) => http.post(url, new URLSearchParams(receipt))],
		['POST with JSON', (url) => http.post(url, receipt)],
		['POST with a JSON list', (url) => http.post(url, [receipt])],
		[
			'POST with JSON under the header of a form',
			(url) =>
				http.post(url, JSON.stringify(receipt), {
					headers: { 'content-type': 'application/x-www-form-urlencoded' },
				}),
		],
		[
			'POST with half in the query',
			(url) => http.post(`${url}?messageId=${receipt.messageId}`, { ...receipt, messageId: null }),
		],
	])('starts the workflow on %s', async (_name, call) => {
		const { url, executions } = await serve();
		expect(await call(url)).toMatchObject({ status: 200, data: 'OK' });
		expect(executions).toEqual([[{ json: output }]]);
	});

	test('starts the workflow on the call that its page shows to copy', async () => {
		const page = readFileSync(join(__dirname, '../../../docs/receipts.md'), 'utf8');
		const [, json] = /--data '([^']+)'/.exec(page) ?? [];
		const { url, executions } = await serve();
		expect(await http.post(url, JSON.parse(json))).toMatchObject({ status: 200, data: 'OK' });
		expect(executions).toMatchObject([[{ json: { status: 'Delivered', delivered: true } }]]);
	});

	test('responds 200 for a status that is not wanted, and starts nothing', async () => {
		const { url, executions } = await serve({ statuses: ['Delivered', '?'] });
		const answer = await http.post(url, { ...receipt, status: 'Sent' });
		expect(answer).toMatchObject({ status: 200, data: 'OK' });
		expect(executions).toEqual([]);
		await http.post(url, [{ ...receipt, status: 'Sent' }, { ...receipt, status: '?' }, receipt]);
		expect(executions).toMatchObject([
			[{ json: { status: '?', delivered: null } }, { json: output }],
		]);
	});

	test.each([
		'',
		'?secret=',
		`?secret=${secret.toUpperCase()}`,
		`?secret=${secret}&secret=${secret}`,
		`?secret%5B%5D=${secret}`,
	])('responds 401 to the address with %p when a secret is set', async (query) => {
		const { url, executions } = await serve({ options: { secret } });
		const answer = await http.post(`${url}${query}`, { ...receipt, secret });
		expect(answer.status).toBe(401);
		expect(answer.headers['content-type']).toContain('text/plain');
		expect(executions).toEqual([]);
	});

	test('logs calls that it rejects, once a minute, without any secret', async () => {
		const { url, executions, warnings } = await serve({ options: { secret } });
		for (const query of ['', `?secret=${secret}x`]) await http.post(`${url}${query}`, receipt);
		expect(executions).toEqual([]);
		expect(warnings).toEqual([
			expect.stringMatching(
				/^Trigger \(workflow .+\) rejected a call from .*127\.0\.0\.1 with 401: /,
			),
		]);
		expect(warnings.join()).toContain('Add ?secret= and the secret to its end.');
		expect(warnings.join()).not.toContain(secret);
	});

	test('logs a rejected IP address, and nothing of calls that it accepts', async () => {
		const { url, executions, warnings } = await serve({
			options: { ipAllowlist: '203.0.113.7' },
		});
		expect((await http.post(url, receipt)).status).toBe(403);
		expect(executions).toEqual([]);
		expect(warnings).toEqual([expect.stringContaining('with 403: This IP address')]);
		await receiver.close();
		const open = await serve();
		await http.post(open.url, receipt);
		expect(open.warnings).toEqual([]);
	});

	test('accepts receipts of an address in the allowlist, with the secret where there is one', async () => {
		const options = { ipAllowlist: '10.0.0.0/8, 127.0.0.1' };
		const open = await serve({ options });
		expect((await http.post(open.url, receipt)).status).toBe(200);
		expect(open.executions).toHaveLength(1);
		await open.close();
		const { url } = await serve({ options: { ...options, secret } });
		expect((await http.post(url, receipt)).status).toBe(401);
	});

	test.each([
		[{ options: { secret: 'short' } }, 'Secret is too short'],
		[{ options: { secret: '' } }, 'Secret is empty'],
		[{ options: { secret: '={{ undefined }}' } }, 'Secret is empty'],
		[{ options: { ipAllowlist: 'office' } }, 'is not an IP address'],
		[{ statuses: ['Delivered', 'Gone'] }, '"Gone" is not valid for Trigger On'],
		[{ options: { ipAllowlist: '={{ "1.2.3" }}' } }, 'is not an IP address'],
		[{ statuses: '={{ null }}' }, 'Trigger On is empty'],
		[{ statuses: '={{ ["Gone"] }}' }, '"Gone" is not valid for Trigger On'],
	])(
		'names a wrong setting in each response, in the log and in one failed execution a minute: %j',
		async (parameters, sentence) => {
			const { url, executions, failures, warnings } = await serve(parameters as IDataObject);
			for (let calls = 0; calls < 3; calls += 1) {
				const { status, data } = await http.post<string>(url, receipt);
				expect([status, data]).toEqual([500, expect.stringContaining(sentence)]);
			}
			expect(executions).toEqual([]);
			expect(failures).toEqual([expect.stringContaining(sentence)]);
			expect(warnings).toEqual([expect.stringContaining(sentence)]);
		},
	);

	test('accepts receipts as n8n makes a new one: nothing has to be typed', async () => {
		const { properties } = new SmsReceiptTrigger().description;
		const fresh = Object.fromEntries(properties.map(({ name, default: value }) => [name, value]));
		const { url, executions } = await serve(fresh as IDataObject);
		expect((await http.post(url, receipt)).status).toBe(200);
		expect(executions).toHaveLength(1);
	});

	const fields = 'messageId=m-1&to=959791234567&status=Delivered&clientReference=a%26b%3Fc';
	describe.each([
		['by a second ?', `?${fields}`],
		['by an escaped &', `&amp;${fields.replaceAll('&', '&amp;')}`],
		['by a second ? and escaped &', `?${fields.replaceAll('&', '&amp;')}`],
	])('hears fields that a service joins to the URL %s', (_, joined) => {
		const heard = [[{ json: { messageId: 'm-1', status: 'Delivered', clientReference: 'a&b?c' } }]];

		test('where the URL has a secret', async () => {
			const { url, executions } = await serve({ options: { secret } });
			expect((await http.post(`${url}?secret=${secret}${joined}`)).status).toBe(200);
			expect(executions).toMatchObject(heard);
			expect((await http.post(`${url}?secret=${secret}x${joined}`)).status).toBe(401);
		});

		test('where the URL has a query of its own', async () => {
			const { url, executions } = await serve();
			expect((await http.get(`${url}?campaign=tea${joined}`)).status).toBe(200);
			expect(executions).toMatchObject(heard);
		});
	});

	test('leaves a ? in a value as it is', async () => {
		const { url, executions } = await serve();
		await http.get(`${url}?messageId=m-1&status=?&clientReference=who?me`);
		expect(executions).toMatchObject([[{ json: { status: '?', clientReference: 'who?me' } }]]);
	});

	test.each([
		['text', 'text/plain', `messageId=m-1&status=Sent&x=${'x'.repeat(1_000_000)}`],
		['JSON', 'application/json', JSON.stringify({ ...receipt, x: 'x'.repeat(1_000_000) })],
		['no known kind', 'application/octet-stream', 'x'.repeat(1_000_001)],
	])('responds 413 to a body of %s over 1 MB', async (_name, contentType, body) => {
		const { url, executions } = await serve();
		const headers = { 'content-type': contentType };
		const answer = await http.post(url, body, { headers });
		expect([answer.status, answer.data]).toEqual([413, 'The call is too large for receipts.']);
		expect(executions).toEqual([]);
	});

	test('responds 413 to a form that does not say its length', async () => {
		const { url, executions } = await serve();
		const boundary = 'x';
		const field = (name: string, value: string) =>
			`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
		const form = `${field('messageId', 'm-1')}${field('status', 'Sent')}--${boundary}--\r\n`;
		const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
		const call = async (body: unknown) => (await http.post(url, body, { headers })).status;
		expect(await call(Readable.from([form]))).toBe(413);
		expect(executions).toEqual([]);
		expect(await call(form)).not.toBe(413);
	});

	test('is not held up by a text of 60,000 fields', async () => {
		const { url } = await serve();
		const fields = Array.from({ length: 60_000 }, (_, n) => `${n}=`).join('&');
		const headers = { 'content-type': 'text/plain' };
		const ms = await processorMs(async () => {
			const { status } = await http.post(url, `${fields}&messageId=m-1&status=Sent`, { headers });
			expect(status).toBe(200);
		});
		expect(ms).toBeLessThan(1_000);
	});

	test.each([
		{},
		{ messageId: 'x' },
		{ ...receipt, status: ' ' },
		{ ...receipt, status: { $ne: '' } },
		{ ...receipt, to: ['1', '2'] },
		{ ...receipt, clientReference: 'x'.repeat(1001) },
		['x'],
	])('responds 400 to %j in plain text', async (body) => {
		const { url, executions } = await serve();
		const answer = await http.post(url, body);
		expect(answer.status).toBe(400);
		expect(answer.headers['content-type']).toContain('text/plain');
		expect(answer.data).toMatch(/^The (field|call) .*\.$/);
		expect(executions).toEqual([]);
	});

	test('accepts a GET and a POST on the same path and responds at once', () => {
		const { webhooks } = new SmsReceiptTrigger().description;
		const common = {
			name: 'default',
			path: 'webhook',
			responseMode: 'onReceived',
			responseData: '',
		};
		expect(webhooks).toEqual([
			{ ...common, httpMethod: 'GET' },
			{ ...common, httpMethod: 'POST' },
		]);
	});
});
