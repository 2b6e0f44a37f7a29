import { MessagingServiceClient } from '../../../../nodes/shared/client/MessagingServiceClient';
import type { MessageRecord } from '../../../../nodes/shared/client/types';
import type { Outgoing } from '../../../../nodes/shared/delivery/Outgoing';
import { SingleChannel } from '../../../../nodes/shared/sending/SingleChannel';
import { openContext } from '../../../support/workflow/openContext';
import { useSandbox } from '../../../support/workflow/useSandbox';

describe('the channel of single messages', () => {
	const sandbox = useSandbox();
	const open = async () => {
		const limits = { parallelRequests: 5, timeout: 5000 };
		const client = await MessagingServiceClient.open(openContext(sandbox), limits);
		return new SingleChannel(client);
	};
	const own = 'n8n-scope-0-abcdef';
	const request = { to: '959779100001', message: 'Hello', from: 'MyShop', clientReference: own };
	const toOutgoing = (changes: object = {}, more: object = {}) =>
		({
			...{ request: { ...request, ...changes }, surface: 'rest', entry: { saved: {} } },
			...{ isUsersReference: false, ...more },
		}) as Outgoing;
	const users = { isUsersReference: true };

	test('sends one message with its reference, by either surface', async () => {
		const channel = await open();
		for (const surface of ['rest', 'http']) {
			const [record] = await channel.send([toOutgoing({}, { surface })]);
			expect(record).toMatchObject({ clientReference: own, status: 'Accepted' });
		}
		expect(sandbox.requests().map(({ path }) => path)).toEqual([
			...['/api/rest/send', '/api/http/send'],
		]);
		expect(sandbox.messages().map(({ to }) => to)).toHaveLength(2);
	});

	test('keeps apart what carries one reference of the user to one number, but not its own', async () => {
		const channel = await open();
		const keyOf = (changes: object) => channel.keyOf(toOutgoing(changes, users));
		expect(channel.keyOf(toOutgoing())).toBeUndefined();
		expect(keyOf({ to: '+959779100001' })).toBe(keyOf({}));
		const keys = [{}, { test: 1 }, { to: '959779100002' }, { clientReference: 'b' }].map(keyOf);
		expect(new Set(keys).size).toBe(4);
	});

	const record: MessageRecord = { to: request.to, message: 'Hello', from: 'MyShop' };
	test.each([
		[
			'our own reference, whatever else',
			{},
			{ clientReference: own, message: 'Changed' },
			'certain',
		],
		['another reference', {}, { clientReference: 'other' }, 'other'],
		['no reference, and the text', {}, { clientReference: null }, 'maybe'],
		['no reference, and another text', {}, { clientReference: '', message: 'Other' }, 'other'],
		["the user's reference and the text", users, { clientReference: own }, 'alike'],
		["the user's reference, another text", users, { clientReference: own, message: 'No' }, 'maybe'],
		["no reference where it is the user's", users, {}, 'maybe'],
	])('of a record with %s knows how like it is', async (_, more, changes, expected) => {
		const channel = await open();
		expect(channel.compare(toOutgoing({}, more), { ...record, ...changes })).toBe(expected);
	});

	test.each([
		['00042', '42'],
		['00042', 42],
		['order-007', ' ORDER-007 '],
	])('knows the reference %s of the user, listed as %j', async (clientReference, listed) => {
		const channel = await open();
		const message = toOutgoing({ clientReference }, users);
		const compare = (reference: unknown) =>
			channel.compare(message, { ...record, clientReference: reference } as MessageRecord);
		expect([listed, `${listed}0`].map(compare)).toEqual(['alike', 'other']);
	});

	test('knows the record of another retry of the execution, with and without its memory', async () => {
		const channel = await open();
		const isSame = (clientReference: string, more: object = {}, message = 'Hello') =>
			channel.isSame(toOutgoing({}, more), { ...record, clientReference, message });
		expect(isSame('n8n-scope-1-fedcba')).toBe(true);
		expect(isSame('n8n-scope-1-fedcba', {}, 'Other')).toBe(false);
		expect(isSame('n8n-scope-1-fedcba', users)).toBe(false);
		expect(isSame('n8n-other-1-fedcba')).toBe(false);
		const encrypted = { request: { ...toOutgoing().request, encrypt: 1 } };
		expect(isSame('n8n-scope-1-fedcba', encrypted, 'U2FsdGVk')).toBe(false);
		expect(isSame('1-n8n-scope-')).toBe(false);
		const compare = (clientReference: string) =>
			channel.compare(toOutgoing(), { ...record, clientReference });
		expect(compare(`${own}-execution`)).toBe('certain');
		expect(compare(`before-${own}`)).toBe('other');
	});

	test('compares with the text that was sent, and accepts any for one that is encrypted', async () => {
		const channel = await open();
		const entry = { saved: { sent: { message: 'Before' } } };
		const named = { ...record, clientReference: own };
		const compare = (message: string, changes: object, more: object) =>
			channel.compare(toOutgoing(changes, { ...users, ...more }), { ...named, message });
		expect(compare(' Before\r\n', {}, { entry })).toBe('alike');
		expect(compare('Hello', {}, { entry })).toBe('maybe');
		expect(compare('c2VjcmV0', { encrypt: 1 }, {})).toBe('alike');
	});

	test('skips for a record with its reference, and no test for the real message', async () => {
		const channel = await open();
		const isEarlier = (test: unknown, changes: object = {}) =>
			channel.isEarlier(toOutgoing(changes, users), { ...record, clientReference: own, test });
		expect([undefined, false, true, 1].map((test) => isEarlier(test))).toEqual([
			...[true, true, false, false],
		]);
		expect([undefined, true].map((test) => isEarlier(test, { test: 1 }))).toEqual([false, true]);
		expect(isEarlier(undefined, { clientReference: 'other' })).toBe(false);
	});
});
