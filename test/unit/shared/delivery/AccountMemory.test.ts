import { randomUUID } from 'node:crypto';

import { ServiceError } from '../../../../nodes/shared/client/failure';
import type { MessageRecord } from '../../../../nodes/shared/client/types';
import { AccountMemory } from '../../../../nodes/shared/delivery/AccountMemory';

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
	test('is the run that claimed it, in every run of this process', () => {
		const account = randomUUID();
		expect(new AccountMemory(account).claim(record, 'one', false)).toBe(true);
		expect(new AccountMemory(account).ownerOf(record)).toBe('one');
		expect(open().ownerOf(record)).toBeUndefined();
	});

	test.each([
		['in history after the response to the other', false, true, false],
		['in a response after history showed it to the other', true, false, false],
		['in history, both of them', true, true, false],
		// Services that give an ID twice have accepted both messages all the same.
		['in a response, both of them', false, false, true],
	])('is not another run that finds it %s: %p, %p', (_, isFirst, isSecond, expected) => {
		const memory = open();
		memory.claim(record, 'one', isFirst);
		expect(memory.claim(record, 'other', isSecond)).toBe(expected);
		expect(memory.ownerOf(record)).toBe(expected ? 'other' : 'one');
	});

	test('is one for all recipients that share the ID', () => {
		const memory = open();
		memory.claim(record, 'one', false);
		expect(memory.ownerOf({ ...record, to: '09779100001' })).toBe('one');
		expect(memory.ownerOf({ ...record, to: '959*******' })).toBe('one');
	});

	test('claims it as often as it likes', () => {
		const memory = open();
		for (const isLookedUp of [false, true, false]) {
			expect(memory.claim(record, 'one', isLookedUp)).toBe(true);
		}
	});

	test('is forgotten beyond 200,000 records, the oldest first', () => {
		const memory = open();
		const toRecord = (n: number) => ({ messageId: String(n), to: '959779100001' });
		for (let n = 0; n < 200_001; n += 1) memory.claim(toRecord(n), 'one', false);
		expect([0, 1, 200_000].map((n) => memory.ownerOf(toRecord(n)))).toEqual([
			...[undefined, 'one', 'one'],
		]);
	});
});

describe('a send with a reference', () => {
	const [attempt, other] = [{}, {}];
	const send = (ended: Promise<MessageRecord | Error>, scheduledAt = 0) => ({
		ended,
		scope: 'run',
		by: attempt,
		scheduledAt,
	});
	const find = (memory: AccountMemory, key = 'key') =>
		memory.findSend(key, { scope: 'another run', by: other })?.ended;

	test('of an earlier attempt does not keep the next one from sending', async () => {
		const memory = open();
		memory.noteSend('key', send(Promise.resolve(record)));
		expect(memory.findSend('key', { scope: 'run', by: other })).toBeUndefined();
		expect(await memory.findSend('key', { scope: 'run', by: attempt })?.ended).toBe(record);
	});

	test('is found while it goes on, and for ten minutes after it has ended', async () => {
		const memory = open();
		let end: (ended: MessageRecord) => void = () => undefined;
		const ended = new Promise<MessageRecord>((resolve) => (end = resolve));
		memory.noteSend('key', send(ended));
		passTime(60 * minute);
		expect(find(memory)).toBe(ended);
		expect(find(memory, 'other')).toBeUndefined();
		end(record);
		await ended;
		passTime(9 * minute);
		expect(await find(memory)).toBe(record);
		passTime(2 * minute);
		expect(find(memory)).toBeUndefined();
	});

	test('that is scheduled is found until ten minutes after it is due', async () => {
		const memory = open();
		memory.noteSend('key', send(Promise.resolve(record), Date.now() + 60 * minute));
		await Promise.resolve();
		passTime(69 * minute);
		expect(await find(memory)).toBe(record);
		passTime(2 * minute);
		expect(find(memory)).toBeUndefined();
	});

	test('that failed is forgotten, unless its outcome is unknown: then for two minutes', async () => {
		const memory = open();
		memory.noteSend('failed', send(Promise.resolve(new ServiceError('rateLimited'))));
		memory.noteSend('unknown', send(Promise.resolve(new ServiceError('outcomeUnknown'))));
		await Promise.resolve();
		passTime(1 * minute);
		expect(find(memory, 'failed')).toBeUndefined();
		expect(await find(memory, 'unknown')).toMatchObject({ kind: 'outcomeUnknown' });
		passTime(2 * minute);
		expect(find(memory, 'unknown')).toBeUndefined();
	});

	test('is the last one with its key', async () => {
		const memory = open();
		memory.noteSend('key', send(Promise.resolve({ ...record, messageId: 'first' })));
		memory.noteSend('key', send(Promise.resolve(record)));
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
		release();
		expect(reserved(memory, seen)).toBe(false);
	});
});
