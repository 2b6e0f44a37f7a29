import { readList } from '../../../nodes/SmsList/readList';

const phone = '09791234561';
const chosen = { phoneColumn: '', nameColumn: '', dateColumns: '', dateFormat: 'd MMM yyyy' };
/** The number of a day near this one, as Excel stores it. */
const day = Math.floor(Date.now() / 86_400_000) + 25_569 + 20;
const iso = new Date((day - 25_569) * 86_400_000).toISOString().slice(0, 10);
const read = (rows: Array<Array<string | number>>, more = {}) =>
	readList(
		rows.map((row) => ({ row })),
		{ ...chosen, ...more },
	);

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
		const { people } = read(rows, { dateFormat, dateColumns });
		const { Due, Visit, At, Price, Age } = people[0].json;
		expect([Due, Visit, At, Price, Age]).toEqual(cells);
	});

	test.each([
		[['Invoice', 'Contact'], ['91234567', phone], phone],
		[['Invoice', 'Ph No.'], ['91234567', phone], phone],
		[['Invoice No', 'HP'], ['91234567', phone], phone],
		[['Salesman mobile', 'Number'], ['09781234562', phone], phone],
		[['Viber', 'Mobile No.'], ['09781234562', phone], phone],
		[['Contact', 'ဖုန်း'], ['09781234562', phone], phone],
		[['Phone', 'Driver phone'], ['0912', '09781234562'], '0912'],
		[['Phone', 'Viber'], ['0912', '09781234562'], '0912'],
		[['Phone', 'Viber'], ['-', '09781234562'], '09781234562'],
	])('reads %j and %j as the number %s', (head, cells, wanted) => {
		const usual = [phone, '09781234562'];
		const rows = [head, cells, ...(wanted === phone ? [] : [usual, usual])];
		const { people } = read(rows);
		expect(people[0].json.phone).toBe(wanted);
	});

	test('gives columns of one name, and those of the own fields, names of their own', () => {
		const rows = [
			['phone', 'Note', 'Note', 'row', 'about'],
			[phone, 1, 2, 7, 3],
		];
		const { people, about } = read(rows);
		expect(people[0].json).toEqual({
			...{ row: 2, phone, Note: 1, 'Note 2': 2, 'row 2': 7, 'about 2': 3 },
		});
		expect(about).toContain('Names: not found.');
	});
});
