import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { projectFolder } from '../../scripts/n8n/paths';
import { ExampleRunner, formLogin } from '../support/e2e/ExampleRunner';
import { type Answers, forBuilders, type FormVisitor } from '../support/e2e/visitForm';
import { sinceN8n2 } from '../support/e2e/sinceN8n2';
import { addRows, optOut } from '../support/e2e/dataTables';
import { toExcel, toWorkbook } from '../support/e2e/toExcel';

const name = 'bulk-from-spreadsheet';
/** Rows of a CSV file, or another file. */
type Content = string[] | Buffer<ArrayBuffer> | File;

sinceN8n2('forms as the examples use them').describe('bulk-from-spreadsheet', () => {
	let runner: ExampleRunner;
	let open: () => Promise<FormVisitor>;
	beforeAll(async () => {
		runner = await ExampleRunner.open();
	});
	beforeEach(async () => {
		await runner.reset();
		open = await runner.publishForm(name, {}, formLogin);
	});
	afterAll(async () => await runner?.close());

	const toFile = (content: Content) => {
		if (content instanceof File) return content;
		const bytes = Buffer.isBuffer(content) ? content : content.join('\n');
		return new File([bytes], 'customers.csv', { type: 'text/csv' });
	};
	/** @returns the page before anything is sent, or why nothing can be */
	const upload = async (content: Content, answers: Answers = {}) => {
		const before = runner.sandbox.messages().length;
		const visitor = await open();
		await visitor.submit({ 'field-0': toFile(content), ...answers });
		expect(runner.sandbox.messages()).toHaveLength(before);
		expect(visitor.text).not.toMatch(forBuilders);
		return visitor;
	};
	const choose = async (visitor: FormVisitor, choice: string) => {
		await visitor.submit({ 'field-0': JSON.stringify([choice]) });
		expect(visitor.text).not.toMatch(forBuilders);
		return visitor.text;
	};
	const send = 'Send the messages';
	const sent = () => runner.sandbox.messages().map(({ to, message }) => [to, message]);
	/** A line of the table of counts. */
	const rowOf = ({ text }: FormVisitor, name: string) =>
		new RegExp(`${name} {2,}(.+?) {2,}`).exec(text.replaceAll('\n', ' '))?.[1].trim();
	const file = [
		...['phone,name', '09791234561,Aye', 'nobody,Bo', '+95 9 791-234-563,Cho'],
		...['09000000011,Dewi', ',Ei', '၀၉၇၉၁၂၃၄၅၆၁,Aye Aye', '+6591234567,Gi'],
		'၀၉၇၉၁၂၃၄၅၆၁,Aye',
	];
	const two = ['phone,name', '09791234561,Aye', '09791234562,Bo'];

	test('shows what would be sent, what it costs and what is wrong, and sends just that', async () => {
		runner.sandbox.configure({ balance: 1_050 });
		const page = await upload(file);
		const counts = {
			...{ Items: '8', 'Messages to send': '5', Sender: 'MyShop', Balance: '1,050 MMK' },
			...{ Wrong: '2', 'Opt-outs': '0 people', Duplicates: '1' },
			Cost: '100 MMK (20 MMK per part, and other prices abroad (1))',
		};
		for (const [name, value] of Object.entries(counts)) expect(rowOf(page, name)).toBe(value);
		expect(page.text).toContain('Hello Aye, our shop is open on Sunday.');
		expect(page.text).toMatch(/Row 3 \(Bo, nobody\)/);
		expect(page.text).toContain('Sheet: the first. One sheet is read.');
		expect(page.text).toMatch(/All columns: "phone", "name"/);
		expect(page.text.indexOf('What now?')).toBeLessThan(page.text.indexOf('Items'));
		const result = await choose(page, send);
		expect(result).toContain('4 accepted, 3 not sent, 0 unknown');
		expect(result).toMatch(/Invalid Sender ID[^]*Row 5 \(Dewi, 959000000011\)/);
		await page.reload();
		expect(page.text).toContain('This result was shown once');
		expect(sent()).toEqual(
			['Aye', 'Cho', 'Aye Aye', 'Gi'].map((who) => [
				expect.stringMatching(/^(95979123456[13]|6591234567)$/),
				`Hello ${who}, our shop is open on Sunday.`,
			]),
		);
	});

	test('sends nothing after Cancel', async () => {
		expect(await choose(await upload(file), 'Cancel')).toContain('Nothing was sent');
		expect(sent()).toEqual([]);
	});

	test('skips what was sent in the last 6 days, with its day, unless told to send it, too', async () => {
		await choose(await upload(two.slice(0, 2)), send);
		runner.sandbox.seedMessages(1, () => ({
			...{ messageId: 'old', to: '959791234562', from: 'MyShop', status: 'Delivered' },
			...{ message: 'Hello Bo, our shop is open on Sunday.', createdAtMs: Date.now() - 4 * 864e5 },
		}));
		await runner.sandbox.advance(120_000);
		const again = await upload(two);
		expect(rowOf(again, 'Messages to send')).toBe('0');
		expect(again.text).toMatch(/Already sent in the last 6 days, not sent again \(2\)/);
		const day = new Date(Date.now() - 4 * 864e5 + 6.5 * 36e5).toISOString().slice(0, 10);
		expect(again.text).toMatch(new RegExp(`sent on ${day}[^]*Row 3 \\(Bo, 959791234562\\)`));
		expect(await choose(again, send)).toContain('0 accepted, 2 already sent');
		expect(sent()).toHaveLength(2);
		const too = await choose(await upload(two), 'Send to those who got it before today, too');
		expect(too).toContain('1 accepted, 1 already sent');
		const numbers = sent().map(([to]) => to);
		expect(numbers.sort()).toEqual(['959791234561', '959791234562', '959791234562']);
	});

	test('reads Excel below titles: a sheet, dates, numbers without their 0, and another phone', async () => {
		const rows = [
			['Sunshine School', '', '', ''],
			['အမည်', 'ဖုန်း', 'Viber', 'Day'],
			['Aye', 9791234561, '', 46_000],
			['', '', '', ''],
			['Bo', '', '09791234562', 46_001],
		];
		const book = toWorkbook({ Primary: [['phone'], ['09791234567']], 'Class 4': rows });
		const page = await upload(book, { 'field-1': 'Class 4' });
		expect(rowOf(page, 'Messages to send')).toBe('2');
		expect(page.text).toContain('Sheet: Class 4.');
		expect(await choose(page, send)).toContain('2 accepted, 0 not sent');
		expect(sent().map(([to]) => to)).toEqual(['959791234561', '959791234562']);
		expect((await upload(book, { 'field-1': 'Class 9' })).text).toMatch(
			/Nothing was sent[^]*could not be read/,
		);
	});

	test('texts nobody who opted out, and nobody at all without the right table', async () => {
		await upload(two);
		await optOut(runner, '0979 123 4562');
		const page = await upload(two);
		expect(rowOf(page, 'Opt-outs')).toBe('1 person');
		expect(page.text).toMatch(/Opted out, not sent \(1\)[^]*Row 3 \(Bo, 959791234562\)/);
		await choose(page, send);
		expect(sent().map(([to]) => to)).toEqual(['959791234561']);
		await addRows(runner, runner.tableOf('SMS opt-outs'), [{ phone: 'nobody' }]);
		const wrong = await upload(two);
		expect(wrong.text).toMatch(/Nothing was sent[^]*not phone numbers: \S*nobody/);
	});

	test('sends the sample file, but for the rows that are wrong on purpose', async () => {
		const sample = readFileSync(join(projectFolder, 'examples/customers.csv'), 'utf8');
		const page = await upload(sample.split('\n'));
		expect(page.text).toMatch(/Row 5 \(\S+.*9607771234\)/);
		expect(await choose(page, send)).toContain('3 accepted, 1 not sent, 0 unknown');
	});

	test('keeps apart what may have been sent', async () => {
		const page = await upload(['phone,name', '09791234562,Bo']);
		const match = { path: '/rest/send/bulk', contains: '959791234562' };
		runner.sandbox.addFault({ match, when: 'after', effect: 'cut' });
		// From the lookups after the send on: those before it find history.
		const lookups = { match: { path: '/rest/messages' }, skip: 1, effect: { status: 403 } };
		runner.sandbox.addFault(lookups);
		await page.submit({ 'field-0': JSON.stringify([send]) });
		expect(page.text).toMatch(/0 accepted, 0 not sent, 1 unknown[^]*Row 2 \(Bo, 959791234562\)/);
		expect(sent()).toHaveLength(1);
	});

	test.each<[string, Content | (() => File), RegExp]>([
		['a header alone', ['phone,name'], /no rows below the column names/],
		['nothing', () => toExcel([]), /empty/],
		['semicolons', ['phone;name', '09791234561;Aye'], /separated by semicolons/],
		['no column names', ['09791234561,Aye', '09791234562,Bo'], /begins with "09791234561"/],
		['half a workbook', () => new File(['PK\u0003\u0004'], 'list.xlsx'), /could not be read/],
	])('says what is wrong with a file with %s', async (_, content, words) => {
		const page = await upload(typeof content === 'function' ? content() : content);
		expect(page.text).toContain('Nothing was sent');
		expect(page.text).toMatch(words);
	});
});
