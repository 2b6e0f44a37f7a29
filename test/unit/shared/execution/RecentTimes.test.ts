import { RecentTimes } from '../../../../nodes/shared/execution/RecentTimes';

describe('RecentTimes', () => {
	test('knows what happened within its window, and nothing else', () => {
		const times = new RecentTimes(1000, 10);
		times.add('a', 100, 5);
		times.add('a', 600, 5);
		expect(times.of('a', 1000)).toEqual([100, 600]);
		expect(times.of('a', 1100)).toEqual([600]);
		expect(times.of('b', 1000)).toEqual([]);
	});

	test('keeps so many of the newest times of a key, one where nothing is said', () => {
		const times = new RecentTimes(1000, 10);
		for (const now of [1, 2, 3]) times.add('a', now, 2);
		expect(times.of('a', 3)).toEqual([2, 3]);
		times.add('a', 4);
		expect(times.of('a', 4)).toEqual([4]);
	});

	test('forgets the oldest key when there are too many, and has no room before', () => {
		const times = new RecentTimes(1000, 2);
		times.add('a', 1);
		times.add('b', 2);
		expect([times.hasRoomFor('c', 3), times.hasRoomFor('a', 3)]).toEqual([false, true]);
		expect(times.oldest()).toBe(1);
		times.add('c', 3);
		expect([times.of('a', 3), times.of('b', 3), times.of('c', 3)]).toEqual([[], [2], [3]]);
		expect(times.hasRoomFor('d', 5000)).toBe(true);
		expect(times.size).toBe(0);
	});

	test('cancels one time', () => {
		const times = new RecentTimes(1000, 2);
		times.add('a', 1, 5);
		times.add('a', 2, 5);
		times.remove('a', 2);
		expect(times.of('a', 3)).toEqual([1]);
		times.remove('a', 1);
		expect(times.size).toBe(0);
	});
});
