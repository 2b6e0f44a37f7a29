import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { DateTime } from 'luxon';

import { readExample } from '../../scripts/n8n/examples';
import { projectFolder } from '../../scripts/n8n/paths';
import { ExampleRunner, formLogin } from '../support/e2e/ExampleRunner';
import { type Answers, forBuilders, type FormVisitor } from '../support/e2e/visitForm';
import { sinceN8n2 } from '../support/e2e/sinceN8n2';
import { optOut } from '../support/e2e/dataTables';
import { toExcel, toWorkbook } from '../support/e2e/toExcel';

const name = 'bulk-from-spreadsheet';
/** Rows of a CSV file, or the bytes of one, or another file. */
type Content = string | string[] | Buffer<ArrayBuffer> | File | (() => File);

sinceN8n2('forms as the examples use them').describe('bulk-from-spreadsheet', () => {
	let runner: ExampleRunner;
	beforeAll(async () => {
		runner = await ExampleRunner.open();
	});
	beforeEach(async () => await runner.reset());
	afterAll(async () => await runner?.close());

	const check = (visitor: FormVisitor) => {
		expect(visitor.text).not.toMatch(forBuilders);
		// Names of the node's fields and of n8n, which the person who uploads never saw.
		expect(visitor.text).not.toMatch(/\bTo (is|has)\b|\bitem\b/);
		return visitor.text;
	};
	const toFile = (content: Content) => {
		if (content instanceof File) return content;
		if (typeof content === 'function') return content();
		const bytes = Buffer.isBuffer(content) ? content : [content].flat().join('\n');
		return new File([bytes], 'customers.csv', { type: 'text/csv' });
	};
	/** @returns the page before anything is sent, or why nothing can be */
	const upload = async (content: Content) => {
		const visitor = await runner.visit(name, {}, formLogin);
		await visitor.submit({ 'field-0': toFile(content) });
		expect(runner.sandbox.messages().map(({ to }) => to)).toEqual([]);
		check(visitor);
		return visitor;
	};
	const choose = async (visitor: FormVisitor, choice: string) => {
		await visitor.submit({ 'field-0': JSON.stringify([choice]) });
		return check(visitor);
	};
	const uploadAndSend = async (content: Content) =>
		await choose(await upload(content), 'Send the messages');
	const sent = () => runner.sandbox.messages().map(({ to, message }) => [to, message]);
	const file = [
		'phone,name',
		'09791234561,Aye',
		'nobody,Bo',
		'+95 9 791-234-563,Cho',
		'09000000011,Dewi',
		',Ei',
		'9607771234,Fo',
		'၀၉၇၉၁၂၃၄၅၆၁,Aye Aye',
		'+6591234567,Gi',
		'၀၉၇၉၁၂၃၄၅၆၁,Aye',
	];

	/** A line of the table of counts. */
	const rowOf = (text: string, name: string) =>
		new RegExp(`${name} {2,}(.+?) {2,}`).exec(text.replaceAll('\n', ' '))?.[1].trim();

	test('shows before anything is sent what would be, what it costs, and what is wrong by row', async () => {
		runner.sandbox.configure({ balance: 1_050 });
		const { text } = await upload(file);
		for (const [name, value] of [
			['Rows in the file', '9'],
			['Messages to send', '5 (numbers with more than one text: 1)'],
			['Parts', '5'],
			['Cost', '100 MMK (20 MMK per part), and other prices for 1 abroad'],
			['Balance', '1,050 MMK'],
			['Wrong', '3'],
			['The same twice', '1'],
			['Already sent', '0'],
		])
			expect(rowOf(text, name)).toBe(value);
		expect(text).toContain('Hello Aye, our shop is open on Sunday.');
		const [wrong, twice] = text.split('The same text twice to one number');
		expect(wrong).toContain('Wrong in the file, not sent (3)');
		expect(wrong).toMatch(
			/2 rows: this is not a phone number\s+Rows 3 \(Bo, nobody\), 6 \(Ei, no number\)/,
		);
		expect(wrong).toMatch(/1 row: this could be two numbers: .+\s+Row 7 \(Fo, 9607771234\)/);
		expect(twice).toMatch(/sent once \(1\)[^]*Row 10 /);
	});

	test('sends what the page showed, each text once to a number, and says what the service rejected', async () => {
		const page = await uploadAndSend(file);
		expect(page).toContain('4 accepted, 1 not sent, 0 unknown');
		expect(page).toMatch(/1 row: .*Invalid Sender ID.*\s+Row 5 \(Dewi, 09000000011\)/);
		expect(page).not.toContain('Unknown');
		expect(sent()).toEqual([
			['959791234561', 'Hello Aye, our shop is open on Sunday.'],
			['959791234563', 'Hello Cho, our shop is open on Sunday.'],
			['959791234561', 'Hello Aye Aye, our shop is open on Sunday.'],
			['6591234567', 'Hello Gi, our shop is open on Sunday.'],
		]);
	});

	test('reads an Excel file: numbers as texts or not, empty rows, and its row numbers', async () => {
		// Cut to 30 characters, the emoji is the last and stays whole.
		const longName = `${'C'.repeat(29)}\u{1F600}`;
		const excel = toExcel(
			[
				[' Phone', 'NAME '],
				['09791234561', 'Aye'],
				['', ''],
				// A number that lost its leading 0, one with its country code, and one that is wrong.
				[9791234562, 'Bo'],
				[959791234563, `${longName} of the shop`],
				['nobody', 'Dewi'],
			],
			'Customers.XLSX',
		);
		const visitor = await upload(excel);
		expect(rowOf(visitor.text, 'Rows in the file')).toBe('4');
		expect(rowOf(visitor.text, 'Messages to send')).toBe('3');
		expect(visitor.text).toMatch(/this is not a phone number\s+Row 6 \(Dewi, nobody\)/);
		expect(await choose(visitor, 'Send the messages')).toContain('3 accepted, 0 not sent');
		expect(sent()).toEqual([
			['959791234561', 'Hello Aye, our shop is open on Sunday.'],
			['959791234562', 'Hello Bo, our shop is open on Sunday.'],
			['959791234563', `Hello ${longName}, our shop is open on Sunday.`],
		]);
	});

	test('shows dates and times of Excel as people write them, unless the numbers are kept', async () => {
		const serial = Math.floor(Date.now() / 86_400_000) + 25_569 + 20;
		const list = [
			['Phone', 'Name', 'Date', 'Time', 'Amount'],
			['09791234561', 'Aye', serial, 0.375, 45_000],
			['09791234562', 'Bo', serial + 1, 0.5, 46_000],
			['09791234563', '', serial + 2, 0.5, 47_000],
		];
		const message =
			'=Hello {{ $json.name }}, see you on {{ $json.date }} at {{ $json.time }}. Pay {{ $json.amount }}.';
		const changes = { 'Check messages': { message } };
		const open = await runner.publishForm(name, changes, formLogin);
		const send = async (answers: Answers) => {
			const visitor = await open();
			await visitor.submit({ 'field-0': toExcel(list), ...answers });
			return visitor;
		};
		const day = (n: number) =>
			DateTime.fromMillis((serial + n - 25_569) * 86_400_000, { zone: 'utc' }).toFormat(
				'd MMM yyyy',
			);
		const { text } = await send({});
		expect(text).toContain(`Date looks like Excel dates: ${serial} = ${day(0)}.`);
		expect(text).toContain('Time looks like Excel dates: 0.375 = 09:00.');
		expect(text).toContain(`Hello Aye, see you on ${day(0)} at 09:00. Pay 45000.`);
		expect(text).toMatch(/name is empty\s+Row 4 \(09791234563\)/);
		const kept = await send({ 'field-2': JSON.stringify(['Keep numbers as they are']) });
		expect(kept.text).toContain(`Hello Aye, see you on ${serial} at 0.375. Pay 45000.`);
		expect(kept.text).not.toContain('looks like');
	});

	test('reads the sheet that the form names, and says which others the file has', async () => {
		const book = (...sheets: string[]) =>
			toWorkbook(
				Object.fromEntries(
					sheets.map((sheet, n) => [
						sheet,
						[
							['Sunshine School', ''],
							['ဖုန်း', 'အမည်'],
							[`0979123456${n}`, 'Aye'],
						],
					]),
				),
			);
		const open = await runner.publishForm(name, {}, formLogin);
		const read = async (sheet: string) => {
			const visitor = await open();
			await visitor.submit({ 'field-0': book('Primary', 'High & "Old" School'), 'field-1': sheet });
			return check(visitor);
		};
		const others = 'Upload the file again for each.';
		const first = await read('');
		expect(first).toContain('Sheet Primary: 1 row.');
		expect(first).toMatch(/Other sheets: High &\S+; "Old" School\. Upload the file again for each/);
		expect(first).toContain('to 959791234560');
		const second = await read(' high & "old" school');
		expect(second).toContain(`Other sheets: Primary. ${others}`);
		expect(second).toContain('to 959791234561');
		expect(await read('Class 9')).toContain('The file has no sheet "Class 9". Its sheets are');
		expect(runner.sandbox.messages()).toEqual([]);
	});

	test('makes the table of opt-outs, says so, and texts nobody in it', async () => {
		await ExampleRunner.use({}, async (own) => {
			const open = await own.publishForm(name, {}, formLogin);
			const read = async () => {
				const visitor = await open();
				const rows = ['phone,name', '09791234561,Aye', '09791234562,Bo'];
				await visitor.submit({ 'field-0': toFile(rows) });
				return visitor;
			};
			const made = await read();
			expect(rowOf(made.text, 'Opt-outs')).toContain('0 people. The table SMS opt-outs did not');
			await optOut(own, '0979 123 4562');
			const later = await read();
			expect(rowOf(later.text, 'Opt-outs')).toBe('1 person');
			expect(later.text).toMatch(/Opted out, not sent \(1\)[^]*Row 3 \(Bo, 09791234562\)/);
			await choose(later, 'Send the messages');
			expect(own.sandbox.messages().map(({ to }) => to)).toEqual(['959791234561']);
		});
	});

	test('says that all were sent before, and not that something failed', async () => {
		const open = await runner.publishForm(name, {}, formLogin);
		const read = async () => {
			const visitor = await open();
			await visitor.submit({ 'field-0': toFile(['phone,name', '09791234561,Aye']) });
			return visitor;
		};
		await choose(await read(), 'Send the messages');
		await runner.sandbox.advance(120_000);
		const { text } = await read();
		expect(text).toContain('Nothing new to send: 1 were already sent');
		expect(text).toMatch(/the status is Delivered\s+Row 2 \(Aye, 09791234561\)/);
		const [{ messageId }] = runner.sandbox.messages();
		await runner.sandbox.setStatus(messageId, 'Failed');
		const again = await read();
		expect(again.text).toMatch(/Not delivered, sent again \(1\)[^]*Failed\s+Row 2 \(Aye/);
	});

	test('sends nothing of an Excel file that breaks off', async () => {
		const whole = Buffer.from(
			await toExcel([
				['phone', 'name'],
				['09791234561', 'Aye'],
			]).arrayBuffer(),
		);
		const cut = new File([whole.subarray(0, whole.length / 2)], 'list.xlsx');
		expect((await upload(cut)).text).toContain('The Excel file could not be read.');
	});

	test('warns of letters that could not be read, before anything is sent', async () => {
		const windows1252 = Buffer.from('phone,name\n09791234561,Andr\u00E9', 'latin1');
		const visitor = await upload(windows1252);
		expect(visitor.text).toContain('save the file as .xlsx or as CSV UTF-8');
	});

	test('sends nothing after Cancel', async () => {
		expect(await choose(await upload(file), 'Cancel')).toContain('Nothing was sent');
		expect(sent()).toEqual([]);
	});

	test('skips what was accepted when the corrected file is uploaded again', async () => {
		const open = await runner.publishForm(name, {}, formLogin);
		const uploadAgain = async (content: string[]) => {
			const visitor = await open();
			await visitor.submit({ 'field-0': toFile(content) });
			return visitor;
		};
		await choose(
			await uploadAgain(['phone,name', '09791234561,Aye', 'nobody,Bo']),
			'Send the messages',
		);
		await runner.sandbox.advance(120_000);
		const again = await uploadAgain(['phone,name', '09791234561,Aye', '09791234562,Bo']);
		expect(rowOf(again.text, 'Messages to send')).toBe('1');
		expect(again.text).toMatch(/Already sent in the last 24 hours, not sent again \(1\)[^]*Row 2 /);
		await choose(again, 'Send the messages');
		expect(sent().map(([to]) => to)).toEqual(['959791234561', '959791234562']);
	});

	test('names the limit of parts where a text is too long, and where to raise it', async () => {
		const message = `=${'မင်္ဂလာပါ '.repeat(24)}{{ $json.name }}`;
		const open = await runner.publishForm(name, { 'Check messages': { message } }, formLogin);
		const visitor = await open();
		await visitor.submit({ 'field-0': toFile(['phone,name', '09791234561,Aye']) });
		expect(visitor.text).toMatch(/4 parts[^]*Max Parts[^]*Row 2 \(Aye, 09791234561\)/);
		expect(runner.sandbox.messages()).toEqual([]);
	});

	test('says how much balance is missing, or that it cannot be read', async () => {
		runner.sandbox.configure({ balance: 30 });
		expect(rowOf((await upload(file)).text, 'Balance')).toBe('30 MMK: 70 MMK short');
		await runner.reset();
		runner.sandbox.addFault({
			match: { path: '/rest/account/get-balance' },
			effect: { status: 403 },
		});
		expect(rowOf((await upload(file)).text, 'Balance')).toBe('could not be read');
	});

	test('sends the sample file, but for the rows that are wrong on purpose', async () => {
		const visitor = await upload(
			readFileSync(join(projectFolder, 'examples/customers.csv'), 'utf8'),
		);
		expect(visitor.text).toMatch(/this could be two numbers[^]*Row 5 \(\S+.*9607771234\)/);
		expect(visitor.text).toMatch(/sent once[^]*Row 6 \(\S+.*09 791 234 563\)/);
		const page = await choose(visitor, 'Send the messages');
		expect(page).toContain('3 accepted, 0 not sent, 0 unknown');
	});

	test('keeps apart what nobody knows the outcome of, and asks not to upload it again', async () => {
		const visitor = await upload(['phone,name', '09791234562,Bo', 'nobody,Cho']);
		// From the lookups after the send on: those before it find history.
		const match = { path: '/rest/send/bulk', contains: '959791234562' };
		runner.sandbox.addFault({ match, when: 'after', effect: 'cut' });
		runner.sandbox.addFault({
			match: { path: '/rest/messages' },
			skip: 1,
			effect: { status: 403 },
		});
		const page = await choose(visitor, 'Send the messages');
		expect(page).toContain('0 accepted, 0 not sent, 1 unknown');
		expect(page).toMatch(/Unknown: may[^]*do not upload them again\s+Row 2 \(Bo, 09791234562\)/);
		expect(runner.sandbox.messages().map(({ to }) => to)).toHaveLength(1);
	});

	test.each<[string, Content]>([
		['nothing but a header', 'phone,name'],
		['nothing but a header and empty rows', 'phone,name\n,\n ,'],
		['nothing but the names of columns in Excel', () => toExcel([['phone', 'name']])],
	])('says of a file with %s that it has no rows', async (_, content) => {
		const { text: page } = await upload(content);
		expect(page).toContain('Nothing was sent');
		expect(page).toContain('The file has no rows below the column names');
	});

	test.each<[string, Content]>([
		['nothing at all in it', '\n'],
		['an empty sheet', () => toExcel([])],
	])('says of a file with %s that it is empty', async (_, content) => {
		const { text: page } = await upload(content);
		expect(page).toContain('Nothing was sent');
		expect(page).toContain('is empty.');
	});

	test.each<[string, Content, string]>([
		['a file with semicolons', 'phone;name\n09791234561;Aye', '"phone;name"'],
		['an Excel file', () => toExcel([['Class', '', 'Pupil'], ['4A']]), '"Class", "Pupil"'],
		['a file without names', '09791234561,Aye\n09791234562,Bo', '"09791234561", "Aye"'],
	])('says what it found instead of phone numbers in %s', async (_, content, columns) => {
		const { text: page } = await upload(content);
		expect(page).toContain('Nothing was sent');
		expect(page).toContain('No column with phone numbers was found.');
		expect(page).toContain(`The file begins with ${columns}`);
		expect(runner.sandbox.requests().map(({ path }) => path)).toEqual([]);
	});

	test.each([
		['a row that breaks off', 'phone,name\n09791234561,Aye\n"09791234562,Bo'],
		['a row with too many cells', 'phone,name\n09791234561,Aye\n09791234562,Bo,Yangon'],
	])('sends nothing of a file with %s', async (_, content) => {
		expect((await upload(content)).text).toContain('The CSV file could not be read.');
		expect(runner.sandbox.requests().map(({ path }) => path)).toEqual([]);
	});

	test('reads what spreadsheets write: a byte order mark, capitals, spaces, and empty rows', async () => {
		const rows = ['\uFEFF Phone ,NAME', ',', '09791234561, Aye ', ',', 'nobody,Bo'];
		const visitor = await upload(rows);
		expect(visitor.text).toContain('Row 5 (Bo, nobody)');
		expect(await choose(visitor, 'Send the messages')).toContain('1 accepted, 0 not sent');
		expect(sent()).toEqual([['959791234561', 'Hello Aye, our shop is open on Sunday.']]);
	});

	test('opens for nobody without its login, and costs what it may', async () => {
		await uploadAndSend(['phone,name', `09791234561,${'x'.repeat(5_000)}`]);
		// n8n registers a form for GET before it does so for POST; by now both are there.
		const form = readExample(name).nodes.find(({ type }) => type.endsWith('.formTrigger'));
		const url = `${runner.n8n.url}/form/${runner.addressOf(form?.webhookId ?? '')}`;
		expect((await runner.n8n.api.http.get(url)).status).toBe(401);
		expect((await runner.n8n.api.http.post(url, new FormData())).status).toBe(401);
		expect(runner.sandbox.messages()).toMatchObject([{ messageCount: 1 }]);
	});
});
