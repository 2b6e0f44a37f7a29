import { Table } from '../../../sandbox/Table';

interface Entry {
	id: number;
	at: number;
}

describe('Table', () => {
	let changes: number;
	let table: Table<Entry>;
	beforeEach(() => {
		changes = 0;
		table = new Table<Entry>({
			key: ({ id }) => id,
			compare: (a, b) => a.at - b.at,
			onChange: () => (changes += 1),
		});
	});
	const fill = (count: number) =>
		table.insert(Array.from({ length: count }, (_, id) => ({ id, at: id })));
	const idsOf = (entries: Entry[]) => entries.map(({ id }) => id);

	test('keeps the newest, and finds none of those that were dropped', () => {
		for (let id = 0; id < 2_000; id += 1) table.insert({ id, at: id }, 100);
		expect(table.size).toBeLessThanOrEqual(200);
		expect(table.find(1_999)).toEqual({ id: 1_999, at: 1_999 });
		expect(table.find(0)).toBeUndefined();
	});

	test('returns what it drops', () => {
		fill(5);
		expect(idsOf(table.keepNewest(2))).toEqual([0, 1, 2]);
		expect(idsOf(table.list())).toEqual([3, 4]);
	});

	test('has in order what came late', () => {
		table.insert([
			{ id: 1, at: 10 },
			{ id: 2, at: 5 },
			{ id: 3, at: 7 },
		]);
		expect(idsOf(table.list())).toEqual([2, 3, 1]);
		expect(table.findNewest(({ at }) => at < 10)?.id).toBe(3);
	});

	test('finds the newest of several with one key', () => {
		table.insert([
			{ id: 1, at: 1 },
			{ id: 1, at: 2 },
		]);
		table.keepNewest(1);
		expect(table.find(1)?.at).toBe(2);
	});

	test('copies the newest that match, oldest first', () => {
		fill(1_200);
		const copies = table.copy(({ id }) => id % 2 === 0, 550);
		table.clear();
		expect(copies).toHaveLength(550);
		expect([copies[0]!.id, copies.at(-1)!.id]).toEqual([100, 1_198]);
	});

	test('searches newest first, and counts all', () => {
		fill(5_000);
		const { shown, total } = table.search(({ id }) => id % 10 === 0, 3);
		expect([idsOf(shown), total]).toEqual([[4_990, 4_980, 4_970], 500]);
	});

	test('tells of changes', () => {
		fill(3);
		table.clear();
		expect([table.size, changes]).toEqual([0, 2]);
	});
});
