import { Expiring } from '../../../../nodes/shared/n8n/Expiring';

describe('Expiring', () => {
	test('knows what was set within its time, and nothing else', () => {
		const kept = new Expiring<string>(1000, 10);
		kept.set('a', 'first', { now: 100 });
		kept.set('a', 'second', { now: 600 });
		expect([kept.get('a', 1599), kept.get('a', 1600), kept.get('b', 600)]).toEqual([
			...['second', undefined, undefined],
		]);
		kept.delete('a');
		expect(kept.get('a', 600)).toBeUndefined();
	});

	test('forgets the oldest key when there are too many, and has no room before', () => {
		const kept = new Expiring<number>(1000, 2);
		kept.set('a', 1, { now: 1 });
		kept.set('b', 2, { now: 2 });
		kept.set('c', 3, { now: 3 });
		expect(['a', 'b', 'c'].map((key) => kept.get(key, 3))).toEqual([undefined, 2, 3]);
	});

	test('is bounded by the sum of its sizes, the oldest goes first', () => {
		const kept = new Expiring<number>(1000, 10);
		for (const n of [1, 2, 3]) kept.set(String(n), n, { size: 4 });
		expect([1, 2, 3].map((n) => kept.get(String(n)))).toEqual([undefined, 2, 3]);
		kept.set('2', 2);
		kept.set('4', 4, { size: 5 });
		expect([2, 3, 4].map((n) => kept.get(String(n)))).toEqual([2, 3, 4]);
	});

	test('forgets a value that is kept for less, and none when the clock is set', () => {
		const kept = new Expiring<string>(Infinity, 10);
		kept.set('a', 'one', { keepMs: 1000 });
		const [now, passed] = [Date.now(), performance.now()];
		jest.spyOn(Date, 'now').mockReturnValue(now + 3_600_000);
		expect(kept.get('a')).toBe('one');
		jest.spyOn(performance, 'now').mockReturnValue(passed + 1001);
		expect(kept.get('a')).toBeUndefined();
		jest.restoreAllMocks();
	});
});
