import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

import type { INodeParameters } from 'n8n-workflow';

import { hostFolder } from '../../scripts/n8n/paths';
import { until } from '../../scripts/n8n/until';
import { completeNode } from '../../tools/harness';
import { useService } from '../support/e2e/useService';

interface McpTool {
	name: string;
	description: string;
	inputSchema: { properties: Record<string, { type: string }>; required?: string[] };
}

/** What we use of the official MCP client. */
interface McpClient {
	connect(transport: object): Promise<void>;
	listTools(): Promise<{ tools: McpTool[] }>;
	callTool(
		call: { name: string; arguments: object },
		schema?: undefined,
		options?: { timeout: number },
	): Promise<{ content: Array<{ text: string }> }>;
	close(): Promise<void>;
}

/** The official client, in the version that n8n itself brings. */
const sdk = join(hostFolder, 'node_modules/@modelcontextprotocol/sdk/dist/cjs/client');
const { Client } = jest.requireActual<{
	Client: new (info: { name: string; version: string }) => McpClient;
}>(join(sdk, 'index.js'));
const { StreamableHTTPClientTransport } = jest.requireActual<{
	StreamableHTTPClientTransport: new (url: URL) => object;
}>(join(sdk, 'streamableHttp.js'));

const fromModel = (...names: string[]) =>
	Object.fromEntries(
		names.map((name) => [name, `={{ $fromAI('${name}', 'The ${name}', 'string') }}`]),
	);
const message = { ...fromModel('to', 'message'), from: 'Shop' };

const tools: Record<string, INodeParameters> = {
	smsSendTool: { ...message, options: { maxMessages: 5 } },
	smsBulkSendTool: message,
	smsSendAndWaitTool: { ...message, timeLimit: 60 },
	smsHistoryTool: { limit: 10, filters: fromModel('to', 'from') },
	smsBalanceTool: {},
	otpRequestTool: { ...fromModel('to'), brand: 'Shop', from: 'Shop' },
	otpVerifyTool: fromModel('requestId', 'code', 'expectedTo'),
};

describe("the official MCP client at n8n's MCP Server Trigger", () => {
	const service = useService();
	let client: McpClient;
	beforeAll(async () => {
		const path = randomUUID();
		const trigger = {
			...{ name: 'MCP', type: '@n8n/n8n-nodes-langchain.mcpTrigger', typeVersion: 2 },
			...{ webhookId: path, parameters: { authentication: 'none', path } },
		};
		const nodes = Object.entries(tools).map(([type, parameters]) => ({
			...{ name: type.replace(/Tool$/, ''), type, parameters },
			credentials: { ...service.credentials },
		}));
		const connections = Object.fromEntries(
			nodes.map(({ name }) => [
				name,
				{ ai_tool: [[{ node: 'MCP', type: 'ai_tool' as const, index: 0 }]] },
			]),
		);
		const { id } = await service.api.createWorkflow({
			...{ name: 'MCP', connections, settings: {} },
			nodes: [trigger, ...nodes].map(completeNode),
		});
		await service.api.activate(id);
		const connect = async () => {
			const own = new Client({ name: 'test', version: '1.0.0' });
			const url = new URL(`${service.api.url}/mcp/${path}`);
			await own.connect(new StreamableHTTPClientTransport(url));
			return own;
		};
		client = await until(async () => await connect().catch(() => undefined), {
			what: 'the MCP server to respond',
		});
	});
	afterAll(async () => await client?.close());

	const call = async (name: string, args: object, timeout = 60_000) => {
		const { content } = await client.callTool({ name, arguments: args }, undefined, { timeout });
		return content.map(({ text }) => text).join('');
	};
	const sentTo = () => service.sandbox.messages().map(({ to }) => to);
	const to = '09791234567';

	test('lists our tools with their cost and their arguments', async () => {
		const { tools: listed } = await client.listTools();
		const names = Object.keys(tools).map((type) => type.replace(/Tool$/, ''));
		expect(listed.map(({ name }) => name).sort()).toEqual(names.sort());
		for (const { name, description, inputSchema } of listed) {
			expect(description).toMatch(/costs (money|nothing)|proves/);
			if (!/^smsSend|Bulk/.test(name)) continue;
			expect(description).toMatch(/declined/);
			expect(inputSchema.properties).toMatchObject({
				to: { type: 'string' },
				message: { type: 'string' },
			});
			expect(inputSchema.required?.sort()).toEqual(['message', 'to']);
		}
		expect(listed.find(({ name }) => name === 'smsHistory')?.description).toContain(
			'"" leaves it out',
		);
	});

	test('sends once for a right call, and nothing for a wrong one, which says what to change', async () => {
		expect(await call('smsSend', { to, message: 'Hello' })).toContain('Accepted');
		expect(await call('smsSend', { to: '12', message: 'Hello' })).toContain('too short');
		expect(await call('smsSend', { to: 7, message: 'Hello' })).not.toContain('Accepted');
		expect(await call('smsSend', { message: 'Hello' })).not.toContain('Accepted');
		expect(sentTo()).toEqual(['959791234567']);
	});

	test('sends once for equal calls at once and shortly after, and says how to send another', async () => {
		const calls = ['Soon', 'Soon ', 'Soon'].map((text) => call('smsSend', { to, message: text }));
		const told = await Promise.all(calls);
		const [{ messageId }] = service.sandbox.messages();
		for (const one of told) expect(one).toContain(messageId);
		expect(told.filter((one) => /alreadySent\\?":true/.test(one))).toHaveLength(2);
		const again = await call('smsSend', { to: '+959 791 234 567', message: 'Soon' });
		expect(again).toMatch(/Sent \d+ seconds? ago\. To send another message, change the text\./);
		expect(sentTo()).toHaveLength(1);
		await call('smsSend', { to, message: 'Soon, again' });
		expect(sentTo()).toHaveLength(2);
	});

	test('gets a summary of many recipients, and none above Max Messages', async () => {
		const numbers = Array.from({ length: 500 }, (_, n) => `0979100${1000 + n}`).join(',');
		expect(await call('smsSend', { to: numbers, message: 'Hello' })).toContain('Max Messages is 5');
		expect(sentTo()).toEqual([]);
		const told = await call('smsBulkSend', { to: numbers, message: 'Hello' });
		for (const count of ['messages', 'sent'])
			expect(told).toMatch(new RegExp(`${count}\\\\?":500`));
		expect(told.length).toBeLessThan(6_000);
		expect(sentTo()).toHaveLength(500);
	});

	test('leaves a filter of SMS History out with ""', async () => {
		service.sandbox.seedMessages(3, (n) => ({ from: n < 2 ? 'Shop' : 'Other' }));
		const count = async (args: object) =>
			(await call('smsHistory', args)).split('messageId').length - 1;
		expect(await count({ to: '', from: '' })).toBe(3);
		expect(await count({ to: '', from: 'Shop' })).toBe(2);
	});

	test('gets the outcome of a wait before it gives up, and the same message when it calls again', async () => {
		const args = { to, message: 'Your table is free' };
		// Within the 60 seconds of the client.
		const first = await call('smsSendAndWait', args);
		expect(first).toContain('timedOut');
		const [{ messageId }] = service.sandbox.messages();
		await service.sandbox.setStatus(messageId, 'Delivered');
		const second = await call('smsSendAndWait', args);
		expect(second).toContain(messageId);
		expect(second).toMatch(/outcome\\?":\\?"delivered/);
		expect(sentTo()).toHaveLength(1);
	});

	test('sends once for a client that gives up and calls again', async () => {
		const args = { to, message: 'Your table is ready' };
		await expect(call('smsSendAndWait', args, 3_000)).rejects.toThrow('timed out');
		const [{ messageId }] = service.sandbox.messages();
		const again = call('smsSendAndWait', args);
		await service.sandbox.setStatus(messageId, 'Delivered');
		expect(await again).toContain(messageId);
		expect(sentTo()).toHaveLength(1);
	});
});
