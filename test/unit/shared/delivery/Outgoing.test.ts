import fc from 'fast-check';
import { toBatches, toRounds, type Outgoing } from '../../../../nodes/shared/delivery/Outgoing';

describe('Outgoing', () => {
	const toOutgoing = (to: string) => ({ request: { to } }) as Outgoing;
	const numbersOf = (groups: Outgoing[][]) =>
		groups.map((group) => group.map(({ request }) => request.to));

	describe('messages with the same key', () => {
		test('are in different rounds, all others in the first', () => {
			const messages = ['a', 'b', 'a', 'a', 'b', 'c'].map(toOutgoing);
			expect(numbersOf(toRounds(messages, ({ request }) => request.to))).toEqual([
				...[['a', 'b', 'c'], ['a', 'b'], ['a']],
			]);
			expect(numbersOf(toRounds(messages, () => undefined))).toEqual([
				['a', 'b', 'a', 'a', 'b', 'c'],
			]);
			expect(toRounds([], () => 'key')).toEqual([]);
		});
	});

	test('batches hold every message once, in order, and no more than their size', () => {
		fc.assert(
			fc.property(fc.array(fc.string()), fc.integer({ min: 1, max: 9 }), (keys, size) => {
				const batches = toBatches(keys.map(toOutgoing), size);
				expect(numbersOf(batches).flat()).toEqual(keys);
				for (const batch of batches) expect(batch.length).toBeGreaterThan(0);
				for (const batch of batches.slice(0, -1)) expect(batch).toHaveLength(size);
				expect(batches.at(-1)?.length ?? 0).toBeLessThanOrEqual(size);
			}),
		);
	});
});
