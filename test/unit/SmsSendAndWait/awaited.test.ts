import type { IWebhookFunctions } from 'n8n-workflow';

import {
	findPurpose,
	recallAwaited,
	rememberAwaited,
	toAddresses,
} from '../../../nodes/SmsSendAndWait/awaited';
import { newExecution, openContext } from '../../support/workflow/openContext';

const service = { baseUrl: 'http://127.0.0.1:1/api', apiKey: 'key', apiSecret: 'secret' };

describe('the message that an execution waits for', () => {
	const execution = newExecution();
	const wish = { to: '959779100001', waitFor: 'delivered', simplify: true } as const;
	const remember = (runIndex: number) =>
		rememberAwaited(openContext(service, { execution, runIndex }), wish);

	test('keeps its proofs over the tries of a run, and the next run has others', () => {
		const first = remember(0);
		expect(remember(0)).toEqual(first);
		const proofs = [...Object.values(first.proofs), ...Object.values(remember(1).proofs)];
		expect(new Set(proofs).size).toBe(6);
		for (const proof of proofs) expect(proof).toMatch(/^[0-9a-f]{32}$/);
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

describe('the addresses of a message', () => {
	const wish = { to: '959779100001', waitFor: 'delivered', simplify: true } as const;
	const awaited = rememberAwaited(openContext(service), wish);
	const addresses = toAddresses('http://n8n/webhook-waiting/7?signature=token', 'node', awaited);
	const queryOf = (address: string) => Object.fromEntries(new URL(address).searchParams);

	test('lead to the node, and keep the token of n8n', () => {
		for (const address of Object.values(addresses)) {
			const { pathname, searchParams } = new URL(address);
			expect([pathname, searchParams.get('signature')]).toEqual([
				'/webhook-waiting/7/node',
				'token',
			]);
		}
	});

	test('prove one purpose each', () => {
		const purposes = Object.values(addresses).map((address) =>
			findPurpose(awaited, queryOf(address)),
		);
		expect(purposes).toEqual(Object.keys(addresses));
	});

	test('prove nothing of another message, nor does anything else', () => {
		const { proof } = queryOf(addresses.receipt);
		const other = rememberAwaited(openContext(service), wish);
		expect(findPurpose(other, { proof })).toBeUndefined();
		for (const given of [undefined, '', 'x', [proof], `${proof} `]) {
			expect(findPurpose(awaited, { proof: given })).toBeUndefined();
		}
	});
});
