import { Recent } from '../../../../nodes/shared/delivery/Recent';

afterEach(() => jest.restoreAllMocks());

describe('what a process remembers', () => {
	test('is the last of its kind, until its time', () => {
		const recent = new Recent<string>(10);
		recent.set('a', 'one');
		recent.set('a', 'two', { until: Date.now() + 1000 });
		expect([recent.get('a'), recent.get('b')]).toEqual(['two', undefined]);
		const now = Date.now();
		jest.spyOn(Date, 'now').mockReturnValue(now + 1001);
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
