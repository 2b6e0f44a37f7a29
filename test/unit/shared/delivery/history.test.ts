import { randomUUID } from 'node:crypto';

import type { MessageRecord } from '../../../../nodes/shared/client/types';
import { History } from '../../../../nodes/shared/delivery/history';
import { filtersSince, toListing } from '../../../../nodes/shared/delivery/listing';
import type { Channel, Outgoing } from '../../../../nodes/shared/delivery/message';
import { noteServiceTime, ServiceClock } from '../../../../nodes/shared/delivery/serviceClock';

const minute = 60_000;
const own = 'n8n-scope-0-abcdef';
const to = '959779100001';
const other = '959779100002';
const base = { to, message: 'Hello', from: 'MyShop' };
const long = { message: 'Your order 1 is ready. Please come by tomorrow.' };

const toMessage = (request: object = {}, more: object = {}) =>
	({ request: { ...base, ...request }, note: {}, isSkipping: true, ...more }) as Outgoing;
const bulk = toMessage();
const single = toMessage({ clientReference: own });
const users = (request: object = {}, more: object = {}) =>
	toMessage({ clientReference: 'order-1', ...request }, { isUsersReference: true, ...more });
const record = (changes: object = {}, ago = minute): MessageRecord => ({
	...{ messageId: randomUUID(), ...base, status: 'Sent' },
	createdAt: new Date(Date.now() - ago).toISOString().slice(0, 19).replace('T', ' '),
	...changes,
});

interface Opened {
	account?: string;
	scope?: string;
	messages?: Outgoing[];
	lookBackMs?: number;
}
const open = (message: Outgoing, opened: Opened = {}) => {
	const { account = randomUUID(), scope = 'own', messages = [message] } = opened;
	noteServiceTime(account, { createdAt: record({}, 0).createdAt });
	const hasReference = message.request.clientReference !== undefined;
	const channel = { hasReference, lookBackMs: opened.lookBackMs } as Channel;
	const history = new History({ account }, { scope, records: () => [] }, channel, messages);
	const listingOf = (records: MessageRecord[]) =>
		toListing(records, new ServiceClock(account, 'UTC'));
	const find = (records: MessageRecord[], isInDoubt = true) => {
		const window = { from: Date.now() - 2 * minute, to: Date.now() };
		return [...history.find(messages, listingOf(records), () => window, isInDoubt).values()];
	};
	const findEarlier = (records: MessageRecord[]) =>
		history.findEarlier(messages, listingOf(records));
	return { history, find, findEarlier };
};
const wordsOf = (seen: unknown) => (typeof seen === 'string' ? seen : 'found');

describe('what history shows of a message in doubt', () => {
	test.each<[string, Outgoing, object, string]>([
		// With the reference that the node made.
		['its reference', single, { clientReference: own, message: 'changed' }, 'found'],
		['its reference in another case', single, { clientReference: own.toUpperCase() }, 'found'],
		['its reference and a masked number', single, { clientReference: own, to: '95*' }, 'found'],
		['the reference of another message', single, { clientReference: 'n8n-other' }, 'nothing'],
		['no reference', single, {}, 'uncertain'],
		['no reference, for another number', single, { to: other }, 'nothing'],
		// With one of the user, which others may have.
		["the user's reference", users(), { clientReference: 'order-1' }, 'found'],
		[
			'the same, and another text',
			users(),
			{ clientReference: 'order-1', message: 'X' },
			'uncertain',
		],
		['the same, for another number', users(), { clientReference: 'order-1', to: other }, 'nothing'],
		['another reference', users(), { clientReference: 'order-2' }, 'nothing'],
		['no reference of the user', users(), { clientReference: ' ' }, 'uncertain'],
		// Bulk.
		['number, text and sender ID', bulk, { message: ' Hello\r\n', clientReference: '' }, 'found'],
		["a reference of the node's own", bulk, { clientReference: own }, 'nothing'],
		['a reference of the service', bulk, { clientReference: 'svc-1' }, 'found'],
		['another sender ID', bulk, { from: 'Other' }, 'uncertain'],
		['another number', bulk, { to: other }, 'nothing'],
		['a number that is masked', bulk, { to: '959*******' }, 'uncertain'],
		['a number that is missing', bulk, { to: undefined }, 'uncertain'],
		['a number without its country code', bulk, { to: '9779100001' }, 'found'],
		['a mask over another number', bulk, { to: '6591****34' }, 'nothing'],
		[
			'entities',
			toMessage({ message: "Tom & 'Co'" }),
			{ message: 'Tom &amp; &#39;Co&#39;' },
			'found',
		],
		['a cut text', toMessage(long), { message: 'Your order 1 is ready. Pl' }, 'uncertain'],
		['ciphertext', toMessage({ encrypt: 1 }), { message: 'A7==' }, 'found'],
	])('with %s', (_, message, changes, expected) => {
		expect(
			open(message)
				.find([record(changes)])
				.map(wordsOf),
		).toEqual([expected]);
	});

	test.each([
		['before the request', 20 * minute, 'nothing'],
		['yesterday', 24 * 60 * minute, 'nothing'],
		['a few minutes before it', 8 * minute, 'uncertain'],
		['in the future', -20 * minute, 'nothing'],
	])('is not what was created %s', (_, ago, expected) => {
		expect(open(bulk).find([record({}, ago)])).toEqual([expected]);
	});

	test('compares with what was sent, even if this attempt has another text or sender ID', () => {
		const doubt = { sent: { message: 'Before', from: 'Old', account: 'a' } };
		const message = toMessage({ message: 'Now', from: 'New' }, { note: { doubt } });
		const before = record({ message: 'Before', from: 'Old' });
		expect(open(message).find([before])).toEqual([before]);
		expect(open(message).find([record({ message: 'Before', from: 'New' })])).toEqual(['uncertain']);
	});

	test('gives one record to one of equal messages, and an exact one before any other', () => {
		const [one, exact] = [record(), record({ clientReference: own })];
		const twice = open(bulk, { messages: [bulk, toMessage()] });
		expect(twice.find([one])).toEqual([one, 'nothing']);
		const masked = record({ to: '9597791****1' });
		const both = { messages: [toMessage({ clientReference: 'n8n-lost' }), single] };
		expect(open(single, both).find([masked, exact])).toEqual(['uncertain', exact]);
	});

	test('has no record that the run or another one has claimed', () => {
		const account = randomUUID();
		const [first, second] = [record(), record()];
		open(bulk, { account, scope: 'other' }).history.claim(first);
		const { find, history } = open(bulk, { account });
		expect(find([first])).toEqual(['nothing']);
		expect(find([first, second])).toEqual([second]);
		history.claim(second);
		expect(find([first, second])).toEqual(['nothing']);
		expect([first, second].map((one) => history.isOwn(one))).toEqual([false, true]);
	});

	test('of which no request was made, takes another text for another message, not another sender ID', () => {
		const { find } = open(bulk);
		expect(find([record({ message: 'Hello!' })], false)).toEqual(['nothing']);
		expect(find([record({ from: 'Other' })], false)).toEqual(['uncertain']);
		expect(find([record({ to: '95977*****1' })], false)).toEqual(['uncertain']);
	});
});

describe('what Skip If Already Sent finds', () => {
	const dayMs = 24 * 60 * minute;
	const earlier = (message: Outgoing, records: MessageRecord[], more: Opened = {}) => {
		const found = open(message, { lookBackMs: 12 * 60 * minute, ...more }).findEarlier(records);
		const outcome = found.get(message);
		return outcome instanceof Error ? 'uncertain' : (outcome?.messageId ?? 'nothing');
	};

	test.each<[string, object, string]>([
		['number, text and sender ID', {}, 'a'],
		['the sender ID in another case', { from: 'MYSHOP' }, 'a'],
		['a masked number', { to: '95977*****1' }, 'uncertain'],
		['an ellipsis', { message: 'Hel…' }, 'uncertain'],
		['a rejection', { status: 'Rejected' }, 'nothing'],
	])('is in bulk with %s', (_, changes, expected) => {
		expect(earlier(bulk, [record({ messageId: 'a', ...changes })])).toBe(expected);
	});

	test('is by reference whatever the text and the time, for its number', () => {
		const named = { messageId: 'a', clientReference: 'ORDER-1', message: 'X' };
		expect(earlier(users(), [record(named, 3 * dayMs)], { lookBackMs: undefined })).toBe('a');
		expect(earlier(users(), [record({ ...named, to: other })])).toBe('nothing');
		expect(earlier(users(), [record({ ...named, to: '959*' })])).toBe('a');
		const messages = [users(), users({ to: other })];
		expect(earlier(messages[0], [record({ ...named, to: '959*' })], { messages })).toBe(
			'uncertain',
		);
	});

	test('is sent once more where it was not delivered, and not a third time', () => {
		const lost = record({ messageId: 'a', status: 'Undelivered' });
		expect(earlier(bulk, [lost])).toBe('nothing');
		expect(earlier(bulk, [lost, record({ messageId: 'b', status: 'Undelivered' })])).toBe('a');
		expect(earlier(bulk, [lost, record({ messageId: 'b' })])).toBe('b');
	});

	test('is the oldest of several', () => {
		const all = [record({ messageId: 'b' }), record({ messageId: 'a' }, 2 * minute)];
		expect(earlier(bulk, all)).toBe('a');
	});
});

describe('listing', () => {
	test('asks for what was created since a day before, in whatever zone', () => {
		expect(filtersSince(Date.parse('2026-03-02T23:00:00Z'))).toEqual({
			filterByCreatedDateFrom: '2026-03-01',
		});
		expect(filtersSince(-Infinity)).toEqual({});
	});
});
