import { randomUUID } from 'node:crypto';

import type { MessageRecord } from '../../../../nodes/shared/client/types';
import { AccountMemory } from '../../../../nodes/shared/delivery/AccountMemory';
import { ReadingTimes } from '../../../../nodes/shared/delivery/createdAt';
import { groupBy, type Lookup } from '../../../../nodes/shared/delivery/lookUp';
import type { Channel, Likeness, Outgoing } from '../../../../nodes/shared/delivery/Outgoing';
import { Recognition } from '../../../../nodes/shared/delivery/Recognition';
import { digitsOf } from '../../../../nodes/shared/validation/recipient';

const minute = 60_000;
const now = Math.floor(Date.now() / 1000) * 1000;
const window = { from: now - 2 * minute, to: now - minute };
const message = { request: { to: '959779100001' }, isSkipping: true } as Outgoing;

/** How like it is to the message stands in the text of each record. */
const like = (messageId: string, likeness: Likeness, ago = 1.5 * minute): MessageRecord => ({
	...{ messageId, to: '+959779100001', message: likeness },
	createdAt: new Date(now - ago).toISOString().slice(0, 19).replace('T', ' '),
});
const toLookup = (...messages: MessageRecord[]): Lookup => {
	const times = new ReadingTimes(['UTC']);
	times.note({ messages, limit: 20, records: messages.length });
	return { times, byNumber: groupBy(messages, ({ to }) => digitsOf(to)) };
};
const channel = (changes: Partial<Channel> = {}): Channel => ({
	...{ batchSize: 1, pauseMs: 0, lookBackMs: undefined, isEarlierShared: false },
	keyOf: () => undefined,
	send: async () => await Promise.resolve([]),
	compare: (_, record) => record.message as Likeness,
	isSame: () => false,
	isEarlier: (_, record) => record.message === 'alike',
	...changes,
});
const open = (
	account = new AccountMemory(randomUUID()),
	scope = 'own',
	accepted: MessageRecord[] = [],
	changes: Partial<Channel> = {},
) => new Recognition(account, scope, channel(changes), accepted);

describe('the record of a message', () => {
	const match = (recognition: Recognition, ...records: MessageRecord[]) =>
		recognition.match(message, toLookup(...records), window, true);

	test('is the certain one, at whatever time and behind whatever else', () => {
		const found = like('c', 'certain', 600 * minute);
		expect(match(open(), like('a', 'alike'), like('m', 'maybe'), found)).toEqual({
			...{ found, isCertain: true },
		});
	});

	test('is the newest that is alike in the time, where none is certain', () => {
		const [first, second] = [like('a', 'alike'), like('b', 'alike')];
		expect(match(open(), like('late', 'alike', 0), first, second)).toEqual({
			...{ found: first, isCertain: false },
		});
	});

	test.each([
		['alike and near the time', [like('a', 'alike', 10 * minute)], 'uncertain'],
		['alike and far from the time', [like('a', 'alike', 60 * minute)], 'absent'],
		['alike and without a time', [{ ...like('a', 'alike'), createdAt: undefined }], 'uncertain'],
		['perhaps in another form, in the time', [like('a', 'maybe')], 'uncertain'],
		['perhaps in another form, near the time', [like('a', 'maybe', 10 * minute)], 'uncertain'],
		['perhaps in another form, far from the time', [like('a', 'maybe', 60 * minute)], 'absent'],
		['another message', [like('a', 'other')], 'absent'],
		['to another number', [{ ...like('a', 'certain'), to: '959779100002' }], 'absent'],
		['not there', [], 'absent'],
	])('that is %s makes it: %s', (_, records, expected) => {
		expect(match(open(), ...(records as MessageRecord[]))).toBe(expected);
	});

	test('belongs to one message of the run', () => {
		const recognition = open();
		const [first, second] = [like('a', 'alike'), like('b', 'alike')];
		recognition.claim(first, true);
		expect(match(recognition, first, second)).toMatchObject({ found: second });
		recognition.claim(second, false);
		expect(match(recognition, first, second)).toBe('absent');
	});

	test('is none that was accepted in an earlier attempt', () => {
		const accepted = like('a', 'alike');
		expect(match(open(undefined, 'own', [accepted]), accepted)).toBe('absent');
	});

	test('is none of another run of this process', () => {
		const account = new AccountMemory(randomUUID());
		const record = like('a', 'certain');
		open(account, 'other').claim(record, false);
		expect(match(open(account), record)).toBe('absent');
		expect(open(account).isKnown(record)).toBe(false);
		expect(open(account, 'other').isKnown(record)).toBe(true);
		expect(match(open(account, 'other'), record)).toMatchObject({ found: record });
	});

	test('in a response is not this message when another run has found it in history', () => {
		const account = new AccountMemory(randomUUID());
		expect(open(account, 'other').claim(like('a', 'alike'), true)).toBe(true);
		expect(open(account).claim(like('a', 'alike'), false)).toBe(false);
	});
});

describe('what was sent earlier', () => {
	const find = (changes: Partial<Channel>, ...records: MessageRecord[]) =>
		open(undefined, 'own', [], changes).findEarlier(message, toLookup(...records), now);
	const earlier = (record: MessageRecord) => ({ ...record, alreadySent: true });
	const hour = { lookBackMs: 60 * minute };

	test('is found in all of history where nothing says how far to look back', () => {
		const record = like('a', 'alike', 1e6 * minute);
		expect(find({}, like('o', 'other'), record)).toEqual(earlier(record));
		expect(find({}, like('o', 'other'))).toBeUndefined();
	});

	test('is not looked for without Skip If Already Sent', () => {
		const lookup = toLookup(like('a', 'alike'));
		expect(open().findEarlier({ ...message, isSkipping: false }, lookup, now)).toBeUndefined();
	});

	test('is found within Look Back, and not before it', () => {
		const record = like('a', 'alike', 59 * minute);
		expect(find(hour, like('o', 'other'), record)).toEqual(earlier(record));
		expect(find(hour, like('a', 'alike', 80 * minute))).toBeUndefined();
	});

	test('at the edge of Look Back, or without a time, keeps the message from being sent', () => {
		const edge = like('a', 'alike', 65 * minute);
		const unclear = { field: 'lookBackHours', outcome: 'Nothing was sent to this recipient.' };
		expect(find(hour, edge)).toMatchObject(unclear);
		expect(find(hour, { ...edge, createdAt: 'soon' })).toMatchObject(unclear);
		const clear = like('b', 'alike');
		expect(find(hour, edge, clear)).toEqual(earlier(clear));
	});

	test.each([
		[false, undefined],
		[true, 'a'],
	])('stands for several messages where that is said: %p', (isEarlierShared, expected) => {
		const recognition = open(undefined, 'own', [], { isEarlierShared });
		const record = like('a', 'alike');
		recognition.claim(record, true);
		const found = recognition.findEarlier(message, toLookup(record), now);
		expect((found as MessageRecord | undefined)?.messageId).toBe(expected);
	});
});
