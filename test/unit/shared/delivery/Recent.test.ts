import fc from 'fast-check';
import { Recent } from '../../../../nodes/shared/delivery/Recent';
import { toBatches, toRounds, type Outgoing } from '../../../../nodes/shared/delivery/Outgoing';

afterEach(() => jest.restoreAllMocks());

describe('what a process remembers', () => {
	test('is the last of its kind, until its time', () => {
		const recent = new Recent<string>(10);
		recent.set('a', 'one');
		recent.set('a', 'two', { keepMs: 1000 });
		expect([recent.get('a'), recent.get('b')]).toEqual(['two', undefined]);
		const [now, passed] = [Date.now(), performance.now()];
		jest.spyOn(Date, 'now').mockReturnValue(now + 3_600_000);
		expect(recent.get('a')).toBe('two');
		jest.spyOn(performance, 'now').mockReturnValue(passed + 1001);
		expect(recent.get('a')).toBeUndefined();
	});

	test('is bounded by the sum of its sizes, the oldest goes first', () => {
		const recent = new Recent<number>(10);
		for (const n of [1, 2, 3]) recent.set(String(n), n, { size: 4 });
		expect([1, 2, 3].map((n) => recent.get(String(n)))).toEqual([undefined, 2, 3]);
		recent.set('2', 2);
		recent.set('4', 4, { size: 5 });
		expect([2, 3, 4].map((n) => recent.get(String(n)))).toEqual([2, 3, 4]);
	});
});

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
