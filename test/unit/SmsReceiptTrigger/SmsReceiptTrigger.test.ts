import { Readable } from 'node:stream';

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { httpClient } from '../../../scripts/http';
import type { IDataObject } from 'n8n-workflow';

import codex from '../../../nodes/SmsReceiptTrigger/SmsReceiptTrigger.node.json';
import { SmsReceiptTrigger } from '../../../nodes/SmsReceiptTrigger/SmsReceiptTrigger.node';
import { statusOptions } from '../../../nodes/SmsReceiptTrigger/statusOptions';
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
	receiptId: `${receipt.messageId}:${receipt.to}:Delivered`,
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

	test('starts one execution with an item per receipt of a list', async () => {
		const { url, executions } = await serve();
		await http.post(url, [receipt, { ...receipt, status: 'Sent' }]);
		expect(executions).toMatchObject([
			[{ json: output }, { json: { delivered: null, final: false } }],
		]);
	});

	test('keeps all digits of a number in JSON', async () => {
		const { url, executions } = await serve();
		const headers = { 'content-type': 'application/json; charset=utf-8' };
		await http.post(url, '{"messageId": 12345678901234567890, "status": "Sent"}', { headers });
		expect(executions[0][0].json.messageId).toBe('12345678901234567890');
	});

	test('responds 200 for a status that is not wanted, and starts nothing', async () => {
		const { url, executions } = await serve({ statuses: ['Delivered', '?'] });
		const answer = await http.post(url, { ...receipt, status: 'Sent' });
		expect(answer).toMatchObject({ status: 200, data: 'OK' });
		expect(executions).toEqual([]);
		await http.post(url, { ...receipt, status: '?' });
		expect(executions).toMatchObject([[{ json: { status: '?', delivered: null } }]]);
	});

	test.each([
		['onDelivered', ['Delivered', 'Success']],
		['onNotDelivered', ['Error', 'Expired', 'Failed', 'Rejected', 'Undelivered']],
	])('accepts with %p the statuses of the choice', async (choice, wanted) => {
		const { url, executions } = await serve({ statuses: [choice] });
		for (const { value } of statusOptions) await http.post(url, { ...receipt, status: value });
		expect(executions.map(([{ json }]) => json.status)).toEqual(wanted);
	});

	test('offers first what people look for, and explains every status', () => {
		expect(statusOptions.slice(0, 2).map(({ name }) => name)).toEqual([
			'On Message Delivered',
			'On Message Not Delivered',
		]);
		for (const { description } of statusOptions) expect(description).toBeTruthy();
		const actions = statusOptions.map(({ action }) => action);
		expect(new Set(actions).size).toBe(actions.length);
	});

	test('accepts every status when Any Status is among the chosen ones', async () => {
		const { url, executions } = await serve({ statuses: ['Delivered', '*'] });
		await http.post(url, { ...receipt, status: 'Buffered' });
		expect(executions).toMatchObject([[{ json: { status: 'Buffered' } }]]);
	});

	test('starts for the wanted receipts of a list only', async () => {
		const { url, executions } = await serve({ statuses: ['Delivered'] });
		await http.post(url, [{ ...receipt, status: 'Sent' }, receipt]);
		expect(executions).toEqual([[{ json: output }]]);
	});

	test.each([
		'',
		'?secret=',
		`?secret=${secret.toUpperCase()}`,
		`?secret=${secret}&secret=${secret}`,
		`?secret%5B%5D=${secret}`,
	])('responds 401 to the address with %p when a secret is set', async (query) => {
		const { url, executions } = await serve({ authentication: 'secret', secret });
		const answer = await http.post(`${url}${query}`, { ...receipt, secret });
		expect(answer.status).toBe(401);
		expect(answer.headers['content-type']).toContain('text/plain');
		expect(executions).toEqual([]);
	});

	test('logs calls that it rejects, once a minute, without any secret', async () => {
		const { url, executions, warnings } = await serve({ authentication: 'secret', secret });
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
		const { url, warnings } = await serve({ safeguards: { ipAllowlist: '203.0.113.7' } });
		await http.post(url, receipt);
		expect(warnings).toEqual([expect.stringContaining('with 403: This IP address')]);
		await receiver.close();
		const open = await serve();
		await http.post(open.url, receipt);
		expect(open.warnings).toEqual([]);
	});

	test('accepts the right secret and does not return it', async () => {
		const { url, executions } = await serve({ authentication: 'secret', secret });
		expect((await http.post(`${url}?secret=${secret}`, receipt)).status).toBe(200);
		expect(executions).toEqual([[{ json: output }]]);
	});

	test('responds 403 to an address that is not in the allowlist', async () => {
		const { url, executions } = await serve({ safeguards: { ipAllowlist: '10.0.0.0/8' } });
		expect((await http.post(url, receipt)).status).toBe(403);
		expect(executions).toEqual([]);
	});

	test('accepts receipts of an address in the allowlist', async () => {
		const { url, executions } = await serve({
			safeguards: { ipAllowlist: '10.0.0.0/8, 127.0.0.1' },
		});
		expect((await http.post(url, receipt)).status).toBe(200);
		expect(executions).toHaveLength(1);
	});

	test.each([
		{ authentication: 'secret', secret: '' },
		{ authentication: 'secret', secret: null },
		{ authentication: 'secret', secret: '={{ undefined }}' },
		{ authentication: 'secret', secret: 'fifteen-letters' },
		{ authentication: 'secret' },
		{ authentication: '={{ undefined }}', secret },
		{ authentication: 'neither', secret },
		{ authentication: '', secret: '' },
		{ safeguards: { ipAllowlist: '' } },
		{ safeguards: { ipAllowlist: '1.2.3' } },
		{ options: { batchSize: '' } },
		{ options: { passOnRepeats: null } },
		{ options: { passOnRepeats: '={{ undefined }}' } },
		{ options: { passOnRepeats: 'when it matters' } },
	])('accepts nothing while its parameters are %j', async (parameters: IDataObject) => {
		const { url, executions } = await serve(parameters);
		const params = { secret: parameters.secret ?? '' };
		expect((await http.post(url, receipt, { params })).status).toBe(403);
		expect(executions).toEqual([]);
	});

	test.each(['={{ undefined }}', '={{ null }}', '', 'Gone'])(
		'accepts nothing while Trigger On is %j',
		async (statuses) => {
			const { url, executions } = await serve({ statuses });
			expect((await http.post(url, receipt)).status).toBe(403);
			expect(executions).toEqual([]);
		},
	);

	test('accepts every status where Trigger On is an empty list', async () => {
		const { url, executions } = await serve({ statuses: '={{ [] }}' });
		expect((await http.post(url, receipt)).status).toBe(200);
		expect(executions).toHaveLength(1);
	});

	test('accepts nothing as n8n makes a new one, without a secret', async () => {
		const { properties } = new SmsReceiptTrigger().description;
		const { url } = await serve(
			Object.fromEntries(
				properties.map(({ name, default: value }) => [name, value]),
			) as IDataObject,
		);
		expect((await http.post(`${url}?secret=`, receipt)).status).toBe(403);
	});

	test.each([
		['text', 'text/plain', `messageId=m-1&status=Sent&x=${'x'.repeat(1_000_000)}`],
		['JSON', 'application/json', JSON.stringify({ ...receipt, x: 'x'.repeat(1_000_000) })],
		['no known kind', 'application/octet-stream', 'x'.repeat(1_000_001)],
	])('responds 413 to a body of %s over 1 MB', async (_name, contentType, body) => {
		const { url, executions } = await serve();
		const headers = { 'content-type': contentType };
		const answer = await http.post(url, body, { headers });
		expect([answer.status, answer.data]).toEqual([
			413,
			'The call is too large for delivery receipts.',
		]);
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

	test('is found by the words that people type', () => {
		expect(codex.node).toBe('n8n-nodes-messaging-service.smsReceiptTrigger');
		expect(codex.alias).toEqual(
			expect.arrayContaining([
				'sms',
				'text messages',
				'delivery report',
				'delivery receipt',
				'dlr',
			]),
		);
	});
});
