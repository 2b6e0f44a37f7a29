import type { IExecuteFunctions } from 'n8n-workflow';

import {
	describeArguments,
	fillInArguments,
	isReview,
} from '../../../nodes/SmsSendAndWaitForResponse/review';

const context = (parameters: unknown, type = 'n8n-nodes-x.smsHitlTool') =>
	({
		getNode: () => ({ type }),
		evaluateExpression: (expression: string) =>
			expression === '{{ $tool.parameters }}' ? parameters : undefined,
	}) as unknown as IExecuteFunctions;

test('is told by the type that n8n gives the node', () => {
	expect(isReview(context({}))).toBe(true);
	expect(isReview(context({}, 'n8n-nodes-x.smsTool'))).toBe(false);
});

test('shows the arguments of the call in the place where n8n has an object', () => {
	const parameters = { to: '0979', amount: 5, list: [1, 2], price: '$& $1' };
	expect(fillInArguments(context(parameters), 'Run it?\n[object Object]')).toBe(
		'Run it?\nto: 0979\namount: 5\nlist: [1,2]\nprice: $& $1',
	);
	for (const message of ['Run it?', undefined, 5])
		expect(fillInArguments(context(parameters), message)).toBe(message);
	expect(fillInArguments(context('text'), '[object Object]')).toBe('[object Object]');
});

test('an argument of several lines cannot look like further ones', () => {
	const parameters = { to: '0979', message: 'Hello\nto: 0978', 'x\ny': undefined };
	expect(describeArguments(parameters).split('\n')).toEqual([
		'to: 0979',
		'message: "Hello\\nto: 0978"',
		'"x\\ny": ',
	]);
});
