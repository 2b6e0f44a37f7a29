import fc from 'fast-check';

import { BulkChannel, collapse } from '../../../nodes/SmsBulkSend/BulkChannel';
import { MessagingServiceClient } from '../../../nodes/shared/client/MessagingServiceClient';
import type { Outgoing } from '../../../nodes/shared/delivery/Outgoing';
import { openContext } from '../../support/workflow/openContext';
import { useSandbox } from '../../support/workflow/useSandbox';
import { answerJson, useStandIn } from '../../support/workflow/useStandIn';

const unlike = fc.uniqueArray(
	fc.record({
		to: fc.constantFrom('959779100001', '959779100002', '+6591234567'),
		message: fc.constantFrom('One', 'Two', ' Three\n'),
		from: fc.constantFrom('Shop', 'SHOP'),
	}),
	{
		maxLength: 18,
		selector: ({ to, message, from }) => JSON.stringify([to, message, from]),
	},
);

describe('collapse', () => {
	test('keeps every message once', () => {
		fc.assert(
			fc.property(unlike, (messages) => {
				const entries = collapse(messages);
				const all = entries.flatMap(({ to, ...text }) =>
					to.map((number) => ({ to: number, ...text })),
				);
				expect(all).toHaveLength(messages.length);
				expect(all).toEqual(expect.arrayContaining(messages));
				const texts = entries.map(({ message, from }) => JSON.stringify([message, from]));
				expect(new Set(texts).size).toBe(texts.length);
			}),
		);
	});
});

const numbers = ['959779100001', '959779100002', '959779100003'];
const toOutgoing = (to: string, message = 'Hello') =>
	({ request: { to, message, from: 'MyShop' }, entry: { saved: {} } }) as Outgoing;
const values = { lookBackHours: 2, pauseBetweenRequests: 7, recipientsPerRequest: 50 };
const open = async (service: { baseUrl: string; apiKey: string; apiSecret: string }) => {
	const context = openContext(service, { type: 'SmsBulkSend' });
	const client = await MessagingServiceClient.open(context, { parallelRequests: 5, timeout: 5000 });
	return new BulkChannel(client, values);
};

describe('the channel of bulk requests', () => {
	const sandbox = useSandbox();

	test('has the size, the pause and the look back of the options', async () => {
		expect(await open(sandbox)).toMatchObject({ batchSize: 50, pauseMs: 7, lookBackMs: 7_200_000 });
	});

	test('sends one text to many in one entry, and finds the record of each', async () => {
		const channel = await open(sandbox);
		const responses = await channel.send(numbers.map((to) => toOutgoing(to)));
		expect(responses).toMatchObject(numbers.map((to) => ({ to, status: 'Accepted' })));
		const [request] = sandbox.requests();
		expect(request.body).toMatchObject({ messages: [{ to: numbers }] });
	});

	test('keeps messages apart by number, sender ID and text', async () => {
		const channel = await open(sandbox);
		const keyOf = (message: Outgoing) => channel.keyOf(message);
		const [one, other] = numbers.map((to) => toOutgoing(to));
		expect(keyOf(one)).toBe(keyOf(toOutgoing(numbers[0])));
		expect(new Set([one, other, toOutgoing(numbers[0], 'hello')].map(keyOf)).size).toBe(3);
	});

	test('recognizes a message in history by text and sender ID, and never one with a reference', async () => {
		const channel = await open(sandbox);
		const message = toOutgoing(numbers[0]);
		await channel.send([message]);
		const record = { to: numbers[0], message: ' Hello ', from: 'MyShop' };
		expect(channel.compare(message, record, true)).toBe('alike');
		expect(channel.compare(message, { ...record, clientReference: 'x' }, true)).toBe('other');
		// A service that changes texts.
		expect(channel.compare(message, { ...record, message: 'Hello!' }, true)).toBe('maybe');
		expect(channel.compare(message, { ...record, message: 'Hello!' }, false)).toBe('other');
		expect(channel.compare(message, { ...record, from: 'Other' }, true)).toBe('maybe');
	});

	test('does not mistake the record of another message of the run for this one', async () => {
		const channel = await open(sandbox);
		const message = toOutgoing(numbers[0]);
		await channel.send([message, toOutgoing(numbers[0], 'Other')]);
		const record = { to: numbers[0], message: 'Other', from: 'MyShop' };
		expect(channel.compare(message, record, true)).toBe('other');
	});

	test('compares with the text that was sent, whatever the next attempt makes of it', async () => {
		const channel = await open(sandbox);
		const sent = { message: 'At 9:00', from: 'MyShop', account: 'a' };
		const message = {
			...toOutgoing(numbers[0], 'At 9:01'),
			entry: { saved: { sent } },
		} as Outgoing;
		const record = { to: numbers[0], message: 'At 9:00', from: 'MyShop' };
		expect(channel.compare(message, record, true)).toBe('alike');
	});

	test('skips for a record with number, text and sender ID that is not a rejection and no test', async () => {
		const channel = await open(sandbox);
		const message = toOutgoing(numbers[0]);
		const record = { to: numbers[0], message: 'Hello', from: 'MyShop', status: 'Sent' };
		const isEarlier = (changes: object) => channel.isEarlier(message, { ...record, ...changes });
		expect([{}, { status: false }, { test: 1 }, { from: 'Other' }].map(isEarlier)).toEqual([
			...[true, false, false, false],
		]);
	});
});

describe('the responses to a bulk request', () => {
	const standIn = useStandIn();
	const respond = async (messages: object[], count = 2) => {
		standIn.answer = () => answerJson(200, { messages });
		const channel = await open(standIn);
		return await channel.send(numbers.slice(0, count).map((to) => toOutgoing(to)));
	};
	const refusal = { status: false, message: 'Invalid Sender ID' };
	const acceptance = { messageId: 'a', to: numbers[0], message: 'Hello', status: 'Accepted' };
	const refused = { kind: 'rejected', facts: { words: 'Invalid Sender ID' } };

	test('reads a single rejection without a number as that of the whole request', async () => {
		await expect(respond([refusal])).rejects.toMatchObject(refused);
	});

	test('reads it as that of the one message that was sent', async () => {
		expect(await respond([refusal], 1)).toMatchObject([refused]);
	});

	test('are an acceptance, a rejection, or nothing where a message is left out', async () => {
		const named = { ...refusal, to: numbers[1] };
		expect(await respond([acceptance, named], 3)).toMatchObject([acceptance, refused, undefined]);
	});

	test('are nothing for a record without an ID or a status', async () => {
		const broken = { ...acceptance, to: numbers[1], messageId: undefined };
		expect(await respond([acceptance, broken])).toMatchObject([acceptance, undefined]);
	});
});
