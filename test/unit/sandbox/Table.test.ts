import { Table } from '../../../sandbox/Table';

test('Table forgets what it drops, copies what it shows, and tells of changes', () => {
	let changes = 0;
	const onChange = () => (changes += 1);
	const table = new Table<{ id: number }>({ key: ({ id }) => id, onChange });
	let dropped = 0;
	for (let id = 0; id < 2_000; id += 1) dropped += table.insert({ id }, 100).length;
	expect(table.size).toBeLessThanOrEqual(200);
	expect(dropped).toBe(2_000 - table.size);
	expect([table.find(0), table.find(1_999)]).toEqual([undefined, { id: 1_999 }]);
	const [copy] = table.copy();
	copy!.id = -1;
	expect(table.find(-1)).toBeUndefined();
	expect(table.list()[0]!.id).toBe(2_000 - table.size);
	table.clear();
	expect([table.size, changes]).toEqual([0, 2_001]);
});
