import type { IWebhookFunctions, IDataObject } from 'n8n-workflow';
import {
	findPurpose,
	recallAwaited,
	rememberAwaited,
	toAddresses,
} from '../../../nodes/SmsSendAndWait/awaited';
import { newExecution, openContext } from '../../support/workflow/openContext';
import { readWait } from '../../../nodes/SmsSendAndWait/sendAndWait.operation';

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
			expect(() => read({ to: '+6591234567' }, ['95'])).toThrow('country that is not allowed');
		});

		test.each([0, -1, 'soon', ' ', null, 525_601])('is for no Time Limit of %j', (timeLimit) => {
			expect(() => read({ timeLimit })).toThrow(
				'Time Limit must be a number of minutes greater than 0',
			);
		});
	});
});
