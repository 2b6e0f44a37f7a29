import { randomUUID } from 'node:crypto';

import type { MessageRecord } from '../../../../nodes/shared/client/types';
import { AccountMemory } from '../../../../nodes/shared/delivery/account';
import { Recognition } from '../../../../nodes/shared/delivery/recognition';
import { Lookup } from '../../../../nodes/shared/delivery/history';
import type { Channel, Outgoing } from '../../../../nodes/shared/delivery/Outgoing';
import { ReadingTimes } from '../../../../nodes/shared/delivery/serviceTimes';
import { processorMs } from '../../../support/unit/processorTime';

const minute = 60_000;
const now = Math.floor(Date.now() / 1000) * 1000;
const window = { from: now - 2 * minute, to: now - minute };
const own = 'n8n-scope-0-abcdef';
const to = '959779100001';
const base = { to, message: 'Hello', from: 'MyShop' };

const toMessage = (request: object = {}, more: object = {}) =>
	({
		...{ request: { ...base, ...request }, entry: { saved: {} }, isSkipping: true },
		...more,
	}) as Outgoing;
const bulk = toMessage();
const single = toMessage({ clientReference: own });
const users = (request: object = {}, more: object = {}) =>
	toMessage({ clientReference: own, ...request }, { isUsersReference: true, ...more });

const record = (changes: object = {}, ago = 1.5 * minute): MessageRecord => ({
	...{ messageId: randomUUID(), ...base, status: 'Sent' },
	createdAt: new Date(now - ago).toISOString().slice(0, 19).replace('T', ' '),
	...changes,
});
const toLookup = (...messages: MessageRecord[]): Lookup => {
	const times = new ReadingTimes(['UTC']);
	times.note({ messages });
	const lookup = new Lookup(times);
	lookup.add(messages);
	return lookup;
};
const channelOf = (hasReference: boolean, lookBackMs?: number): Channel => ({
	...{ hasReference, batchSize: 1, pauseMs: 0, lookBackMs },
	send: async () => await Promise.resolve({ each: [], isAccepted: false }),
});
interface Opened {
	account?: AccountMemory;
	scope?: string;
	accepted?: MessageRecord[];
	messages?: Outgoing[];
	lookBackMs?: number;
	hasLostMemory?: boolean;
}
const open = (message: Outgoing, opened: Opened = {}) => {
	const { account = new AccountMemory(randomUUID()), scope = 'own', accepted = [] } = opened;
	const channel = channelOf(message.request.clientReference !== undefined, opened.lookBackMs);
	const ledger = {
		scope,
		records: () => accepted,
		isOfOtherRun: () => false,
		hasLostMemory: opened.hasLostMemory ?? false,
	};
	const recognition = new Recognition(account, ledger, channel);
	recognition.expect(opened.messages ?? [message]);
	return recognition;
};

describe('how a record is like a message', () => {
	const named = { clientReference: own };
	const other = '959779100002';
	const long = { message: 'Your order 1 is ready. Please come.' };
	test.each<[string, Outgoing, object, string]>([
		// The node's own reference.
		['its own reference, whatever else', single, { ...named, to: other, message: 'X' }, 'certain'],
		['its own reference, masked', single, { ...named, to: '959*******' }, 'certain'],
		['that of the execution itself', single, { clientReference: `${own}-execution` }, 'certain'],
		[
			'that of another execution',
			toMessage({ clientReference: `${own}-a` }),
			{ clientReference: `${own}-b` },
			'other',
		],
		['its reference within another', single, { clientReference: `before-${own}` }, 'other'],
		['another reference', single, { clientReference: 'other' }, 'other'],
		// That of the user.
		["the user's reference and the text", users(), named, 'alike'],
		["the user's reference, another text", users(), { ...named, message: 'No' }, 'maybe'],
		["the user's reference, masked", users(), { ...named, to: '959*******' }, 'alike'],
		["the user's reference, another number", users(), { ...named, to: other }, 'other'],
		["another reference than the user's", users(), { clientReference: 'other' }, 'other'],
		[
			"the user's reference, encrypted",
			users({ encrypt: 1 }),
			{ ...named, message: 'c2Vj' },
			'alike',
		],
		['leading zeros less', users({ clientReference: '00042' }), { clientReference: 42 }, 'alike'],
		['zeros of a word less', users({ clientReference: '00A' }), { clientReference: '0A' }, 'other'],
		[
			'another case, and blanks',
			users({ clientReference: 'a-7' }),
			{ clientReference: ' A-7 ' },
			'alike',
		],
		// None.
		...[single, users()].flatMap(
			(message): Array<[string, Outgoing, object, string]> => [
				['no reference, and the text', message, {}, 'maybe'],
				[
					'an empty reference, and another text',
					message,
					{ clientReference: '', message: 'X' },
					'maybe',
				],
			],
		),
		// Bulk.
		['number, text and sender ID', bulk, { message: ' Hello\r\n', clientReference: '' }, 'alike'],
		['a reference', bulk, named, 'other'],
		['a reference of the service', bulk, { clientReference: 'svc-1' }, 'maybe'],
		['another text', bulk, { message: 'Hello!' }, 'maybe'],
		['another sender ID', bulk, { from: 'Other' }, 'maybe'],
		['another number', bulk, { to: other }, 'other'],
		['a number that is masked', bulk, { to: '959*******' }, 'maybe'],
		['a number that is missing', bulk, { to: undefined }, 'maybe'],
		['a number without its country code', bulk, { to: '9779100001' }, 'alike'],
		['the end of a number', bulk, { to: '0001' }, 'maybe'],
		['a mask over another number', bulk, { to: '6591****34' }, 'other'],
		[
			'entities',
			toMessage({ message: "Tom & 'Co'" }),
			{ message: 'Tom &amp; &#39;Co&#39;' },
			'alike',
		],
		['a cut text', toMessage(long), { message: 'Your order 1 is ready. Pl' }, 'maybe'],
	])('with %s', (_, message, changes, expected) => {
		expect(open(message).compare(message, record(changes), true)).toBe(expected);
	});

	test.each<[string, object, string]>([
		['another text', { message: 'Hello!' }, 'other'],
		['a short beginning of the text', { message: 'Hel' }, 'other'],
		['an ellipsis', { message: 'Hel…' }, 'maybe'],
		['another sender ID', { from: 'Other' }, 'maybe'],
		['a masked number', { to: '95977*****1' }, 'maybe'],
		['number, text and sender ID', {}, 'alike'],
	])('that no request has been sent for, with %s', (_, changes, expected) => {
		expect(open(bulk).compare(bulk, record(changes), false)).toBe(expected);
	});

	test('may have had another text in the execution itself, of which n8n has kept nothing', () => {
		const compare = (changes: object) =>
			open(bulk, { hasLostMemory: true }).compare(bulk, record(changes), false);
		expect(compare({ message: 'At 9:00' })).toBe('maybe');
		expect(compare({ message: 'At 9:00', from: 'Other' })).toBe('other');
	});

	test('is that of another message of the run, not this one in another form', () => {
		const messages = [bulk, toMessage({ message: 'Other' })];
		const compare = (changes: object) =>
			open(bulk, { messages }).compare(bulk, record(changes), true);
		expect(compare({ message: 'Other' })).toBe('other');
		expect(compare({ message: 'Other', to: '959*******' })).toBe('other');
		messages[1] = toMessage({ message: 'Other', to: other });
		expect(compare({ message: 'Other' })).toBe('maybe');
	});

	test('compares with the text that was sent, whatever the next attempt makes of it', () => {
		const entry = { saved: { sent: { ...base, message: 'Before' } } };
		for (const message of [toMessage({}, { entry }), users({}, { entry })]) {
			const changes = { clientReference: message.request.clientReference };
			const compare = (text: string) =>
				open(message).compare(message, record({ ...changes, message: text }), true);
			expect(['Before', 'Hello'].map(compare)).toEqual(['alike', 'maybe']);
		}
	});

	test('leaves open whose it is, if two numbers have one reference and none is shown', () => {
		const messages = [users(), users({ to: '959779100002' })];
		const shown = record({ clientReference: own, to: '959*******' });
		expect(open(messages[0], { messages }).compare(messages[0], shown, true)).toBe('maybe');
	});
});

describe('the record of a message', () => {
	const match = (recognition: Recognition, message: Outgoing, ...records: MessageRecord[]) =>
		recognition.match(message, toLookup(...records), window, true);
	const maybe = (ago?: number) => record({ message: 'Changed' }, ago);

	test('is the certain one, at whatever time and behind whatever else', () => {
		const found = record({ clientReference: own }, 600 * minute);
		const others = [record(), record({ message: 'X' })];
		expect(match(open(single), single, ...others, found)).toEqual({ found, isCertain: true });
	});

	test('is the newest that is alike in the time, where none is certain', () => {
		const [late, first, second] = [record({}, 0), record(), record()];
		const found = match(open(bulk), bulk, late, maybe(), first, second);
		expect(found).toEqual({ found: first, isCertain: false });
	});

	test.each<[string, MessageRecord[], string]>([
		['alike and near the time', [record({}, 10 * minute)], 'uncertain'],
		['alike and far from the time', [record({}, 60 * minute)], 'absent'],
		['alike and without a time', [record({ createdAt: undefined })], 'uncertain'],
		['perhaps in another form, in the time', [maybe()], 'uncertain'],
		['perhaps in another form, near the time', [maybe(10 * minute)], 'uncertain'],
		['perhaps in another form, far from the time', [maybe(60 * minute)], 'absent'],
		['masked', [record({ to: '959***' })], 'uncertain'],
		['to another number', [record({ to: '959779100002' })], 'absent'],
		['not there', [], 'absent'],
	])('that is %s makes it: %s', (_, records, expected) => {
		expect(match(open(bulk), bulk, ...records)).toBe(expected);
	});

	const numbers = ['959779100001', '959*******'];
	test.each(numbers)('is found among 3,000 to %s, in proportion to them', async (shown) => {
		const account = new AccountMemory(randomUUID());
		const messages = Array.from({ length: 3_000 }, (_, n) => toMessage({ message: `Hello ${n}` }));
		for (const { request } of messages)
			account.reserve({ scope: 'own', to: request.to, isOf: () => false });
		const records = messages.map(({ request: { message } }) => record({ message, to: shown }));
		const recognition = open(bulk, { messages, account });
		const lookup = toLookup(...records, ...records.map((one) => ({ ...one, messageId: 'known' })));
		recognition.use({ messageId: 'known' });
		const spent = await processorMs(() => {
			for (const message of messages) {
				const found = recognition.match(message, lookup, window, true);
				expect(found).not.toBe('absent');
				if (typeof found === 'object') recognition.claim(found.found, false);
			}
		});
		expect(spent).toBeLessThan(3_000);
	});

	test('is not that of another message to the number', () => {
		const messages = [bulk, toMessage({ message: 'Other' })];
		const others = [record({ message: 'Other' }), record({ clientReference: 'n8n-other' })];
		expect(match(open(bulk, { messages }), bulk, ...others)).toBe('absent');
		expect(match(open(bulk, { messages }), bulk, ...others, maybe())).toBe('uncertain');
	});

	test('belongs to one message of the run', () => {
		const recognition = open(bulk);
		const [first, second] = [record(), record()];
		recognition.claim(first, false);
		expect(match(recognition, bulk, first, second)).toMatchObject({ found: second });
		recognition.claim(second, false);
		expect(match(recognition, bulk, first, second)).toBe('absent');
	});

	test.each([to, '959*******'])('is none that was accepted earlier, shown to %s', (shown) => {
		const accepted = record();
		const recognition = open(bulk, { accepted: [{ ...accepted, to: shown }] });
		expect(match(recognition, bulk, accepted)).toBe('absent');
	});

	test('is none of another run of this process', () => {
		const account = new AccountMemory(randomUUID());
		const mine = open(bulk, { account });
		const others = open(bulk, { account, scope: 'other' });
		const one = record();
		others.claim(one, false);
		expect(match(mine, bulk, one)).toBe('absent');
		const found = record();
		others.claim(found, true);
		// The other run may be wrong: it is in doubt, too.
		expect(match(mine, bulk, found)).toBe('uncertain');
		expect(mine.isKnown(one)).toBe(false);
		expect(others.isKnown(one)).toBe(true);
		expect(match(open(bulk, { account, scope: 'other' }), bulk, one)).toMatchObject({ found: one });
	});
});

describe('what was sent earlier', () => {
	const find = (message: Outgoing, lookBackMs: number | undefined, ...records: MessageRecord[]) =>
		open(message, { lookBackMs }).findEarlier(message, toLookup(...records), now);
	const earlier = (one: MessageRecord) => ({ ...one, alreadySent: true });
	const unclear = {
		field: 'skipIfAlreadySent',
		facts: { outcome: 'Nothing was sent to this recipient.' },
	};
	const hour = 60 * minute;

	test('is found in all of history where nothing says how far to look back', () => {
		const old = record({ clientReference: own }, 1e6 * minute);
		for (const one of [old, { ...old, createdAt: undefined }])
			expect(find(users(), undefined, record(), one)).toEqual(earlier(one));
		expect(find(users(), undefined, record())).toBeUndefined();
	});

	test('is not looked for without Skip If Already Sent', () => {
		const message = { ...bulk, isSkipping: false };
		expect(open(bulk).findEarlier(message, toLookup(record()), now)).toBeUndefined();
	});

	test('is found within Look Back, and not before it', () => {
		const one = record({}, 59 * minute);
		expect(find(bulk, hour, record({ message: 'X' }), one)).toEqual(earlier(one));
		expect(find(bulk, hour, record({}, 80 * minute))).toBeUndefined();
	});

	test('at the edge of Look Back, or without a time, keeps the message from being sent', () => {
		const edge = record({}, 65 * minute);
		expect(find(bulk, hour, edge)).toMatchObject(unclear);
		expect(find(bulk, hour, { ...edge, createdAt: 'soon' })).toMatchObject(unclear);
		const clear = record();
		expect(find(bulk, hour, edge, clear)).toEqual(earlier(clear));
	});

	test.each<[string, Outgoing, object, unknown]>([
		['of a test', bulk, { test: 1 }, undefined],
		['of a rejection', bulk, { status: false }, undefined],
		['of a rejection by its status', bulk, { status: 'Rejected' }, undefined],
		['of another sender ID', bulk, { from: 'Other' }, undefined],
		['of its sender ID in another case', bulk, { from: ' MYSHOP' }, { alreadySent: true }],
		['without a sender ID', bulk, { from: undefined }, unclear],
		['of no test, in words', bulk, { test: 'false' }, { alreadySent: true }],
		['of a test, in words', bulk, { test: 'true' }, undefined],
		[
			'of a test in words with the reference',
			users(),
			{ clientReference: own, test: '1' },
			undefined,
		],
		['of a short beginning of the text', bulk, { message: 'Hel' }, undefined],
		['of a cut text', bulk, { message: 'Hel...' }, unclear],
		['of a masked number', bulk, { to: '959*******' }, unclear],
		['of a test with the reference', users(), { clientReference: own, test: true }, undefined],
		[
			'of a test for a test',
			users({ test: 1 }),
			{ clientReference: own, test: 1 },
			{ alreadySent: true },
		],
		['of the real message for a test', users({ test: 1 }), { clientReference: own }, undefined],
		['of another reference', users(), { clientReference: 'other' }, undefined],
		[
			'of the reference and a masked number',
			users(),
			{ clientReference: own, to: '9***' },
			{ alreadySent: true },
		],
	])('with the record %s is: %j', (_, message, changes, expected) => {
		const found = find(message, hour, record(changes, 10 * minute));
		if (expected === undefined) expect(found).toBeUndefined();
		else expect(found).toMatchObject(expected as object);
	});

	test('stands for several messages only by a reference', () => {
		const one = record({ clientReference: own });
		for (const [message, id] of [
			[bulk, undefined],
			[users(), one.messageId],
		] as const) {
			const recognition = open(message);
			recognition.claim(one, false);
			const found = recognition.findEarlier(message, toLookup(one), now);
			expect((found as MessageRecord | undefined)?.messageId).toBe(id);
		}
	});
});
