import { findMessage, HistoryReader } from '../../../nodes/SmsReceiptTrigger/HistorySearches';
import { MessagingServiceClient } from '../../../nodes/shared/client/MessagingServiceClient';
import type { FaultEffect } from '../../../sandbox/entities';
import { openContext } from '../../support/workflow/openContext';
import { useSandbox } from '../../support/workflow/useSandbox';

const inAMinute = () => Date.now() + 60_000;

describe('searches of history for receipts', () => {
	const sandbox = useSandbox();
	const open = async (stop?: AbortSignal) => {
		const options = { parallelRequests: 1, timeout: 5000, stop };
		return await MessagingServiceClient.open(openContext(sandbox), options);
	};
	const ids = () => sandbox.messages().map(({ messageId }) => messageId);

	const find = async (reader: HistoryReader, messageId: string, to: string | null = null) =>
		await findMessage(reader, {}, { messageId, to });
	const openReader = async (pages = 60, end = inAMinute()) =>
		new HistoryReader(await open(), pages, end);

	test('end as soon as all messages are found', async () => {
		sandbox.seedMessages(2500);
		const wanted = sandbox.messages().slice(0, 2);
		const reader = await openReader();
		const found = wanted.map(async ({ messageId }) => await find(reader, messageId));
		expect(await Promise.all(found)).toMatchObject(wanted.map(({ messageId }) => ({ messageId })));
		expect(sandbox.requests().map(({ path }) => path)).toHaveLength(3);
	});

	test('that wait are shared by all calls that need the same one', async () => {
		sandbox.seedMessages(20);
		sandbox.configure({ latencyMs: 30 });
		const reader = await openReader();
		const searches = ids().map(async (messageId) => await find(reader, messageId));
		expect(await Promise.all(searches)).toMatchObject(ids().map((messageId) => ({ messageId })));
		expect(sandbox.requests().length).toBeLessThanOrEqual(4);
	});

	test('are shared by calls with the same credential only', async () => {
		sandbox.seedMessages(1);
		sandbox.configure({ latencyMs: 30 });
		const [messageId] = ids();
		const settings = { parallelRequests: 1, timeout: 5000 };
		const context = openContext(sandbox, { credentials: { apiSecret: 'wrong' } });
		const wrong = await MessagingServiceClient.open(context, settings);
		const readers = [new HistoryReader(wrong, 60, inAMinute()), await openReader()];
		const found = await Promise.allSettled(readers.map((reader) => find(reader, messageId)));
		expect(found).toMatchObject([
			{ status: 'rejected', reason: { kind: 'authentication' } },
			{ status: 'fulfilled', value: { messageId } },
		]);
	});

	test.each([
		['pages', async () => await openReader(1)],
		['time', async () => await openReader(60, Date.now() - 1)],
	])('are given up when there are no %s left', async (_, toReader) => {
		sandbox.seedMessages(1500);
		await expect(find(await toReader(), 'made-up')).rejects.toMatchObject({ kind: 'unavailable' });
		expect(sandbox.requests().length).toBeLessThanOrEqual(1);
	});

	test('go on for a call that has pages left, which none gets from another', async () => {
		sandbox.seedMessages(4500);
		const readers = [await openReader(1), await openReader(3), await openReader(2)];
		const found = readers.map((reader) => find(reader, 'made-up'));
		for (const one of await Promise.allSettled(found))
			expect(one).toMatchObject({ reason: { kind: 'unavailable' } });
		expect(sandbox.requests().map(({ path }) => path)).toHaveLength(3);
		expect(readers.map(({ canRead }) => canRead)).toEqual([false, false, false]);
	});

	test.each<[string, number, FaultEffect | undefined]>([
		['the pages of all calls are read', 2, undefined],
		['a page cannot be read', 60, { status: 422 }],
	])('find what is on the pages before, when %s', async (_, pages, effect) => {
		sandbox.seedMessages(2500);
		if (effect) sandbox.addFault({ skip: 1, effect });
		const { messageId } = sandbox.messages().at(-1) as { messageId: string };
		const wanted = ['made-up', messageId];
		const found = wanted.map(async (id) => await find(await openReader(pages), id));
		expect(await Promise.allSettled(found)).toMatchObject([
			{ status: 'rejected', reason: { kind: effect ? 'rejected' : 'unavailable' } },
			{ status: 'fulfilled', value: { messageId } },
		]);
		expect(sandbox.requests().map(({ path }) => path)).toHaveLength(2);
	});

	test('cost nothing once their call has given up', async () => {
		const call = new AbortController();
		const reader = new HistoryReader(await open(call.signal), 60, inAMinute());
		expect(reader.canRead).toBe(true);
		call.abort();
		expect(reader.canRead).toBe(false);
		await expect(find(reader, 'made-up')).rejects.toMatchObject({ kind: 'unavailable' });
		expect(sandbox.requests().map(({ path }) => path)).toEqual([]);
	});

	test('find the record of the recipient, in any notation, where several share an ID', async () => {
		const numbers = ['6591234567', '959779100001', '959779100002'];
		sandbox.seedMessages(3, (n) => ({ messageId: 'shared', to: numbers[n] }));
		const reader = await openReader();
		for (const to of ['+65 9123 4567', '09779100001', '+959779100002'])
			expect((await find(reader, 'shared', to))?.to).toBe(
				`${to.replace(/^09/, '+959').replace(/\D/g, '')}`,
			);
		expect((await find(reader, 'shared'))?.messageId).toBe('shared');
	});

	test('find no message whose ID and recipient only look the same together', async () => {
		const [to, other] = ['959779100001', '6591234567'];
		const messageId = `a:${other}`;
		sandbox.seedMessages(1, () => ({ messageId, to }));
		expect(await find(await openReader(), 'a', other)).toBeUndefined();
		expect(await find(await openReader(), messageId, to)).toMatchObject({ messageId });
	});
});
