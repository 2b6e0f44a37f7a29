import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { httpClient } from '../../../scripts/http';

import {
	demoKey,
	demoSenders,
	listFirstWeek,
	startDemoSandbox,
	type SandboxProcess,
} from '../../../scripts/demo/sandboxProcess';
import { exampleNames, readExample } from '../../../scripts/n8n/examples';
import { findFreePort } from '../../../scripts/n8n/freePort';

const dayMs = 24 * 60 * 60 * 1000;

describe('the first week of the demo', () => {
	const now = Date.parse('2026-11-23T20:10:00Z');
	const week = listFirstWeek(now);

	test('has messages on each of its days, oldest first, none of them later than now', () => {
		const moments = week.map(({ createdAtMs }) => createdAtMs);
		expect(moments).toEqual([...moments].sort((a, b) => a - b));
		expect(moments[0]).toBeGreaterThan(now - 7 * dayMs);
		expect(moments.at(-1)).toBeLessThanOrEqual(now);
		const perDay = Array.from(
			{ length: 7 },
			(_, day) => moments.filter((ms) => Math.floor((now - ms) / dayMs) === day).length,
		);
		expect(Math.min(...perDay)).toBeGreaterThanOrEqual(18);
	});

	test('has some that were not delivered, also on the last day', () => {
		const lost = week.filter(({ status }) => status !== 'Delivered');
		expect(lost.length / week.length).toBeGreaterThan(0.1);
		expect(lost.length / week.length).toBeLessThan(0.3);
		expect(lost.at(-1)?.createdAtMs).toBeGreaterThan(now - dayMs);
	});

	test('has no message twice, and no number of an example', () => {
		expect(new Set(week.map(({ to, message }) => `${to} ${message}`)).size).toBe(week.length);
		for (const { to } of week) expect(to).toMatch(/^0979100\d{4}$/);
	});
});

describe('the sandbox of the demo', () => {
	let folder: string;
	let port: number;
	let sandbox: SandboxProcess;
	beforeAll(async () => {
		folder = mkdtempSync(join(tmpdir(), 'demo-sandbox-'));
		port = await findFreePort();
		sandbox = await startDemoSandbox(port, folder);
	});
	afterAll(async () => {
		await sandbox?.stop();
		rmSync(folder, { recursive: true });
	});

	const auth = { username: demoKey.apiKey, password: demoKey.apiSecret };
	const send = async (from: string) => {
		const body = { to: '09791234567', message: 'Hello', from };
		const { data } = await httpClient.post<{ messages: object[] }>(
			`${sandbox.baseUrl}/rest/send`,
			body,
			{ auth },
		);
		return data.messages[0];
	};
	const listMessages = async () => {
		const { data } = await httpClient.get<object[]>(`${sandbox.pageUrl}/api/messages`, {});
		return data;
	};

	test('starts with the week, and keeps it over a restart without a second one', async () => {
		const { length } = await listMessages();
		expect(length).toBeGreaterThan(120);
		await sandbox.stop();
		sandbox = await startDemoSandbox(port, folder);
		expect(await listMessages()).toHaveLength(length);
	});

	test('accepts the senders of the demo, and rejects others as the service does', async () => {
		for (const from of demoSenders) expect(await send(from)).toMatchObject({ status: 'Accepted' });
		for (const from of ['GoldenTea', 'myshop'])
			expect(await send(from)).toMatchObject({ status: false, message: 'Invalid Sender ID' });
	});

	test('charges the price with which the examples calculate', async () => {
		const { data } = await httpClient.get<object>(`${sandbox.pageUrl}/api/settings`, {});
		expect(data).toMatchObject({ prices: { domestic: 20 } });
		const texts = exampleNames.map((name) => JSON.stringify(readExample(name))).join('\n');
		const found = texts.match(/"pricePerPart"(:|,"value":)[\d.]+/g) ?? [];
		expect(found.map((text) => text.split(':').at(-1))).toEqual(Array(4).fill('20'));
	});
});
