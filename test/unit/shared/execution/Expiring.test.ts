import { Expiring } from '../../../../nodes/shared/execution/Expiring';

describe('Expiring', () => {
	test('knows what was set within its time, and nothing else', () => {
		const kept = new Expiring<string>(1000, 10);
		kept.set('a', 'first', 100);
		kept.set('a', 'second', 600);
		expect([kept.get('a', 1599), kept.get('a', 1600), kept.get('b', 600)]).toEqual([
			...['second', undefined, undefined],
		]);
		kept.delete('a');
		expect(kept.get('a', 600)).toBeUndefined();
	});

	test('forgets the oldest key when there are too many, and has no room before', () => {
		const kept = new Expiring<number>(1000, 2);
		kept.set('a', 1, 1);
		kept.set('b', 2, 2);
		expect([kept.hasRoomFor('c', 3), kept.hasRoomFor('a', 3)]).toEqual([false, true]);
		expect(kept.roomFrom).toBe(1001);
		kept.set('c', 3, 3);
		expect(['a', 'b', 'c'].map((key) => kept.get(key, 3))).toEqual([undefined, 2, 3]);
		expect(kept.hasRoomFor('d', 5000)).toBe(true);
		expect(kept.size).toBe(0);
	});
});
