import { type Sandbox, startSandbox } from '../../../sandbox';
import { callSandbox, send } from '../../support/sandbox/callSandbox';

describe('parts and prices', () => {
	let sandbox: Sandbox;

	beforeAll(async () => {
		sandbox = await startSandbox({ pace: 0 });
	});
	beforeEach(() => sandbox.reset());
	afterAll(() => sandbox.close());

	const sendBulk = (messages: unknown) =>
		callSandbox(sandbox, { method: 'POST', path: '/rest/send/bulk', body: { messages } });

	test.each([
		['a'.repeat(160), {}, 1],
		['a'.repeat(161), {}, 2],
		['a'.repeat(306), {}, 2],
		['a'.repeat(307), {}, 3],
		['€'.repeat(80), {}, 1],
		['€'.repeat(81), {}, 2],
		// 76 escape sequences fill 152 of 153 septets: the 77th is not split.
		['€'.repeat(153), {}, 3],
		['မ'.repeat(70), {}, 1],
		['မ'.repeat(71), {}, 2],
		['မ'.repeat(134), {}, 2],
		['😀'.repeat(35), {}, 1],
		// 33 surrogate pairs fill 66 of 67 units.
		['😀'.repeat(67), {}, 3],
		['a'.repeat(71), { unicode: 1 }, 2],
		['`', {}, 1],
	])('%j with %j', async (message, fields, parts) => {
		const { data } = await send(sandbox, { message, ...fields });
		expect(data.messages[0].messageCount).toBe(parts);
	});

	test('each part is deducted, international ones at their own price', async () => {
		sandbox.configure({ balance: 1000, prices: { domestic: 20, international: 150.5 } });
		await send(sandbox, { message: 'a'.repeat(161) });
		await send(sandbox, { to: '+6591234567' });
		expect(sandbox.balance()).toEqual({ balance: 809.5, currency: 'MMK' });
	});

	test('test messages cost nothing, unless they are set to', async () => {
		sandbox.configure({ balance: 100 });
		await send(sandbox, { test: 1 });
		expect(sandbox.balance().balance).toBe(100);
		sandbox.configure({ testMessagesCost: true });
		await send(sandbox, { test: 1 });
		expect(sandbox.balance().balance).toBe(80);
	});

	test('a bulk that the balance does not cover is rejected as a whole', async () => {
		sandbox.configure({ balance: 30 });
		const to = ['09779123456', '09779123457'];
		const { status, data } = await sendBulk([{ to, message: 'x', from: 'Shop' }]);
		expect(status).toBe(402);
		expect(data).toEqual({
			name: 'Payment Required',
			message: 'Insufficient balance.',
			code: 0,
			status: 402,
		});
		expect(sandbox.messages().map(({ to }) => to)).toEqual([]);
		expect(sandbox.balance().balance).toBe(30);
	});
});
