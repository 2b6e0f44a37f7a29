import type { IWebhookFunctions } from 'n8n-workflow';

import { recallAwaited, rememberAwaited } from '../../../nodes/SmsSendAndWait/awaited';
import { newExecution, openContext } from '../../workflow/openContext';

const service = { baseUrl: 'http://127.0.0.1:1/api', apiKey: 'key', apiSecret: 'secret' };

describe('the message that an execution waits for', () => {
	const execution = newExecution();
	const wish = { to: '959779100001', waitFor: 'delivered', simplify: true } as const;
	const remember = (runIndex: number) =>
		rememberAwaited(openContext(service, { execution, runIndex }), wish);

	test('keeps its nonce over the tries of a run, and the next run has another', () => {
		const first = remember(0);
		expect(remember(0)).toEqual(first);
		expect(remember(1).nonce).not.toBe(first.nonce);
		expect(first.nonce).toMatch(/^[0-9a-f]{32}$/);
	});

	test.each(['Node', `It's "mine" }} {{ 1`])('is asked for by the name %j of the node', (name) => {
		let asked = '';
		const evaluateExpression = (expression: string) => (asked = expression);
		const context = { getNode: () => ({ name }), evaluateExpression };
		recallAwaited(context as unknown as IWebhookFunctions);
		const [, quoted] = /^\{\{ \$node\[([^{}]+)\]\.context\.awaited \}\}$/.exec(asked) ?? [];
		expect(JSON.parse(quoted)).toBe(name);
	});
});
