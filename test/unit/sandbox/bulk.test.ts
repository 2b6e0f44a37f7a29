import { type Sandbox, startSandbox } from '../../../sandbox';
import { callSandbox } from '../../support/sandbox/callSandbox';

describe('bulk sending', () => {
	let sandbox: Sandbox;

	beforeAll(async () => {
		sandbox = await startSandbox({ pace: 0 });
	});
	beforeEach(() => sandbox.reset());
	afterAll(() => sandbox.close());

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
		expect(sandbox.messages()[0]).toMatchObject({ clientReference: null, test: false });
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
