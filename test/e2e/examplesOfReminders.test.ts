import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import type { WorkflowDefinition } from '../../scripts/n8n/n8nClient';
import type { Workflow } from '../../tools/harness';
import { ExampleRunner, formLogin, withOwnTables } from '../support/e2e/ExampleRunner';
import { sinceN8n2 } from '../support/e2e/sinceN8n2';
import { FormVisitor } from '../support/e2e/visitForm';
import { addRows, optOut, readRows } from '../support/e2e/dataTables';
import { type Cell, toExcel } from '../support/e2e/toExcel';

const now = DateTime.now().setZone('Asia/Yangon');
/** As the start of the evening says it. Before noon, the example reminds of today. */
const when = now.hour < 12 ? 'today' : 'tomorrow';
const due = now.plus({ days: when === 'today' ? 0 : 1 });
const later = due.plus({ days: 3 });
const inBurmese = (text: string) =>
	text.replace(/\d/g, (digit) => String.fromCharCode(0x1040 + Number(digit)));
const serial = Math.floor(due.setZone('utc', { keepLocalTime: true }).toMillis() / 864e5) + 25_569;

sinceN8n2('Data Table node that makes tables').describe('by a data table', () => {
	let runner: ExampleRunner;
	let workflow: Workflow;
	let table: string;
	let example: WorkflowDefinition;
	beforeAll(async () => {
		runner = await ExampleRunner.open();
	});
	beforeEach(async () => await runner.reset());
	afterAll(async () => await runner?.close());

	const open = async (name: string, creates: string) => {
		example = withOwnTables(name);
		const created = example.nodes.find((node) => node.name === creates);
		table = String(created?.parameters.tableName);
		workflow = await runner.import(example);
		const { error } = await runner.execute(workflow, 'Once: create the tables');
		expect(error).toBeUndefined();
	};
	const texts = () => runner.sandbox.messages().map(({ to, message }) => [to, message]);
	const start = async (trigger: string) => {
		const before = runner.mailbox.mails.length;
		expect((await runner.execute(workflow, trigger)).error).toBeUndefined();
		await runner.sandbox.advance(120_000);
		return runner.mailbox.mails
			.slice(before)
			.join('\n')
			.replace(/=\r?\n/g, '');
	};

	describe('unpaid-fees', () => {
		const monday = async () => await start('Every Monday at 9');

		test('reminds each row that is not paid, once a week, and emails who was not reminded', async () => {
			await open('unpaid-fees', 'Create Fees');
			const rows: IDataObject[] = [
				{ phone: '09791234561', name: 'Aye', amount: 45_000, paid: false },
				// Two children with one phone, a paid one, one who opted out, and one without an amount.
				{ phone: '09791234561', name: 'Bo', amount: 45_000 },
				{ phone: '09791234562', name: 'Cho', amount: 45_000, paid: true },
				{ phone: '09791234563', name: 'Di', amount: 45_000 },
				{ phone: '09791234564', name: 'Ei', amount: 0 },
			];
			for (const row of rows) await addRows(runner, table, [row]);
			await optOut(runner, '979 123 4563');
			const mail = await monday();
			const fee = 'your school fee of 45,000 MMK is not paid yet.';
			const expected = ['Aye', 'Bo'].map((who) => [
				'959791234561',
				expect.stringContaining(`Hello ${who}, ${fee}`),
			]);
			expect(texts()).toEqual(expected);
			expect(mail).toContain('2 accepted, 1 not sent, 0 unknown');
			expect(mail).toMatch(/\(Ei, 09791234564\)/);
			expect(mail).toMatch(/Opted out, not sent \(1\)\s+Item 3 \(Di, 959791234563\)/);
			await monday();
			expect(texts()).toEqual(expected);
		});

		test('sends nothing where a table of opt-outs has only a similar name, and says so', async () => {
			await open('unpaid-fees', 'Create Fees');
			await addRows(runner, table, [{ phone: '09791234561', name: 'Aye', amount: 45_000 }]);
			const tableName = `${runner.tableOf('SMS opt-outs').slice(0, -1)}`;
			workflow = await runner.import(withOwnTables('unpaid-fees'), {
				'Create Fees': { tableName: table },
				'Create SMS opt-outs': { tableName },
			});
			expect(await monday()).toMatch(/Do Not Send To/);
			expect(texts()).toEqual([]);
		});
	});

	describe('appointment-reminders', () => {
		const evening = async () => await start('Evening and morning');
		const name = 'appointment-reminders';
		const message = (who: string, time: string) =>
			`Hello ${who}, we look forward to seeing you ${when} at ${time}.`;
		const add = async (...rows: IDataObject[]) => await addRows(runner, table, rows);
		const row = (n: number, who: string, date: string, time = '9:00'): IDataObject => ({
			...{ phone: `0979123456${n}`, name: who, date, time },
		});

		test('reminds those of the day, however it was typed, and emails whose date is not one', async () => {
			await open(name, 'Create Appointments');
			const iso = due.toISODate() ?? '';
			await add(
				row(1, 'Aye', iso, '9:00 am'),
				row(1, 'Bo', iso, '9:00 am'),
				row(2, 'Cho', due.toFormat('d/M/yyyy'), '၉ နာရီ'),
				row(3, 'Di', inBurmese(due.toFormat('d.M.yyyy'))),
				row(4, 'Ei', later.toISODate() ?? ''),
				row(5, 'Fo', 'soon'),
				row(6, 'Gi', iso),
				{ ...row(7, 'Hla', iso), phone: 'nobody' },
			);
			await optOut(runner, '09791234566');
			const mail = await evening();
			expect(texts().sort()).toEqual([
				['959791234561', message('Aye', '9:00 am')],
				['959791234561', message('Bo', '9:00 am')],
				['959791234562', message('Cho', '၉ နာရီ')],
				['959791234563', message('Di', '9:00')],
			]);
			expect(mail).toContain('4 accepted, 1 not sent, 0 unknown');
			expect(mail).toMatch(/their date in the data table:\s+Row 6: Fo, 09791234565, date: soon\s/);
			expect(mail).toMatch(/\(Hla, nobody\)/);
			expect(mail).toMatch(/\(Gi, 959791234566\)/);
		});

		test('reminds of nothing twice, of a new time, and in the morning in other words', async () => {
			await open(name, 'Create Appointments');
			const startIn = async (hours: number) => {
				const timezone = `Etc/GMT${(-hours).toLocaleString('en', { signDisplay: 'always' })}`;
				workflow = await runner.import({ ...example, settings: { ...example.settings, timezone } });
				return await evening();
			};
			// Where it is 22 o'clock; three zones further it is the next day.
			const zone = ((34 - now.toUTC().hour) % 24) - 12;
			const day = now.toUTC().plus({ hours: zone + 3 });
			await add(row(1, 'Aye', day.toISODate() ?? ''));
			await startIn(zone);
			expect(await startIn(zone)).toBe('');
			await add(row(1, 'Aye', day.toISODate() ?? '', '15:00'));
			await startIn(zone + 3);
			expect(texts().map(([, text]) => text)).toEqual([
				message('Aye', '9:00').replace(when, 'tomorrow'),
				message('Aye', '15:00').replace(when, 'today'),
			]);
		});

		test('sends at the next start what the service did not take', async () => {
			await open(name, 'Create Appointments');
			await add(row(1, 'Aye', due.toISODate() ?? ''));
			await runner.disconnect();
			expect(await evening()).toContain('0 accepted, 1 not sent');
			await runner.reconnect();
			expect(await evening()).toContain('1 accepted, 0 not sent');
			expect(texts()).toHaveLength(1);
		});

		const upload = async (rows: Cell[][], choice = 'Replace the appointments') => {
			const form = workflow.nodes.find(({ type }) => type.endsWith('.formTrigger'));
			const visitor = await FormVisitor.open(runner.n8n.url, form?.webhookId ?? '', formLogin);
			await visitor.submit({ 'field-0': toExcel(rows) });
			const before = visitor.text;
			if (before.includes('What now?'))
				await visitor.submit({ 'field-0': JSON.stringify([choice]) });
			return [before, visitor.text];
		};

		test('takes a file whose headings have other words, after it was shown, and keeps typed rows', async () => {
			await open(name, 'Create Appointments');
			await runner.n8n.api.activate(workflow.id);
			await add(row(9, 'Typed', later.toISODate() ?? ''));
			const rows: Cell[][] = [
				['Clinic of Dr. Su', '', '', '', ''],
				['Patient', 'Mobile', 'Date', 'Appointment date', 'Time', 'ဆရာဝန် Doctor'],
				['Aye', 9791234561, '', serial, 0.375, 'Dr. Su'],
				['Bo', '09791234562', '1/1/2020', due.toFormat('d/M/yyyy'), '3 pm', ''],
			];
			const [page, result] = await upload(rows);
			expect(page).toMatch(/2 appointments in the file[^]*Dates: column Appointment date\./);
			expect(page).toContain(`Aye, 9791234561, ${due.toISODate()}, 09:00, Dr. Su`);
			expect(result).toContain('2 appointments stored');
			expect((await upload(rows, 'Cancel'))[1]).toContain('Nothing was changed');
			const gym: Cell[][] = [
				['Name', 'Phone', 'Updated', 'Class date', 'Yoga (at 18:00)'],
				['Aye', '09791234561', '1/1/2020', due.toISODate() ?? '', 'x'],
			];
			const [cells] = await upload(gym, 'Cancel');
			expect(cells).toContain('Dates: column Class date.');
			expect(cells).toContain(`Aye, 09791234561, ${due.toISODate()}, , `);
			expect((await upload([['Class'], ['4A']]))[1]).toMatch(
				/Nothing was changed[^]*No column with phone numbers/,
			);
			expect((await upload(rows.slice(0, 3)))[1]).toContain('1 appointments stored');
			const stored = (await readRows(runner, table)).map(({ name, time }) => [name, time]);
			expect(stored).toEqual([
				['Typed', '9:00'],
				['Aye', '09:00'],
			]);
			await evening();
			expect(texts()).toEqual([['959791234561', message('Aye', '09:00')]]);
		});
	});
});

sinceN8n2('forms as the examples use them').describe('results-are-ready', () => {
	test('texts the person in the form, once a day, and nobody who opted out', async () => {
		await ExampleRunner.use({}, async (runner) => {
			const open = await runner.publishForm('results-are-ready', {}, formLogin);
			const send = async (phone: string, name: string) => {
				const visitor = await open();
				await visitor.submit({ 'field-0': phone, 'field-1': name });
				await runner.sandbox.advance(120_000);
				return visitor.text;
			};
			expect(await send('၀၉၇၉၁၂၃၄၅၆၁', 'Aye')).toContain('1 accepted, 0 not sent');
			expect(await send('၀၉၇၉၁၂၃၄၅၆၁', 'Aye')).toContain('0 accepted, 1 already sent');
			await optOut(runner, '09791234562');
			expect(await send('09 791 234 562', 'Bo')).toMatch(/Opt-outs +1 person/);
			expect(await send('0979', 'Cho')).toContain('0 accepted, 1 not sent');
			expect(runner.sandbox.messages().map(({ to, message }) => [to, message])).toEqual([
				['959791234561', expect.stringMatching(/^Hello Aye, your results are ready\./)],
			]);
		});
	});
});
