import 'reflect-metadata';
import { ExecuteContext } from 'n8n-core';
import {
	createRunExecutionData,
	Workflow,
	type INode,
	type INodeType,
	type INodeTypes,
	type IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

import { isReview, readCall } from '../../../nodes/SmsSendAndWaitForResponse/review';
import { asks, review, type Review } from '../../support/unit/review';

const linesOf = async (given: Review) =>
	(await readCall(review(given))).arguments.map(({ name, text }) => `${name}: ${text}`);

test('is recognized by the type of the node in n8n', () => {
	expect(isReview(review())).toBe(true);
	expect(isReview(review({ type: 'n8n-nodes-x.smsTool' }))).toBe(false);
});

describe('the call', () => {
	test.each([
		[{ to: '0979', query: 'a text' }, ['to: 0979', 'query: a text']],
		[{ to: '0979', query: null }, ['to: 0979', 'query: null']],
		[{ tool: 'Send_SMS' }, ['tool: Send_SMS']],
		[{}, []],
		[null, []],
		[{ amount: 5, list: [1, 2], price: '$& $1' }, ['amount: 5', 'list: [1,2]', 'price: $& $1']],
	])('is what n8n runs: %j', async (toolParameters, lines) => {
		const shown = ['Send_SMS', JSON.stringify(toolParameters)];
		expect(await linesOf({ toolParameters, shown })).toEqual(lines);
	});

	const text = { input: {} };
	test.each([
		['a tool that takes one text', { _def: { schema: { shape: text } } }],
		['the same, of Zod 4', { _def: { in: { shape: text } } }],
		['a tool with a JSON schema', { type: 'object', properties: text }],
	])('is that of %s', async (_, schema) => {
		const tool = { name: 'Send_SMS', schema };
		const asked = { toolParameters: 'Yangon' };
		expect(await linesOf({ ...asked, tools: tool })).toEqual(['input: Yangon']);
		const toolkit = { tools: [{ name: 'Other' }, tool] };
		expect(await linesOf({ ...asked, tools: [toolkit] })).toEqual(['input: Yangon']);
	});

	test('may fill in what Message of the review asks for', async () => {
		const parameters = { message: "={{ $fromAI('why') }} {{ $fromai( \"who\", 'x') }}" };
		const { tool } = await readCall(review({ parameters, extra: { why: 'x', who: 'y' } }));
		expect(tool).toBe('Send_SMS');
	});

	test.each<[string, Review, RegExp]>([
		['an object query', { toolParameters: { query: { to: '0978' } } }, /query is not text/],
		['a list query', { toolParameters: { query: [] } }, /query is not text/],
		['another tool', { toolParameters: { tool: 'Lookup' } }, /name another tool/],
		['a tool that is not text', { toolParameters: { tool: null } }, /name another tool/],
		['other names', { toolParameters: { To: '0978' } }, /does not ask for the argument "To"/],
		['fields of the item', { extra: { owner: '0978' } }, /"owner"/],
		['a query of its own', { extra: { query: { tool: 'x' } } }, /"query"/],
		['another account of the tool', { shown: ['Lookup', '{"to":"0979"}'] }, /another call/],
		['another account of the arguments', { shown: ['Send_SMS', '{}'] }, /another call/],
		['no account', { shown: null }, /another call/],
		['two calls of one ID', { ids: ['call_1', 'call_1'] }, /did not say which/],
		['no call', { ids: ['call_2'] }, /did not say which/],
		['no such tool', { tools: [] }, /did not say which/],
		['two tools of one name', { tools: [asks('to'), asks('to')] }, /did not say which/],
		['an unknown schema', { tools: [{ name: 'Send_SMS', schema: {} }] }, /did not say which/],
		['a To of the model', { parameters: { to: '={{ $fromAI("to") }}' } }, /only Message/],
		[
			'buttons of the model',
			{ parameters: { approvalOptions: { values: { approveLabel: "={{ $fromAI('a') }}" } } } },
			/only Message/,
		],
		[
			'a language of the model',
			{ parameters: { options: { pageLanguage: { values: { approve: "={{ $fromAI('a') }}" } } } } },
			/only Message/,
		],
	])('is not reviewed with %s', async (_, given, words) => {
		await expect(readCall(review(given))).rejects.toThrow(words);
	});

	test('has the names that n8n itself hands to the model', async () => {
		const ofTools = { group: [], version: 1, description: '', defaults: {}, outputs: ['ai_tool'] };
		const fields = ['to', 'message'].map((name) => ({ name, type: 'string', default: '' }));
		const types: Record<string, object> = {
			smsTool: { name: 'smsTool', inputs: [], properties: fields, ...ofTools },
			smsHitlTool: {
				name: 'smsHitlTool',
				inputs: [{ type: 'ai_tool' }],
				properties: [],
				...ofTools,
			},
		};
		const nodeTypes = {
			getByNameAndVersion: (name: string) => ({ description: types[name] }) as INodeType,
		} as unknown as INodeTypes;
		const toNode = (name: string, type: string, parameters = {}): INode => {
			return { id: name, name, type, typeVersion: 1, position: [0, 0], parameters };
		};
		const asked = { to: "={{ $fromAI('to') }}", message: "={{ $fromAI('text', 'x', 'string') }}" };
		const nodes = [toNode('Ask', 'smsHitlTool'), toNode('Send SMS', 'smsTool', asked)];
		const connections = {
			'Send SMS': { ai_tool: [[{ node: 'Ask', type: 'ai_tool' as const, index: 0 }]] },
		};
		const workflow = new Workflow({ nodes, connections, active: false, nodeTypes });
		const context = new ExecuteContext(
			workflow,
			nodes[0],
			{} as IWorkflowExecuteAdditionalData,
			'trigger',
			createRunExecutionData({}),
			0,
			[],
			{},
			{ node: nodes[0], data: {}, source: null },
			[],
		);
		const ofN8n = (toolParameters: object) =>
			Object.assign(review({ toolParameters }), {
				getInputConnectionData: context.getInputConnectionData.bind(context),
			});
		expect((await readCall(ofN8n({ to: '0979', text: 'Hi' }))).arguments).toHaveLength(2);
		await expect(readCall(ofN8n({ to: '0979', message: 'Hi' }))).rejects.toMatchObject({
			description: 'Call it again with its own arguments only: to, text.',
		});
	});

	test('is not reviewed by an n8n that keeps calls elsewhere', async () => {
		const context = review();
		Object.assign(context, { runExecutionData: undefined });
		await expect(readCall(context)).rejects.toThrow('did not say which');
	});
});

test.each([
	['Hello\nto: 0978', '"Hello\\nto: 0978"'],
	['a\u2028b\u0085c\vd', '"a\\u2028b\\u0085c\\u000bd"'],
	['0979\u202e7654321\u202c', '"0979\\u202e7654321\\u202c"'],
	[['\u2066x'], '["\\u2066x"]'],
	['"0978"', '"\\"0978\\""'],
	['\u{e0041}\u3164', '"\\u{e0041}\\u3164"'],
	['မြန်မာ\u200bစာ 👨‍👩‍👧 ❤️ 1️⃣', 'မြန်မာ\u200bစာ 👨‍👩‍👧 ❤️ 1️⃣'],
	['0979\u200b123', '"0979\\u200b123"'],
	['မာ\u200b\u200bစာ', '"မာ\\u200b\\u200bစာ"'],
	['x\ufe0f', '"x\\ufe0f"'],
	[`a${'\u0301'.repeat(9)}`, `"a${'\u0301'.repeat(8)}\\u0301"`],
	[`a${' '.repeat(3)}to: 0978`, '"a\\u0020\\u0020\\u0020to: 0978"'],
	['a\u2800b', '"a\\u2800b"'],
	['a\u3000\u00a0 b', '"a\\u3000\\u00a0\\u0020b"'],
	['Prêt\u00a0!', 'Prêt\u00a0!'],
])('%j cannot look like other arguments', async (value, shown) =>
	expect(await linesOf({ toolParameters: { text: value } })).toEqual([`text: ${shown}`]),
);
