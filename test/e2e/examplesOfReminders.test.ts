import { ExampleRunner, formLogin, inBurmese, type Changes } from '../support/e2e/ExampleRunner';
import { sinceN8n2 } from '../support/e2e/sinceN8n2';
import { every } from '../support/e2e/Week';
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

sinceN8n2('forms as the examples use them').describe(name, () => {
	let runner: ExampleRunner;
	beforeAll(async () => {
		runner = await ExampleRunner.open();
	});
	beforeEach(async () => await runner.reset());
	afterAll(async () => await runner?.close());

	const publish = async (changes: Changes = {}) => {
		const open = await runner.publishForm(name, changes, formLogin);
		return async (file: File) => {
			const visitor = await open();
			await visitor.submit({ 'field-0': file });
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
			expect(page).toContain('Row 6, nobody: this is not one phone number');
			expect(page).toContain('Row 7, 09791234562: the appointment or the time zone is not valid');
			expect(page).toContain('Row 8, 09791234563: it is too late');
			expect(page).toContain('Row 9, 09791234564: the appointment is more than 4 weeks ahead');
			await upload(toFile(rows));
			// In the time zone of the service, GMT+6:30.
			expect(runner.sandbox.messages().map(({ to, scheduledAt }) => [to, scheduledAt])).toEqual([
				['959791234561', `${dayBefore} 09:00:00`],
				['6591234567', `${dayBefore} 07:30:00`],
				['821012345678', `${dayBefore} 06:30:00`],
			]);
		},
	);

	test('reads dates of Excel and Burmese digits, and reminds nobody twice', async () => {
		const serial = Math.floor(Date.now() / 86_400_000) + 25_569 + 15;
		const file = () =>
			toExcel([
				['phone', 'name', 'appointment', 'time'],
				['၀၉၇၉၁၂၃၄၅၆၁', 'Aye', serial + 0.375, ''],
				['၀၉၇၉၁၂၃၄၅၆၂', 'Bo', serial, 0.625],
				['09791234563', '', serial + 0.375, ''],
				['09791234564', 'Di', serial, ''],
			]);
		const upload = await publish();
		const page = await upload(file());
		expect(page).toContain('2 scheduled, 2 without a reminder');
		expect(page).toContain('Row 4, 09791234563: name is empty');
		expect(page).toContain('Row 5, 09791234564: the appointment or the time zone is not valid');
		await upload(file());
		const day = new Date((serial - 25_569 - 1) * dayMs).toISOString().slice(0, 10);
		expect(runner.sandbox.messages().map(({ to, scheduledAt }) => [to, scheduledAt])).toEqual([
			['959791234561', `${day} 09:00:00`],
			['959791234562', `${day} 09:00:00`],
		]);
		expect(runner.sandbox.messages().map(({ message }) => message)).toEqual([
			expect.stringMatching(/^Hello Aye, .* at 09:00\.$/),
			expect.stringMatching(/^Hello Bo, .* at 15:00\.$/),
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
		expect(await (await publish())(file)).toContain('the column names phone, name and appointment');
		expect(runner.sandbox.messages().map(({ to }) => to)).toEqual([]);
	});
});
