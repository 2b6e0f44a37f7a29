import { startN8n, type OwnN8n } from '../../../tools/harness';
import { ExampleRunner, formLogin } from '../../support/e2e/ExampleRunner';
import { sinceN8n2 } from '../../support/e2e/sinceN8n2';
import { assign } from '../../support/e2e/Week';
import { toExcel } from '../../support/e2e/toExcel';

const dayMs = 86_400_000;
/** As Excel stores a day: in the 1900 date system. */
const toSerial = (days: number) => Math.floor(Date.now() / dayMs) + 25_569 + days;

/** As people write numbers into lists, with the number that each means. */
const spelled: Array<[string, string]> = [
	['09 791 000 101', '959791000101'],
	['+95 (0)9 791000102', '959791000102'],
	['၀၉၇၉၁၀၀၀၁၀၃', '959791000103'],
	['959791000104', '959791000104'],
	['09791000105 (Mg Mg)', '959791000105'],
	['9791000106', '959791000106'],
	['+95-9-791-000-107', '959791000107'],
	['09-791000108 Ma Aye', '959791000108'],
];

sinceN8n2('forms as the examples use them').describe('a week of lists as people have them', () => {
	let n8n: OwnN8n;
	let runner: ExampleRunner;
	beforeAll(async () => {
		n8n = await startN8n();
		runner = await ExampleRunner.open({}, n8n);
	});
	beforeEach(async () => {
		await runner.reset();
		runner.sandbox.configure({ balance: 1_000_000 });
	});
	afterAll(async () => {
		await runner?.close();
		await n8n?.close();
	});

	const sentTo = () => runner.sandbox.messages().map(({ to }) => to);

	test('reminders: each appointment once, and each row without one named, over an outage, corrections and new people', async () => {
		await runner.run('reminders-from-a-spreadsheet', 'Once: create SMS opt-outs');
		const open = await runner.publishForm('reminders-from-a-spreadsheet', {}, formLogin);
		const upload = async (rows: unknown[][]) => {
			const visitor = await open();
			const file = toExcel([['phone', 'name', 'appointment'], ...rows] as never);
			await visitor.submit({ 'field-0': file });
			if (!visitor.text.includes('What now?')) return visitor.text;
			await visitor.submit({ 'field-0': JSON.stringify(['Schedule the reminders']) });
			return visitor.text;
		};
		const at = toSerial(15) + 0.375;
		const good = spelled.map(([phone], n) => [phone, `Patient ${n}`, at + n]);
		// A mother and her child, with one phone.
		const family = [
			['09791000109', 'Mya', at],
			['09791000109', 'Su', at + 1],
		];
		const mistakes = [
			['0979', 'Hla', at],
			['#N/A', 'Nu', at],
			['09791000110', '', at],
		];
		const monday = [...good, ...family, ...mistakes];

		await runner.disconnect();
		expect(await upload(monday)).toContain('could not be reached');
		await runner.reconnect();
		const page = await upload(monday);
		expect(page).toContain(`${good.length + 2} scheduled, 3 without a reminder`);
		mistakes.forEach((_, n) => expect(page).toContain(`${12 + n} (`));
		expect(await upload(monday)).toContain('Nothing was scheduled');

		const corrected = [
			['09791000111', 'Hla', at],
			['09791000112', 'Nu', at],
			['09791000110', 'Thein', at],
		];
		const newPeople = [['09 791000113', 'Zaw', at + 2]];
		// What n8n's process remembers does not last a week: message history has to know.
		await n8n.restart();
		await upload([...good, ...family, ...corrected, ...newPeople]);
		const last = await upload([...good, ...family, ...corrected, ...newPeople]);
		expect(last).toContain('Nothing new to schedule');
		const numbers = [...spelled.map(([, to]) => to), '959791000109', '959791000109'];
		const later = ['959791000110', '959791000111', '959791000112', '959791000113'];
		expect(sentTo().sort()).toEqual([...numbers, ...later].sort());
		const appointments = runner.sandbox
			.messages()
			.map(({ to, scheduledAt }) => `${to} ${scheduledAt}`);
		expect(new Set(appointments).size).toBe(appointments.length);
	});

	test('a campaign: each person once, and nobody who opted out, in whatever spelling', async () => {
		const stopLink = 'https://n8n.test/form/stop';
		const people = spelled.map(([phone], n) => ({ phone, name: `Customer ${n}` }));
		const start = async (list: object[]) => {
			const changes = { Customers: assign({ stopLink, people: list }) };
			const workflow = await runner.import('opt-outs', changes);
			return await runner.execute(workflow, 'Start the campaign');
		};
		const open = await runner.publishForm('opt-outs');
		await runner.run('opt-outs', 'Once: create SMS opt-outs');
		// It names who can't be texted, before anything is sent.
		const stopped = await start([...people, { phone: '0979', name: 'Hla' }]);
		expect(stopped.error?.message).toContain(`item ${people.length + 1}`);
		expect(sentTo()).toEqual([]);
		for (const phone of ['+95 9 791 000 101', '၀၉၇၉၁၀၀၀၁၀၂']) {
			const visitor = await open();
			await visitor.submit({ 'field-0': phone });
			expect(visitor.text).toContain('You will get no more campaign messages from us.');
		}
		await runner.disconnect();
		expect((await start(people)).error).toBeDefined();
		await runner.reconnect();
		expect((await start(people)).error).toBeUndefined();
		await n8n.restart();
		const again = await start([...people, { phone: '09791000120', name: 'New' }]);
		expect(again.error).toBeUndefined();
		const wanted = [...spelled.slice(2).map(([, to]) => to), '959791000120'];
		expect(sentTo().sort()).toEqual(wanted.sort());
		const skipped = again.json['Send messages'][0].filter((json) => json.skipped === 'optedOut');
		expect(skipped).toHaveLength(2);
	});
});
