import { readList } from '../../../nodes/SmsList/readList';

const phone = '09791234561';
const other = '09444000001';
const chosen = { phoneColumn: '', nameColumn: '', dateColumns: '', dateFormat: 'd MMM yyyy' };
const read = (rows: unknown[][], choices: Partial<typeof chosen> = {}) =>
	readList(
		rows.map((row) => ({ row })),
		{ ...chosen, ...choices },
	);
const numbers = (rows: unknown[][], phoneColumn = '') =>
	read(rows, { phoneColumn }).people.map(({ json }) => json.phone);
/** The number of a day near this one, as Excel stores it: a round one, like a price. */
const day = Math.ceil((Date.now() / 86_400_000 + 25_569) / 50) * 50;
const iso = new Date((day - 25_569) * 86_400_000).toISOString().slice(0, 10);

describe('readList', () => {
	test.each([
		['yyyy-MM-dd', '', [iso, `${iso} 12:00`, '09:30', 45_000, 12]],
		['yyyy-MM-dd', 'Due day', [iso, day + 0.5, 0.395_833, 45_000, 12]],
		['yyyy-MM-dd', 'due day, Price', [iso, day + 0.5, 0.395_833, '2023-03-15', 12]],
		['', '', [day, day + 0.5, 0.395_833, 45_000, 12]],
	])('writes days with %j and Date Columns %j', (dateFormat, dateColumns, cells) => {
		const rows = [
			['Name', 'Phone', 'Due day', 'Visit', 'At', 'Price', 'Age'],
			['Aye', phone, day, day + 0.5, 0.395_833, 45_000, 12],
		];
		const { people } = read(rows, { dateFormat, dateColumns });
		const { 'Due day': due, Visit, At, Price, Age } = people[0].json;
		expect([due, Visit, At, Price, Age]).toEqual(cells);
	});

	test.each([
		...['Phone', 'PhNo', 'ph:', 'Mobile No.', 'Contact Number', 'Customer Phone', 'H/P', 'Phone 1'],
		...['2nd phone', 'PHONE_NUMBER', "Patient's tel", 'ဖုန်းနံပါတ်', 'ဖုံး', 'ဖုန္း', 'ဖုန်း No'],
	])('sends to nobody but the person of the column %j', (own) => {
		for (const theirs of ['Trainer phone', 'Referred by phone', 'Phone (do not use)', 'X ဖုန်း'])
			for (const missing of ['', 'none', '9.79E+09']) {
				const wanted = [phone, missing, missing, missing];
				const rows = [[own, theirs, 'Name'], ...wanted.map((cell) => [cell, other, 'x'])];
				expect(numbers(rows)).toEqual(wanted);
				expect(numbers(rows.map((cells) => [...cells].reverse()))).toEqual(wanted);
			}
	});

	test('keeps the column names where most rows have no number', () => {
		const cells = [phone, 'none', 'none', 'no phone', 'Viber 979123', phone];
		const rows = [['Tel:', other], ['Name', 'Ph no'], ...cells.map((cell, at) => [`N${at}`, cell])];
		expect(numbers(rows)).toEqual(cells);
		const unknown = [['Name', 'Number'], ...rows.slice(2)];
		expect(() => read(unknown)).toThrow('No column with phone numbers was found');
		expect(numbers(unknown, 'Number')).toEqual(cells);
		const broken = [['Name', 'Father’s\nphone'], ...rows.slice(2)];
		expect(numbers(broken, "father's phone")).toEqual(cells);
		const withPhone = [['Name', 'Phone', other], ...rows.slice(2)];
		expect(numbers(withPhone, 'Phone')).toEqual(cells);
	});

	test.each([
		[['Invoice', 'Contact'], phone],
		[['Invoice No', 'HP'], phone],
		[['Salesman mobile', 'Number'], phone],
		[['Contact', 'ဖုန်း'], phone],
		[['Viber', 'Mobile No.'], phone],
		[['Phone 1', 'Phone 2'], other],
		[['Class', 'Parent phone'], phone],
		[['နည်းပြ ဖုန်း', 'Number'], phone],
	])('reads the right one of %j', (head, wanted) => {
		const row = [head[0] === 'Class' ? 'Yoga' : other, phone];
		expect(numbers([['City Clinic', '2027'], head, row, row])[0]).toBe(wanted);
	});

	test('asks which column where the headers do not tell', () => {
		const doctors = [
			['Name', 'Doctor Phone'],
			['Aye', other],
		];
		expect(() => read(doctors)).toThrow('The file begins with "Name", "Doctor Phone", "Aye"');
		const rows = [
			['Mother phone', 'Father phone', 'Name'],
			[phone, other, 'Aye'],
		];
		expect(() => read(rows)).toThrow(
			'Several columns have phone numbers: "Mother phone", "Father phone"',
		);
		expect(numbers(rows, 'father phone')).toEqual([other]);
	});

	test('takes the next column of the person where none was chosen, and counts it', () => {
		const rows = [
			['Second phone', 'Office Phone', 'Ph no'],
			[other, other, '0912'],
			[other, other, '-'],
			['', other, phone],
		];
		const { people, about } = read(rows);
		const found = people.map(({ json }) => [json.phone, json.phoneColumn]);
		expect(found).toEqual([
			['0912', undefined],
			[other, 'Second phone'],
			[phone, undefined],
		]);
		expect(about).toMatch(
			/^Phone numbers: the column "Ph no", and where it has none \(rows: 1\), "Second phone"\./,
		);
		expect(numbers(rows, 'Ph no')).toEqual(['0912', '-', phone]);
	});

	test.each([
		[['Class name', 'Member'], 'Aye'],
		[["Father's name", 'Student Name'], 'Aye'],
		[['Username', 'အမည်'], 'Aye'],
		[['Member', 'Name'], 'Aye'],
		[['Name', 'Member'], 'Tun'],
		[['Trainer name', 'Who'], 'Aye'],
	])('takes the name of the person from %j', (head, name) => {
		const { people } = read([
			[...head, 'Phone'],
			['Tun', 'Aye', phone],
		]);
		expect(people[0].json.name).toBe(name);
	});

	test.each([';', '\t'])('refuses columns in one cell, separated by %j, below a title', (by) => {
		const lines = ['Members 2027', 'Ph no;Name;Trainer phone', `${phone};Aye;${other}`];
		const rows = lines.map((line) => [line.replaceAll(';', by)]);
		expect(() => read(rows)).toThrow('separated by semicolons or tabs');
		expect(numbers([['Phone'], [`${phone}; ${other}`]])).toEqual([`${phone}; ${other}`]);
		const couples = ['Mya; Ko', 'Su; Ba', 'Aye'].map((name) => [name.replace(';', by), phone]);
		expect(numbers([['Name', 'Phone'], ...couples])).toEqual([phone, phone, phone]);
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
