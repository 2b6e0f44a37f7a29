import type { IDataObject } from 'n8n-workflow';

import { runNode } from '../support/workflow/runWorkflow';

const rowsOf = (...rows: unknown[][]) => rows.map((row) => ({ row })) as IDataObject[];
const first = '09791234561';
const second = '09791234562';
const read = async (items: IDataObject[], parameters: IDataObject = {}, settings = {}) => {
	const node = {
		type: 'SmsList' as const,
		parameters: { dateFormat: 'd MMM yyyy', ...parameters },
	};
	return await runNode({ ...node, settings }, { items, credentials: {} });
};
const peopleOf = async (items: IDataObject[], parameters?: IDataObject) =>
	(await read(items, parameters)).json.map(({ about, ...json }) => (void about, json));

describe('SMS List', () => {
	test('finds numbers and names below titles, and keeps headers as they are spelled', async () => {
		const items = rowsOf(
			['City Clinic'],
			['', 'Printed on 1 Dec'],
			[],
			['No.', 'ဆရာဝန် Doctor', 'Phone No', 'Patient', 'Doctor Phone'],
			[1, ' Dr. Aung ', first, 'Aye', second],
			[],
			[2, 'Dr. Bo', ` ${second}`, 'Cho'],
			['No.', 'ဆရာဝန် Doctor', 'Phone No', 'Patient', 'Doctor Phone'],
			['Total', '', '', 2],
		);
		const { json, hints } = await read(items);
		expect(json[0]).toMatchObject({
			...{ row: 5, phone: first, name: 'Aye', 'ဆရာဝန် Doctor': 'Dr. Aung', 'No.': 1 },
		});
		expect(json[1]).toMatchObject({ row: 7, phone: second, name: 'Cho', 'Doctor Phone': '' });
		expect(json).toHaveLength(2);
		const about =
			'Phone numbers: the column "Phone No". Names: "Patient". Rows left out, with neither number nor name: 2. Phones not used: "Doctor Phone". To use one, enter its name in Phone Column of SMS List. All columns: "No.", "ဆရာဝန် Doctor", "Phone No", "Patient", "Doctor Phone".';
		expect(hints).toEqual([about]);
		expect(json.map((one) => one.about)).toEqual([about, undefined]);
	});

	test('takes items with columns, and rows without a header of phones', async () => {
		expect(await peopleOf([{ row_number: 4, Name: 'Aye', Contact: first }])).toEqual([
			{ row: 4, phone: first, name: 'Aye', Name: 'Aye', Contact: first },
		]);
		expect(await peopleOf([{ name: 'Aye', phone: first }])).toEqual([
			{ row: 2, phone: first, name: 'Aye' },
		]);
	});

	test('reads the columns that people choose', async () => {
		const items = rowsOf(['Name', 'Phone', 'Parent', 'Office'], ['Aye', first, 'Bo', second]);
		const [person] = await peopleOf(items, { phoneColumn: 'office', nameColumn: 'PARENT' });
		expect(person).toMatchObject({ phone: second, name: 'Bo', Name: 'Aye', Phone: first });
	});

	test.each([
		[[{}], {}, /^The file is empty$/],
		[
			rowsOf(['A', 'B'], ['x', 1]),
			{},
			/^No column with phone numbers was found\. The file begins with "A", "B", "x", "1"$/,
		],
		[
			rowsOf(['Name', 'Phone'], ['Aye', first]),
			{ phoneColumn: 'Tel' },
			/^No column "Tel" was found\. The file begins/,
		],
		[rowsOf(['Name', 'Phone'], ['Aye', first]), { nameColumn: 'X' }, /^No column "X" was found$/],
		[rowsOf(['Name;Phone'], ['Aye', ` Mg;${first}`]), {}, /are separated by semicolons or tabs$/],
		[
			rowsOf(['Name', 'Phone'], ['Aye', first]),
			{ dateColumns: 'Name, X' },
			/^No column "X" was found$/,
		],
		[rowsOf(['Name', 'Phone']), {}, /^The file has no rows below the column names$/],
		[[{ error: 'Bad file.' }], {}, /^The file could not be read: Bad file$/],
	])('refuses %j with %j', async (items, parameters, message) => {
		expect((await read(items as IDataObject[], parameters)).error?.message).toMatch(message);
		const { json } = await read(items as IDataObject[], parameters, {
			onError: 'continueRegularOutput',
		});
		expect(json[0].error).toEqual(expect.any(String));
	});
});
