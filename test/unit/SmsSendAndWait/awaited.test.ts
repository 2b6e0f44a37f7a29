import type { IWebhookFunctions, IDataObject } from 'n8n-workflow';
import {
	isProven,
	recallAwaited,
	rememberAwaited,
	toAddress,
} from '../../../nodes/SmsSendAndWait/awaited';
import { newExecution, openContext } from '../../support/workflow/openContext';
import { readWait } from '../../../nodes/SmsSendAndWait/sendAndWait.operation';

const service = { baseUrl: 'http://127.0.0.1:1/api', apiKey: 'key', apiSecret: 'secret' };

describe('the message that an execution waits for', () => {
	const execution = newExecution();
	const wish = { to: '959779100001', waitFor: 'delivered', simplify: true } as const;
	const remember = (runIndex: number) =>
		rememberAwaited(openContext(service, { execution, runIndex }), wish);

	test('keeps its proof over the tries of a run, and the next run has another', () => {
		const first = remember(0);
		expect(remember(0)).toEqual(first);
		const second = remember(1);
		expect(second.proof).not.toBe(first.proof);
		for (const { proof } of [first, second]) expect(proof).toMatch(/^[0-9a-f]{32}$/);
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

describe('the address of a message', () => {
	const wish = { to: '959779100001', waitFor: 'delivered', simplify: true } as const;
	const awaited = rememberAwaited(openContext(service), wish);
	const address = new URL(
		toAddress('http://n8n/webhook-waiting/7?signature=token', 'node', awaited),
	);

	test('leads to the node, and keeps the token of n8n', () => {
		const { pathname, searchParams } = address;
		expect([pathname, searchParams.get('signature')]).toEqual(['/webhook-waiting/7/node', 'token']);
	});

	test('proves its message, and nothing of another one, nor does anything else', () => {
		const proof = String(address.searchParams.get('proof'));
		expect(isProven(awaited, { proof })).toBe(true);
		expect(isProven(rememberAwaited(openContext(service), wish), { proof })).toBe(false);
		for (const given of [undefined, '', 'x', [proof], `${proof} `])
			expect(isProven(awaited, { proof: given })).toBe(false);
	});
});

describe('readWait', () => {
	const read = (parameters: IDataObject, allowedCountryCodes?: string[]) => {
		const written: IDataObject = { waitFor: 'anyFinal', timeLimit: 60, ...parameters };
		const { to = '09791234567' } = written;
		return readWait((name) => written[name], 0, { to, allowedCountryCodes });
	};

	describe('what a node waits for', () => {
		test('is a message to one number, until a time', () => {
			expect(read({ waitFor: 'delivered', timeLimit: '0.5' })).toEqual({
				...{ number: '959791234567', waitFor: 'delivered', limitMs: 30_000 },
			});
			expect(read({ waitFor: 'something else' }).waitFor).toBe('anyFinal');
		});

		test('is never several numbers, and never one of a country that is not allowed', () => {
			expect(() => read({ to: '09791234567, 09791234568' })).toThrow('several numbers');
			expect(() => read({ to: '+6591234567' }, ['95'])).toThrow('country are not allowed');
		});

		test.each([0, -1, 'soon', ' ', null, 525_601])('is for no Time Limit of %j', (timeLimit) => {
			expect(() => read({ timeLimit })).toThrow(
				'Time Limit must be a number of minutes greater than 0',
			);
		});
	});
});
