import {
	fallAsleep,
	recallMemory,
	requireOneItem,
	requireWayBack,
} from '../../../../nodes/shared/execution/waiting';
import { openContext } from '../../../support/workflow/openContext';
import type { IWebhookFunctions } from 'n8n-workflow';

const service = { baseUrl: 'http://127.0.0.1:1/api', apiKey: 'key', apiSecret: 'secret' };

test('several items are rejected', () => {
	expect(() => requireOneItem(openContext(service, { items: [{}, {}] }))).toThrow('2 items');
	requireOneItem(openContext(service, { items: [{}] }));
});

describe('in a sub-workflow', () => {
	/** n8n 1 has this function, and n8n 2 has not. */
	const ofN8n1 = { setSignatureValidationRequired: () => undefined };

	test('of n8n 1 nothing waits, since the parent would get its own item', () => {
		const context = Object.assign(openContext(service, { mode: 'integrated' }), ofN8n1);
		expect(() => requireWayBack(context)).toThrow('On n8n 1, the result of a wait');
	});

	test('of n8n 2 it does, and in other executions', () => {
		requireWayBack(openContext(service, { mode: 'integrated' }));
		requireWayBack(Object.assign(openContext(service, { mode: 'manual' }), ofN8n1));
	});
});

test('the run that waits has a node of its own, which n8n deactivates at the end of the wait', async () => {
	const context = openContext(service);
	Object.assign(context, { putExecutionToWait: async () => undefined });
	const queued = context.getExecuteData().node;
	await fallAsleep(context, {}, 1_000);
	expect(context.getExecuteData().node).toEqual(queued);
	expect(context.getExecuteData().node).not.toBe(queued);
});

test('what the time limit hands on is nothing but what is told', async () => {
	const settings = { executeOnce: true };
	const context = openContext(service, { settings, items: [{ approved: true }, { id: 2 }] });
	const slept: Date[] = [];
	Object.assign(context, { putExecutionToWait: async (until: Date) => void slept.push(until) });
	await fallAsleep(context, { timedOut: true }, 1_000);
	expect(slept).toEqual([new Date(91_000)]);
	const [[{ json }, ...others]] = context.getExecuteData().data.main as [[{ json: object }]];
	expect([json, others]).toEqual([{ timedOut: true }, []]);
});

test.each(['Node', `It's "mine" }} {{ 1`])('memory is asked for by the name %j', (name) => {
	let asked = '';
	const evaluateExpression = (expression: string) => (asked = expression);
	const context = { getNode: () => ({ name }), evaluateExpression };
	recallMemory(context as unknown as IWebhookFunctions, 'key');
	const [, quoted] = /^\{\{ \$node\[([^{}]+)\]\.context\.key \}\}$/.exec(asked) ?? [];
	expect(JSON.parse(quoted)).toBe(name);
});
