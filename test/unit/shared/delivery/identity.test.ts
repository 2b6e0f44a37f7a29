import { contentsOf, keyOf } from '../../../../nodes/shared/delivery/identity';
import type { Channel, Outgoing } from '../../../../nodes/shared/delivery/Outgoing';

const base = { to: '959779100001', message: 'Hello', from: 'MyShop' };
const toMessage = (request: object = {}, more: object = {}) =>
	({ request: { ...base, ...request }, entry: {}, ...more }) as Outgoing;
const bulk = toMessage();
const single = toMessage({ clientReference: 'n8n-scope-0-abcdef' });
const users = (request: object = {}) =>
	toMessage({ clientReference: 'aB1', ...request }, { isUsersReference: true });
const channelOf = (hasReference: boolean): Channel => ({
	...{ hasReference, batchSize: 1, pauseMs: 0, lookBackMs: undefined },
	send: async () => await Promise.resolve({ each: [], isAccepted: false }),
});

describe("messages with one user's reference are sent one after the other", () => {
	const keys = (hasReference: boolean, messages: Outgoing[]) =>
		messages.map((one) => keyOf(one, channelOf(hasReference)));

	test.each<[string, Outgoing[]]>([
		[
			'to one number in any spelling',
			['+447911123456', '447911123456'].map((one) => users({ to: one })),
		],
		['in any case', ['aB1', 'Ab1'].map((one) => users({ clientReference: one }))],
	])('%s', (_, messages) => {
		const [one, other] = keys(true, messages);
		expect(one).toBe(other);
	});

	test('but not those with another one, nor with that of the node, nor bulk messages', () => {
		const named = [{}, { to: '959779100002' }, { test: 1 }, { clientReference: 'b' }];
		const all = keys(
			true,
			named.map((one) => users(one)),
		);
		expect(new Set(all).size).toBe(4);
		expect(keys(true, [single])).toEqual(['']);
		expect(keys(false, [bulk, users()])).toEqual(['', '']);
	});
});

describe('the content of messages that another run may have just sent', () => {
	const skipping = (request: object = {}) => toMessage(request, { isSkipping: true });
	const contents = (hasReference: boolean, ...messages: Outgoing[]) => [
		...contentsOf(messages, channelOf(hasReference)).values(),
	];

	test('is number, sender ID and text, counted where a run has equal ones', () => {
		const [one, other, ...changed] = contents(
			false,
			...[skipping(), skipping({ to: '+95 9779100001' })],
			...[
				skipping({ message: 'Hi' }),
				skipping({ from: 'Other' }),
				skipping({ to: '+6591234567' }),
			],
		);
		expect(other).toBe(one.replace(/0$/, '1'));
		expect(new Set([one, other, ...changed]).size).toBe(5);
	});

	test('is the call over MCP, and nothing for messages that history tells apart or that may repeat', () => {
		const called = toMessage({}, { entry: { call: 'tool key' } });
		expect(contents(true, called, skipping())).toEqual(['tool key']);
		expect(contents(false, bulk)).toEqual([]);
	});
});
