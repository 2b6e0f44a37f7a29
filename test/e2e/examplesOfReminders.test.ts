import type { IDataObject } from 'n8n-workflow';

import {
	ExampleRunner,
	formLogin,
	inBurmese,
	withOwnTables,
	type Changes,
} from '../support/e2e/ExampleRunner';
import { sinceN8n2 } from '../support/e2e/sinceN8n2';
import { FormVisitor } from '../support/e2e/visitForm';
import { every } from '../support/e2e/Week';
import { addRows, optOut, readTable } from '../support/e2e/dataTables';
import { toExcel } from '../support/e2e/toExcel';

const name = 'reminders-from-a-spreadsheet';
const header = ['phone', 'name', 'appointment', 'timeZone'];
const dayMs = 86_400_000;
const toDay = (at: number) => new Date(at).toISOString().slice(0, 10);
const inDays = (days: number) => toDay(Date.now() + days * dayMs);
const rowsOn = (day: string) => [
	['09791234561', 'Aye', `${day} 09:00`, ''],
	['+6591234567', 'Gi', `${day} 15:30`, 'Asia/Singapore'],
	['+821012345678', 'Jo', `${day} 09:00`, 'Asia/Seoul'],
	['', '', '', ''],
	['nobody', 'Bo', `${day} 09:00`, ''],
	['09791234562', 'Cho', '24.12.2030', ''],
	['09791234563', 'Di', '2020-12-24 09:00', ''],
	['09791234564', 'Ei', '2999-12-24 09:00', ''],
];

const toCsv = (rows: string[][]) =>
	new File([[header, ...rows].map((row) => row.join(',')).join('\n')], 'week.csv', {
		type: 'text/csv',
	});

sinceN8n2('Data Table node that makes tables').describe('unpaid-fees', () => {
	let runner: ExampleRunner;
	beforeAll(async () => {
		runner = await ExampleRunner.open();
	});
	afterAll(async () => await runner?.close());

	test('reminds each row that is not paid, each Monday, until nobody is left', async () => {
		const example = withOwnTables('unpaid-fees');
		const created = example.nodes.find((node) => node.name === 'Create the table');
		const fees = String(created?.parameters.tableName);
		const workflow = await runner.import(example);
		expect((await runner.execute(workflow, 'Once: create SMS opt-outs')).error).toBeUndefined();
		const add = async (row: IDataObject) => await addRows(runner, fees, [row]);
		await add({ phone: '09791234561', name: 'Aye', amount: 45_000, paid: false });
		// Two children with one phone, a paid one, one who opted out, and one without an amount.
		await add({ phone: '09791234561', name: 'Bo', amount: 45_000 });
		await add({ phone: '09791234562', name: 'Cho', amount: 45_000, paid: true });
		await add({ phone: '09791234563', name: 'Di', amount: 45_000 });
		await add({ phone: '09791234564', name: 'Ei', amount: 0 });
		await optOut(runner, '979 123 4563');
		const longAgo = new Date(Date.now() - 40 * dayMs).toISOString();
		await addRows(runner, runner.tableOf('SMS runs'), [{ workflow: 'old', time: longAgo }]);
		const monday = async () => await runner.execute(workflow, 'Every Monday at 9');
		expect((await monday()).error).toBeUndefined();
		const texts = () => runner.sandbox.messages().map(({ to, message }) => [to, message]);
		const fee = 'your school fee of 45,000 MMK is not paid yet.';
		expect(texts()).toEqual([
			['959791234561', expect.stringContaining(`Hello Aye, ${fee}`)],
			['959791234561', expect.stringContaining(`Hello Bo, ${fee}`)],
		]);
		await runner.sandbox.advance(120_000);
		expect((await monday()).error).toBeUndefined();
		expect(texts()).toHaveLength(2);
		const runs = await readTable(runner, 'SMS runs');
		expect(runs).toMatchObject([
			{ sent: 2, skipped: 1, unknown: 0, notSent: 1 },
			{ sent: 0, skipped: 3, unknown: 0, notSent: 1 },
		]);
	});
});

sinceN8n2('forms as the examples use them').describe(name, () => {
	let runner: ExampleRunner;
	beforeAll(async () => {
		runner = await ExampleRunner.open();
	});
	beforeEach(async () => await runner.reset());
	afterAll(async () => await runner?.close());

	const publish = async (changes: Changes = {}) => {
		const workflow = await runner.import(name, changes);
		expect((await runner.execute(workflow, 'Once: create SMS opt-outs')).error).toBeUndefined();
		const open = await runner.publishForm(name, changes, formLogin);
		/** @returns what the page before shows, and the last page */
		return async (file: File) => {
			const visitor = await open();
			await visitor.submit({ 'field-0': file });
			const before = visitor.text;
			if (!before.includes('What now?')) return before;
			const scheduled = runner.sandbox.messages().length;
			await visitor.submit({ 'field-0': JSON.stringify(['Schedule the reminders']) });
			expect(before).toContain("A scheduled message can't be canceled.");
			expect(runner.sandbox.messages().length).toBeGreaterThan(scheduled);
			return visitor.text;
		};
	};

	test.each([
		['a CSV file', 20, toCsv],
		['an Excel file', 25, (rows: string[][]) => toExcel([header, ...rows])],
	])(
		'schedules each reminder of %s for the day before, once, and lists who got none',
		async (_, days, toFile) => {
			const rows = rowsOn(inDays(days));
			const dayBefore = inDays(days - 1);
			const upload = await publish();
			const page = await upload(toFile(rows));
			expect(page).toContain('3 scheduled, 4 without a reminder');
			expect(page).toMatch(/this is not one phone number\s+Row 6 \(Bo, nobody\)/);
			expect(page).toMatch(
				/appointment or the time zone is not valid.*\s+Row 7 \(Cho, 09791234562\)/,
			);
			expect(page).toMatch(/it is too late.*\s+Row 8 \(Di, 09791234563\)/);
			expect(page).toMatch(/more than 4 weeks ahead.*\s+Row 9 \(Ei, 09791234564\)/);
			expect(await upload(toFile(rows.slice(0, 3)))).toContain(
				'Nothing new to schedule: 3 have their reminder',
			);
			// In the time zone of the service, GMT+6:30.
			expect(runner.sandbox.messages().map(({ to, scheduledAt }) => [to, scheduledAt])).toEqual([
				['959791234561', `${dayBefore} 09:00:00`],
				['6591234567', `${dayBefore} 07:30:00`],
				['821012345678', `${dayBefore} 06:30:00`],
			]);
		},
	);

	test('reads dates of Excel, Burmese digits and two numbers in a cell, and reminds nobody twice', async () => {
		const serial = Math.floor(Date.now() / 86_400_000) + 25_569 + 15;
		const file = () =>
			toExcel([
				['phone', 'name', 'appointment', 'time'],
				['၀၉၇၉၁၂၃၄၅၆၁', 'Aye', serial + 0.375, ''],
				['၀၉၇၉၁၂၃၄၅၆၂', 'Bo', serial, 0.625],
				['09791234563', '', serial + 0.375, ''],
				['09791234564', 'Di', serial, ''],
				['09791234565 / 09791234566', 'Ei', serial, 0.625],
			]);
		runner.sandbox.configure({ historyLagMs: 5_000 });
		const upload = await publish();
		const page = await upload(file());
		expect(page).toContain('4 scheduled, 2 without a reminder');
		expect(page).toMatch(/name is empty\s+Row 4 \(09791234563\)/);
		expect(page).toMatch(/appointment or the time zone is not valid.*\s+Row 5 \(Di, 09791234564\)/);
		await runner.sandbox.advance(120_000);
		await upload(file());
		const day = new Date((serial - 25_569 - 1) * dayMs).toISOString().slice(0, 10);
		expect(runner.sandbox.messages().map(({ to, scheduledAt }) => [to, scheduledAt])).toEqual([
			['959791234561', `${day} 09:00:00`],
			['959791234562', `${day} 09:00:00`],
			['959791234565', `${day} 09:00:00`],
			['959791234566', `${day} 09:00:00`],
		]);
		expect(runner.sandbox.messages().map(({ message }) => message)).toEqual([
			expect.stringMatching(/^Hello Aye, .* at 09:00\.$/),
			expect.stringMatching(/^Hello Bo, .* at 15:00\.$/),
			...[1, 2].map(() => expect.stringMatching(/^Hello Ei, /)),
		]);
	});

	test('writes in Burmese, with the month and the digits of one script', async () => {
		const upload = await publish(inBurmese(name));
		const page = await upload(toCsv([['09791234561', 'အေးအေး', `${inDays(15)} 09:00`, '']]));
		expect(page).toContain('1 scheduled, 0 without a reminder');
		const date = Number(inDays(15).slice(-2));
		expect(runner.sandbox.messages().map(({ message }) => message)).toEqual([
			expect.stringMatching(
				new RegExp(`^မင်္ဂလာပါ အေးအေး။ [\\u1000-\\u103f]+လ ${date} ရက် 09:00 တွင် [^{}]+။$`),
			),
		]);
	});

	test('lists in one email each reminder that was not delivered, however long ago it was scheduled', async () => {
		const createdAtMs = Date.now() - 29 * dayMs;
		runner.sandbox.seedMessages(1, () => ({
			...{ messageId: 'late', clientReference: 'reminder-1', to: '959000000001' },
			...{ status: 'Sent', createdAtMs },
		}));
		await runner.sandbox.setStatus('late', 'Failed');
		const { id } = await runner.activate(name, { 'Every morning at 10': every(10) });
		await runner.n8n.api.finishedExecutions(id, 2);
		expect(runner.mailbox.mails).toEqual([expect.stringContaining('959000000001 (Failed)')]);
	}, 120_000);

	test('names the columns that it needs, and schedules nothing', async () => {
		const file = new File(['number,who\n09791234561,Aye'], 'week.csv', { type: 'text/csv' });
		expect(await (await publish())(file)).toContain('No column with appointments was found');
		expect(runner.sandbox.messages().map(({ to }) => to)).toEqual([]);
	});

	test('reminds of each child of a family, once, in whatever spelling, and notes the run', async () => {
		const at = `${inDays(10)} 09:00`;
		const upload = await publish();
		const family = [
			['09791234561', 'Aye Aye', at, ''],
			['09791234561', 'Bo', at, ''],
		];
		expect(await upload(toCsv(family))).toContain('2 scheduled, 0 without a reminder');
		const again = [
			['+95 9 791 234 561', 'aye  aye', at, ''],
			['09791234561', 'Bo', at, ''],
			['09791234561', 'Cho', at, ''],
		];
		expect(await upload(toCsv(again))).toContain('1 scheduled, 0 without a reminder');
		expect(runner.sandbox.messages().map(({ message }) => message.slice(6, 10))).toEqual([
			...['Aye ', 'Bo, ', 'Cho,'],
		]);
		expect(await readTable(runner, 'SMS runs')).toMatchObject([
			{ workflow: '05 Reminders from a spreadsheet', sent: 2, skipped: 0, unknown: 0 },
			{ sent: 1, skipped: 2, unknown: 0, notSent: 0 },
		]);
	});

	const twoRows = () =>
		toCsv(['09791234561', '09791234562'].map((phone) => [phone, 'Aye', `${inDays(10)} 09:00`, '']));

	test('reminds nobody who opted out', async () => {
		const upload = await publish();
		await optOut(runner, '0979 123 4562');
		expect(await upload(twoRows())).toContain('1 scheduled, 0 without a reminder');
		expect(runner.sandbox.messages().map(({ to }) => to)).toEqual(['959791234561']);
	});

	test('schedules nothing without the table of opt-outs, and names the start that makes it', async () => {
		const dataTableId = { __rl: true, mode: 'name', value: 'No such table' };
		const { id, nodes } = await runner.activate(name, { 'Opt-outs': { dataTableId } });
		const form = nodes.find(({ type }) => type.endsWith('.formTrigger'));
		const visitor = await FormVisitor.open(runner.n8n.url, form?.webhookId ?? '', formLogin);
		await visitor.submit({ 'field-0': twoRows() }).catch(() => undefined);
		const [failed] = await runner.n8n.api.finishedExecutions(id, 1);
		expect(failed.error?.message).toMatch(/Nothing was sent.*"Once: create SMS opt-outs"/);
		expect(runner.sandbox.messages()).toEqual([]);
	});
});
