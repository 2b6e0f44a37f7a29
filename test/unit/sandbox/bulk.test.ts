import { callSandbox, send } from '../../support/sandbox/callSandbox';
import { useSandbox } from '../../support/workflow/useSandbox';

describe('bulk sending', () => {
	const sandbox = useSandbox({ methods: 'any' });

	const sendBulk = (messages: unknown) =>
		callSandbox(sandbox, { method: 'POST', path: '/rest/send/bulk', body: { messages } });

	test.each([
		[undefined],
		[[]],
		[{}],
		[['text']],
		[[{ to: [], message: 'x', from: 'y' }]],
		[[{ to: '09779123456', from: 'y' }]],
		[[{ to: '09779123456', message: 'x' }]],
	])('messages of %j are rejected', async (messages) => {
		expect((await sendBulk(messages)).status).toBe(422);
	});

	test('one bad recipient rejects everything and is named', async () => {
		const { status, data } = await sendBulk([
			{ to: '09779123456', message: 'x', from: 'Shop' },
			{ to: ['09779123456', '123'], message: 'x', from: 'Shop' },
		]);
		expect(status).toBe(422);
		expect(data.message).toBe('Messages[1]: To is not a valid mobile number.');
		expect(sandbox.messages().map(({ to }) => to)).toEqual([]);
	});

	test('optional fields of an item are told, not dropped', async () => {
		const item = {
			to: '09779123456',
			message: 'x',
			from: 'Shop',
			clientReference: 'a',
			test: true,
		};
		const { status, headers } = await sendBulk([item, item]);
		expect(status).toBe(201);
		expect(headers['sandbox-note']).toBe(
			'ignored, since the specification does not show it here: ' +
				'messages[0].clientReference, messages[0].test, messages[1].clientReference, messages[1].test',
		);
		expect(sandbox.messages()[0]).toMatchObject({ clientReference: '', test: false });
	});

	test('a record that is rejected inside the 2xx can come without to and from', async () => {
		sandbox.configure({ bareRefusals: true });
		const to = ['09779123456', '09000000011'];
		const { status, data } = await sendBulk([{ to, message: 'x', from: 'Shop' }]);
		expect(status).toBe(201);
		expect(data.messages[1]).toEqual({ status: false, message: 'Invalid Sender ID' });
	});

	test('the same number twice is two messages', async () => {
		const to = ['09779123456', '959779123456'];
		const { data } = await sendBulk([{ to, message: 'x', from: 'Shop' }]);
		expect(
			new Set(data.messages.map(({ messageId }: { messageId: string }) => messageId)).size,
		).toBe(2);
	});

	test('responses can be shuffled, the same way for the same seed', async () => {
		const to = Array.from({ length: 20 }, (_, index) => `097791234${index + 10}`);
		const readOrder = async () => {
			sandbox.configure({ shuffleBulk: true, randomSeed: 7 });
			const { data } = await sendBulk([{ to, message: 'x', from: 'Shop' }]);
			return data.messages.map((record: { to: string }) => record.to) as string[];
		};
		const order = await readOrder();
		expect(order).not.toEqual([...order].sort());
		expect([...order].sort()).toEqual(to.map((number) => `959${number.slice(2)}`));
		expect(await readOrder()).toEqual(order);
	});

	test('an unknown sender ID is rejected inside the 2xx, beside those that are accepted', async () => {
		sandbox.configure({ knownSenders: ['Shop'] });
		const { status, data } = await sendBulk([
			{ to: '09779123456', message: 'x', from: 'Shop' },
			{ to: '09779123457', message: 'x', from: 'shop' },
		]);
		expect(status).toBe(201);
		expect(data.messages[0].status).toBe('Accepted');
		expect(data.messages[1]).toEqual({
			to: '959779123457',
			from: 'shop',
			status: false,
			message: 'Invalid Sender ID',
		});
		expect(sandbox.messages().map(({ to }) => to)).toHaveLength(1);
	});
});

describe('charges', () => {
	describe('parts and prices', () => {
		const sandbox = useSandbox({ methods: 'any' });

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
});
