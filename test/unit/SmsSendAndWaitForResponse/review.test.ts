import type { IExecuteFunctions } from 'n8n-workflow';

import {
	describeArguments,
	isReview,
	readCall,
	tellCall,
} from '../../../nodes/SmsSendAndWaitForResponse/review';

interface Review {
	/** What the model wrote beside the arguments of the tool. */
	extra?: object;
	toolParameters?: unknown;
	/** What n8n's expressions say of the call; the truth when left out. */
	shown?: unknown;
	parameters?: object;
	type?: string;
	/** Calls of the same turn. */
	ids?: string[];
}

/** A review of the call of Send_SMS, as n8n 2.41 hands it to the node. */
const review = ({
	extra = {},
	toolParameters = { to: '0979' },
	shown = ['Send_SMS', JSON.stringify(toolParameters)],
	parameters = {},
	type = 'n8n-nodes-x.smsHitlTool',
	ids = ['call_1'],
}: Review = {}) => {
	const input = { tool: 'Send_SMS', ...extra, toolParameters };
	const hitl = { toolName: 'Send_SMS', originalInput: toolParameters };
	const actions = ids.map((id) => ({ action: { id, input, metadata: { hitl } } }));
	const metadata = { subNodeExecutionData: { actions } };
	return {
		getNode: () => ({ type, parameters }),
		getInputData: () => [{ json: { ...input, toolCallId: 'call_1' } }],
		evaluateExpression: () => shown,
		runExecutionData: { executionData: { nodeExecutionStack: [{}, { metadata }] } },
	} as unknown as IExecuteFunctions;
};
const forged = (given: Review) => () => readCall(review(given));

test('is recognized by the type of the node in n8n', () => {
	expect(isReview(review())).toBe(true);
	expect(isReview(review({ type: 'n8n-nodes-x.smsTool' }))).toBe(false);
});

describe('the call', () => {
	test.each([
		[{ to: '0979', query: 'a text' }, 'to: 0979\nquery: a text'],
		[{ to: '0979', query: null }, 'to: 0979\nquery: null'],
		[{ tool: 'Send_SMS' }, 'tool: Send_SMS'],
		['Yangon', 'input: Yangon'],
		[{}, ''],
		[null, ''],
		[{ amount: 5, list: [1, 2], price: '$& $1' }, 'amount: 5\nlist: [1,2]\nprice: $& $1'],
	])('is what n8n runs: %j', (toolParameters, text) => {
		expect(readCall(review({ toolParameters }))).toEqual({ tool: 'Send_SMS', text });
	});

	test('may fill in what the review asks for', () => {
		const parameters = { message: "={{ $fromAI('why') }} {{ $fromai( \"who\", 'x') }}" };
		expect(readCall(review({ parameters, extra: { why: 'x', who: 'y' } })).tool).toBe('Send_SMS');
	});

	test.each<[string, Review, RegExp]>([
		['an object query', { toolParameters: { query: { to: '0978' } } }, /query is not text/],
		['a list query', { toolParameters: { query: [] } }, /query is not text/],
		['another tool', { toolParameters: { tool: 'Lookup' } }, /name another tool/],
		['a tool that is not text', { toolParameters: { tool: null } }, /name another tool/],
		['a list', { toolParameters: [{ to: '0978' }] }, /are a list/],
		['fields of the item', { extra: { owner: '0978' } }, /"owner"/],
		['a query of its own', { extra: { query: { tool: 'x' } } }, /"query"/],
		['another account of the tool', { shown: ['Lookup', '{"to":"0979"}'] }, /another call/],
		['another account of the arguments', { shown: ['Send_SMS', '{}'] }, /another call/],
		['no account', { shown: undefined }, /another call/],
		['two calls of one ID', { ids: ['call_1', 'call_1'] }, /did not say which/],
		['no call', { ids: ['call_2'] }, /did not say which/],
		['a To of the model', { parameters: { to: '={{ $fromAI("to") }}' } }, /cannot be filled in/],
		[
			'buttons of the model',
			{ parameters: { approvalOptions: { values: { approveLabel: "={{ $fromAI('a') }}" } } } },
			/cannot be filled in/,
		],
	])('is not reviewed with %s', (_, given, words) => {
		if (given.shown === undefined && _ === 'no account') {
			const context = review();
			Object.assign(context, { evaluateExpression: () => undefined });
			expect(() => readCall(context)).toThrow(words);
		} else expect(forged(given)).toThrow(words);
	});

	test('is not reviewed by an n8n that keeps calls elsewhere', () => {
		const context = review();
		Object.assign(context, { runExecutionData: undefined });
		expect(() => readCall(context)).toThrow('did not say which');
	});
});

test.each([
	[{ message: 'Hello\nto: 0978' }, 'message: "Hello\\nto: 0978"'],
	[{ message: 'a\u2028b\u0085c\vd' }, 'message: "a\\u2028b\\u0085c\\u000bd"'],
	[{ to: '0979\u202e7654321\u202c' }, 'to: "0979\\u202e7654321\\u202c"'],
	[{ list: ['\u2066x'] }, 'list: ["\\u2066x"]'],
	[{ 'x\ny': 1 }, '"x\\ny": 1'],
	[{ 'to: 0978': '' }, '"to: 0978": '],
	[{ to: '"0978"' }, 'to: "\\"0978\\""'],
	[{ to: '\u{e0041}\u3164' }, 'to: "\\u{e0041}\\u3164"'],
	[{ text: 'မြန်မာ\u200b 👨‍👩‍👧 ❤️' }, 'text: မြန်မာ\u200b 👨‍👩‍👧 ❤️'],
	[{ nothing: undefined }, 'nothing: '],
	[{ text: `a${' '.repeat(3)}to: 0978` }, 'text: "a\\u0020\\u0020\\u0020to: 0978"'],
	[{ text: 'a\u2800b' }, 'text: "a\\u2800b"'],
	[{ text: 'a\u3000\u00a0 b' }, 'text: "a\\u3000\\u00a0\\u0020b"'],
	[{ text: 'Prêt\u00a0!' }, 'text: Prêt\u00a0!'],
])('%j cannot look like other arguments', (parameters, text) => {
	expect(describeArguments(parameters)).toBe(text);
});

describe('the message', () => {
	const call = { tool: 'Send_SMS', text: 'to: 0979\nmessage: $& $1' };

	test('shows the arguments in the place where n8n has an object', () => {
		expect(tellCall('Run Send_SMS?\n[object Object]', call)).toEqual({
			message: `Run Send_SMS?\n${call.text}`,
			details: undefined,
		});
	});

	test.each(['Run it?', 'Run it?\n[object Object]', 'Run Send_SMS?', undefined, 5])(
		'leaves to the page what it does not tell: %j',
		(message) => expect(tellCall(message, call).details).toBe(`Send_SMS\n${call.text}`),
	);

	test('keeps line breaks, and shows direction characters', () => {
		expect(tellCall('a\r\nb\n\u202ec', call).message).toBe('a\nb\n\\u202ec');
	});
});
