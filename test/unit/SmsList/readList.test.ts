import { readList } from '../../../nodes/SmsList/readList';

const phone = '09791234561';
const chosen = { phoneColumn: '', nameColumn: '', dateColumns: '', dateFormat: 'd MMM yyyy' };
/** The number of a day near this one, as Excel stores it. */
const day = Math.floor(Date.now() / 86_400_000) + 25_569 + 20;
const iso = new Date((day - 25_569) * 86_400_000).toISOString().slice(0, 10);

describe('readList', () => {
	test.each([
		['yyyy-MM-dd', '', [iso, `${iso} 12:00`, '09:30', 45_000, 12]],
		['yyyy-MM-dd', 'Due', [iso, day + 0.5, 0.395_833, 45_000, 12]],
		['yyyy-MM-dd', 'due, Price', [iso, day + 0.5, 0.395_833, '2023-03-15', 12]],
		['', '', [day, day + 0.5, 0.395_833, 45_000, 12]],
	])('writes days with %j and Date Columns %j', (dateFormat, dateColumns, cells) => {
		const rows = [
			['Name', 'Phone', 'Due', 'Visit', 'At', 'Price', 'Age'],
			['Aye', phone, day, day + 0.5, 0.395_833, 45_000, 12],
		];
		const { people } = readList(
			rows.map((row) => ({ row })),
			{ ...chosen, dateFormat, dateColumns },
		);
		const { Due, Visit, At, Price, Age } = people[0].json;
		expect([Due, Visit, At, Price, Age]).toEqual(cells);
	});

	test('gives columns of one name, and those of the own fields, names of their own', () => {
		const rows = [
			['phone', 'Note', 'Note', 'row', 'about'],
			[phone, 1, 2, 7, 3],
		];
		const { people, about } = readList(
			rows.map((row) => ({ row })),
			chosen,
		);
		expect(people[0].json).toEqual({
			...{ row: 2, phone, Note: 1, 'Note 2': 2, 'row 2': 7, 'about 2': 3 },
		});
		expect(about).toContain('No names were found.');
	});
});
