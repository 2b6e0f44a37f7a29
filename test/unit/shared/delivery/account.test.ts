import { randomUUID } from 'node:crypto';

import { ServiceError } from '../../../../nodes/shared/client/failure';
import type { MessageRecord } from '../../../../nodes/shared/client/types';
import { AccountMemory } from '../../../../nodes/shared/delivery/account';

const record = { messageId: 'a', to: '+959779100001' };
const open = () => new AccountMemory(randomUUID());
const minute = 60_000;
/** Until the end of the test. */
const passTime = (ms: number) => {
	for (const clock of [Date, performance]) {
		const now = clock.now();
		jest.spyOn(clock, 'now').mockReturnValue(now + ms);
	}
};
afterEach(() => jest.restoreAllMocks());

describe('the owner of a record', () => {
	const one = { scope: 'one', isLookedUp: false };
	test('is the run that claimed it, in every run of this process', () => {
		const account = randomUUID();
		new AccountMemory(account).claim(record, one);
		expect(new AccountMemory(account).ownerOf(record)).toBe(one);
		expect(open().ownerOf(record)).toBeUndefined();
	});

	test('is one for all recipients that share the ID', () => {
		const memory = open();
		memory.claim(record, one);
		expect(memory.ownerOf({ ...record, to: '09779100001' })).toBe(one);
		expect(memory.ownerOf({ ...record, to: '959*******' })).toBe(one);
	});

	test('is forgotten beyond 200,000 records, the oldest first', () => {
		const memory = open();
		const toRecord = (n: number) => ({ messageId: String(n), to: '959779100001' });
		for (let n = 0; n < 200_001; n += 1) memory.claim(toRecord(n), one);
		expect([0, 1, 200_000].map((n) => memory.ownerOf(toRecord(n)))).toEqual([
			...[undefined, one, one],
		]);
	});
});

describe('the turn of a reference', () => {
	const turnOf = (scope = 'run', scheduledAt = 0) => ({ scope, by: {}, scheduledAt });
	/** What the next turn of another run gets; it sends nothing. */
	const find = async (memory: AccountMemory, key = 'key') => {
		let found: MessageRecord | Error | undefined;
		await memory.takeTurn(key, turnOf('another run'), async (before) => {
			found = await before;
			return undefined;
		});
		// It is remembered just afterwards.
		await new Promise(setImmediate);
		return found;
	};
	const send = async (memory: AccountMemory, outcome: MessageRecord | Error, key = 'key') =>
		await memory.takeTurn(key, turnOf(), async () => await Promise.resolve(outcome));

	test('counts in the same attempt, and not in the next one of its run', async () => {
		const memory = open();
		const attempt = turnOf();
		await memory.takeTurn('key', attempt, async () => await Promise.resolve(record));
		const found: unknown[] = [];
		for (const turn of [attempt, turnOf()])
			await memory.takeTurn('key', turn, async (before) => void found.push(await before));
		expect(found).toEqual([record, undefined]);
	});

	test('is awaited while it goes on, and found for ten minutes after it has ended', async () => {
		const memory = open();
		let end: (ended: MessageRecord) => void = () => undefined;
		const sending = memory.takeTurn('key', turnOf(), async () => {
			return await new Promise<MessageRecord>((resolve) => (end = resolve));
		});
		passTime(60 * minute);
		const found = find(memory);
		expect(await find(memory, 'other')).toBeUndefined();
		end(record);
		await sending;
		expect(await found).toBe(record);
		passTime(9 * minute);
		expect(await find(memory)).toBe(record);
		passTime(2 * minute);
		expect(await find(memory)).toBeUndefined();
	});

	test('that is scheduled is found until ten minutes after it is due', async () => {
		const memory = open();
		const turn = turnOf('run', Date.now() + 60 * minute);
		await memory.takeTurn('key', turn, async () => await Promise.resolve(record));
		passTime(69 * minute);
		expect(await find(memory)).toBe(record);
		passTime(2 * minute);
		expect(await find(memory)).toBeUndefined();
	});

	test('that failed is forgotten, unless its outcome is unknown: then for two minutes', async () => {
		const memory = open();
		await send(memory, new ServiceError('rateLimited'), 'failed');
		await send(memory, new ServiceError('outcomeUnknown'), 'unknown');
		passTime(1 * minute);
		expect(await find(memory, 'failed')).toBeUndefined();
		expect(await find(memory, 'unknown')).toMatchObject({ kind: 'outcomeUnknown' });
		// A turn that has sent nothing does not prolong it.
		passTime(1.5 * minute);
		expect(await find(memory, 'unknown')).toBeUndefined();
	});

	test('whose wait was stopped stands for the one before', async () => {
		const memory = open();
		let end: (ended: MessageRecord) => void = () => undefined;
		const sending = memory.takeTurn('key', turnOf(), async () => {
			return await new Promise<MessageRecord>((resolve) => (end = resolve));
		});
		const stopped = memory.takeTurn('key', turnOf('stopped run'), async () => {
			return await Promise.reject(new ServiceError('cancelled'));
		});
		await expect(stopped).rejects.toMatchObject({ kind: 'cancelled' });
		const found = find(memory);
		end(record);
		await sending;
		expect(await found).toBe(record);
	});

	test('is the last one of its key', async () => {
		const memory = open();
		await send(memory, { ...record, messageId: 'first' });
		await send(memory, record);
		expect(await find(memory)).toBe(record);
	});
});

describe('the record of a message of another run', () => {
	test('is reserved for it until it is decided, in the same account only', () => {
		const account = randomUUID();
		const isOf = ({ message }: MessageRecord) => message === 'Hello';
		const release = new AccountMemory(account).reserve({ scope: 'one', to: '09779100001', isOf });
		const seen = { ...record, message: 'Hello' };
		const reserved = (memory: AccountMemory, one: MessageRecord, scope = 'other') =>
			memory.isReserved(one, scope);
		const memory = new AccountMemory(account);
		expect(reserved(memory, seen)).toBe(true);
		expect(reserved(memory, seen, 'one')).toBe(false);
		expect(reserved(memory, { ...seen, to: '959779100002' })).toBe(false);
		expect(reserved(memory, record)).toBe(false);
		expect(reserved(open(), seen)).toBe(false);
		const masked = { ...seen, to: '959*******' };
		expect([memory, open()].map((one) => reserved(one, masked))).toEqual([true, false]);
		expect(reserved(memory, { ...masked, message: 'Other' })).toBe(false);
		release();
		expect([seen, masked].map((one) => reserved(memory, one))).toEqual([false, false]);
	});
});
