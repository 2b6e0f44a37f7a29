import { numbers, useSandbox } from '../../support/sandbox/harness';

const sandbox = useSandbox();
const order = { to: '09779123456', message: 'x', from: 'Shop' };
const two = ['09779123456', '09779123457'];

describe('bulk sending', () => {
	test.each([
		[undefined],
		[[]],
		[{}],
		[['text']],
		[[{ ...order, to: [] }]],
		[[{ ...order, message: undefined }]],
		[[{ ...order, from: undefined }]],
	])('messages of %j are rejected', async (messages) => {
		expect((await sandbox.sendBulk(messages)).status).toBe(422);
	});

	test('one bad recipient rejects everything and is named', async () => {
		const bad = { ...order, to: ['09779123456', '123'] };
		const { status, data } = await sandbox.sendBulk([order, bad]);
		expect(status).toBe(422);
		expect(data.message).toBe('Messages[1]: To is not a valid mobile number.');
		expect(sandbox.messages()).toEqual([]);
	});

	test('optional fields of an item are told, not dropped', async () => {
		const item = { ...order, clientReference: 'a', test: true };
		const { status, headers } = await sandbox.sendBulk([item, item]);
		expect(status).toBe(201);
		expect(headers['sandbox-note']).toBe(
			'ignored, since the specification does not show it here: ' +
				'messages[0].clientReference, messages[0].test, messages[1].clientReference, messages[1].test',
		);
		expect(sandbox.messages()[0]).toMatchObject({ clientReference: '', test: false });
	});

	test('the same number twice is two messages', async () => {
		const to = ['09779123456', '959779123456'];
		const { data } = await sandbox.sendBulk([{ ...order, to }]);
		const ids = data.messages.map(({ messageId }: { messageId: string }) => messageId);
		expect(new Set(ids).size).toBe(2);
	});

	test('responses can be shuffled, the same way for the same seed', async () => {
		const to = numbers(20);
		const readOrder = async () => {
			sandbox.configure({ shuffleBulk: true, randomSeed: 7 });
			const { data } = await sandbox.sendBulk([{ ...order, to }]);
			return data.messages.map((record: { to: string }) => record.to) as string[];
		};
		const shuffled = await readOrder();
		expect(shuffled).not.toEqual([...shuffled].sort());
		expect([...shuffled].sort()).toEqual(to.map((number) => `959${number.slice(2)}`));
		expect(await readOrder()).toEqual(shuffled);
	});

	test('a recipient is rejected inside the 2xx, beside those that are accepted', async () => {
		sandbox.configure({ knownSenders: ['Shop'] });
		const unknown = { ...order, to: two[1], from: 'shop' };
		const { status, data } = await sandbox.sendBulk([order, unknown]);
		expect(status).toBe(201);
		const refused = { to: '959779123457', from: 'shop', message: 'Invalid Sender ID' };
		expect(data.messages[0].status).toBe('Accepted');
		expect(data.messages[1]).toEqual({ ...refused, status: false });
		expect(sandbox.messages()).toHaveLength(1);
	});
});

describe('charges', () => {
	test.each([
		['a', 160, {}, 1],
		['a', 161, {}, 2],
		['a', 306, {}, 2],
		['a', 307, {}, 3],
		['€', 80, {}, 1],
		['€', 81, {}, 2],
		// 76 escape sequences fill 152 of 153 septets: the 77th is not split.
		['€', 153, {}, 3],
		['မ', 70, {}, 1],
		['မ', 71, {}, 2],
		['မ', 134, {}, 2],
		['😀', 35, {}, 1],
		// 33 surrogate pairs fill 66 of 67 units.
		['😀', 67, {}, 3],
		['a', 71, { unicode: 1 }, 2],
		['`', 1, {}, 1],
	])('%j, %d times with %j, are %d parts', async (character, times, fields, parts) => {
		const { data } = await sandbox.send({ message: character.repeat(times), ...fields });
		expect(data.messages[0].messageCount).toBe(parts);
	});

	test('each part is deducted, international ones at their own price', async () => {
		sandbox.configure({ balance: 1000, prices: { domestic: 20, international: 150.5 } });
		await sandbox.send({ message: 'a'.repeat(161) });
		await sandbox.send({ to: '+6591234567' });
		expect(sandbox.balance()).toEqual({ balance: 809.5, currency: 'MMK' });
	});

	test('test messages cost nothing, unless they are set to', async () => {
		sandbox.configure({ balance: 100 });
		await sandbox.send({ test: 1 });
		expect(sandbox.balance().balance).toBe(100);
		sandbox.configure({ testMessagesCost: true });
		await sandbox.send({ test: 1 });
		expect(sandbox.balance().balance).toBe(80);
	});

	test('a bulk that the balance does not cover is rejected as a whole', async () => {
		sandbox.configure({ balance: 39 });
		const { data } = await sandbox.sendBulk([{ ...order, to: two }]);
		const message = 'Insufficient balance.';
		expect(data).toEqual({ name: 'Payment Required', message, code: 0, status: 402 });
		expect([sandbox.messages(), sandbox.balance().balance]).toEqual([[], 39]);
		sandbox.configure({ balance: 40 });
		expect((await sandbox.sendBulk([{ ...order, to: two }])).status).toBe(201);
	});
});
