import { readExample } from '../../scripts/n8n/examples';
import { runCode } from '../support/unit/runCode';

type Cell = string | number;
interface Read {
	problem: string;
	rows: Array<Record<string, unknown>>;
	hints: string[];
}

/** What example 03 reads from a sheet. */
function read(sheet: Cell[][], { isExcel = true, others = [] as string[] } = {}): Read {
	const nodes = {
		'Upload a file': [{}],
		...(isExcel && { 'Read Excel': [{}], Sheets: [{ name: 'Primary', others }] }),
	};
	const input = sheet.map((row) => ({ row }));
	return runCode('bulk-from-spreadsheet', 'Read the rows', { input, nodes })[0] as never;
}
const people = (rows: Read['rows']) => rows.map(({ row, phone, name }) => [row, phone, name]);

describe('a file as the spreadsheet examples read it', () => {
	test('begins below titles, at the row with the column of phone numbers', () => {
		const { problem, rows, hints } = read([
			['Sunshine School', '', ''],
			['Phone list 2026', '', ''],
			['', '', ''],
			['Class', 'Student', 'Mobile of the mother'],
			['4A', 'Aye', '09791234561'],
			['4A', 'Bo', '09 791 234 562'],
		]);
		expect(problem).toBe('');
		expect(people(rows)).toEqual([
			[5, '09791234561', 'Aye'],
			[6, '09 791 234 562', 'Bo'],
		]);
		expect(hints).toContain(
			'Columns: phone numbers in "Mobile of the mother", names in "Student".',
		);
	});

	test.each([
		['ဖုန်းနံပါတ်', 'အမည်'],
		['ဆက်သွယ်ရန်', 'ကလေး'],
	])('has Burmese column names, %s and %s, which the page repeats', (phone, name) => {
		const { rows, hints } = read([
			['စဉ်', name, phone],
			[1, 'အေးအေး', '၀၉၇၉၁၂၃၄၅၆၁'],
			[2, 'ဘိုဘို', '၀၉၇၉၁၂၃၄၅၆၂'],
		]);
		expect(people(rows)).toEqual([
			[2, '၀၉၇၉၁၂၃၄၅၆၁', 'အေးအေး'],
			[3, '၀၉၇၉၁၂၃၄၅၆၂', 'ဘိုဘို'],
		]);
		expect(hints).toContain(`Columns: phone numbers in "${phone}", names in "${name}".`);
	});

	test('says which sheet was read, and which others the file has', () => {
		const { hints } = read(
			[
				['phone', 'name'],
				['09791234561', 'Aye'],
			],
			{ others: ['High School'] },
		);
		expect(hints[0]).toBe(
			'Sheet Primary: 1 row. Other sheets: High School. Upload the file again for each.',
		);
	});

	test('keeps wrong numbers as rows, also in the first row', () => {
		const { rows } = read([
			['phone', 'name'],
			['nobody', 'Bo'],
			['', 'Cho'],
			['09791234561', 'Aye'],
		]);
		expect(people(rows)).toEqual([
			[2, 'nobody', 'Bo'],
			[3, '', 'Cho'],
			[4, '09791234561', 'Aye'],
		]);
	});

	test('names a second column of numbers, which gets nothing', () => {
		const { hints } = read([
			['Name', 'Phone', "Father's number"],
			['Aye', '09791234561', '09791234571'],
			['Bo', '09791234562', '09791234572'],
		]);
		expect(hints).toContain('Not used: the numbers in "Father\'s number".');
	});

	test.each([true, false])(
		'without phone numbers is refused in its own words, Excel %s',
		(isExcel) => {
			const { problem } = read([['Mobile', 'Customer']].concat([['1234', 'Aye']]), { isExcel });
			const { problem: none } = read([['Amount;Customer'], ['4000;Aye']], { isExcel });
			expect(problem).toBe('');
			expect(none).toContain('No column with phone numbers was found.');
			expect(none.includes('CSV')).toBe(!isExcel);
			expect(none).toContain('"Amount;Customer"');
		},
	);

	test('is no list without column names', () => {
		const { problem } = read([
			['09791234561', 'Aye'],
			['09791234562', 'Bo'],
		]);
		expect(problem).toContain('No column with phone numbers was found. Put the column names');
	});
});

test('checks and sends by the same limits, which stand once', () => {
	const { nodes } = readExample('bulk-from-spreadsheet');
	const [checking, sending] = nodes
		.filter(({ type }) => type.endsWith('.smsBulkSend'))
		.map(({ parameters }) => parameters.options as Record<string, unknown>);
	for (const limit of ['maxParts', 'maxMessages'])
		expect(sending[limit]).toBe(`={{ $('Check messages').params.options.${limit} }}`);
	for (const option of ['skipDuplicates', 'skipIfAlreadySent', 'lookBackHours'])
		expect(sending[option]).toBe(checking[option]);
	expect(checking.lookBackHours).toBe(24);
});

test('is read alike by each example that takes a file', () => {
	const codeOf = (name: string, node: string) => {
		const { nodes } = readExample(name);
		const code = String(nodes.find((one) => one.name === node)?.parameters.jsCode);
		return code.slice(0, code.indexOf('\n};\n', code.indexOf('const findProblem')));
	};
	const [first, ...others] = [
		codeOf('bulk-from-spreadsheet', 'Read the rows'),
		codeOf('reminders-from-a-spreadsheet', 'Reminders'),
		codeOf('ask-many-people', 'Read the rows'),
	];
	expect(first.length).toBeGreaterThan(2_000);
	for (const other of others) expect(other).toBe(first);
});

test('has a column of appointments, found by what it holds', () => {
	jest.useFakeTimers().setSystemTime(new Date('2027-01-20T03:00:00Z'));
	const sheet = [
		['Clinic of Dr. Su', '', ''],
		['လူနာ', 'ဖုန်း', 'ရက်'],
		['Aye', '09791234561', '2027-01-31 09:00'],
		['Bo', '09791234561', '2027-01-31 09:00'],
	];
	const nodes = {
		'Upload a file': [{}],
		Texts: [{ language: 'en' }],
		...{ 'Read Excel': [{}], Sheets: [{ name: 'Sheet1', others: [] }] },
	};
	const input = sheet.map((row) => ({ row }));
	const [read] = runCode('reminders-from-a-spreadsheet', 'Reminders', { input, nodes });
	jest.useRealTimers();
	expect(read.problem).toBe('');
	const { reminders } = read as unknown as { reminders: Array<Record<string, string>> };
	expect(reminders.map(({ name, sendAt }) => [name, sendAt.slice(0, 16)])).toEqual([
		['Aye', '2027-01-30T09:00'],
		['Bo', '2027-01-30T09:00'],
	]);
	const references = reminders.map(({ reference }) => reference);
	expect(new Set(references).size).toBe(2);
	for (const reference of references) expect(reference.length).toBeLessThanOrEqual(50);
});
