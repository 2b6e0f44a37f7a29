import {
	fallAsleep,
	recallMemory,
	requireOneItem,
} from '../../../../nodes/shared/execution/waiting';
import { openContext } from '../../../workflow/openContext';
import type { IWebhookFunctions } from 'n8n-workflow';

const service = { baseUrl: 'http://127.0.0.1:1/api', apiKey: 'key', apiSecret: 'secret' };

test('several items are refused', () => {
	expect(() => requireOneItem(openContext(service, { items: [{}, {}] }))).toThrow('2 items');
	requireOneItem(openContext(service, { items: [{}] }));
});

test('what the time limit hands on is nothing but what is told', async () => {
	const settings = { executeOnce: true };
	const context = openContext(service, { settings, items: [{ approved: true }, { id: 2 }] });
	const slept: Date[] = [];
	Object.assign(context, { putExecutionToWait: async (until: Date) => void slept.push(until) });
	await fallAsleep(context, { timedOut: true }, 1_000);
	expect(slept).toEqual([new Date(1_000)]);
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
