import type { IDataObject } from 'n8n-workflow';

import type { WorkflowDefinition } from '../../../scripts/n8n/n8nClient';
import { sinceN8n2 } from '../../support/e2e/sinceN8n2';
import { every, hasServers, rewrite, Week } from '../../support/e2e/Week';

/** Recipients of each campaign. */
const people = Math.round(Number(process.env.WEEK_MESSAGES ?? 60) / 3);
const listPhones = (prefix: string) =>
	Array.from({ length: people }, (_, n) => `${prefix}${1_000_000 + n}`);

const inRequest = Math.ceil(people / 8);
/** Requests that n8n awaits when it is killed. */
const inFlight = 4;

/** Examples 09 and 17 with batches and waits that a test can see several of. */
const hasten = (example: WorkflowDefinition) =>
	rewrite(example, [
		['minus({ minutes: 15 })', 'minus({ seconds: 60 })'],
		["interval '15 minutes'", "interval '60 seconds'"],
		['"executionTimeout":600', '"executionTimeout":50'],
		[/(LIMIT |"limit":)1000/g, `$1${inRequest}`],
		[/("from":"[^"]*",)"options":\{/g, '$1"options":{"recipientsPerRequest":10,'],
	]);

sinceN8n2('data table as the examples use it').describe('a week of sending', () => {
	let week: Week;
	beforeAll(async () => {
		week = await Week.openWithServers();
	});
	afterAll(async () => await week?.close());

	test('sends to each once, and tells of each failure once, over an hour without service, another without mail, and a kill', async () => {
		const { runner, n8n } = week;
		const { sandbox } = runner;
		// The bad hour at the operator: every second message fails.
		const phones = listPhones('0979');
		const numbers = Object.fromEntries(
			phones
				.filter((_, n) => n % 2 === 0)
				.map((phone) => [phone.replace('0', '95'), { statuses: ['Sent', 'Failed'] }]),
		);
		sandbox.configure({ balance: 1_000_000, numbers });
		const campaign = hasten(week.take('long-campaign'));
		const statuses = week.take('delivery-status-by-schedule');
		await runner.execute(await runner.import(statuses), 'Once: create the table');
		await runner.execute(await runner.import(campaign), 'Once: create SMS opt-outs');
		await week.addRows(
			campaign,
			phones.map((phone) => ({ phone, message: `Hello ${phone}.`, status: 'waiting' })),
		);
		const fromPostgres = hasServers ? [hasten(week.take('long-campaign-postgres'))] : [];
		for (const example of fromPostgres) {
			await runner.execute(await runner.import(example), 'Start once');
			// One of those that it starts with is that of example 09.
			const values = listPhones('0978').map((phone) => `('${phone}', 'Hello ${phone}.')`);
			const insert = `INSERT INTO campaign (phone, message) VALUES ${values.join()}`;
			await week.query(`DELETE FROM campaign; ${insert}`);
		}

		runner.isMailDown = true;
		await runner.disconnect();
		const options = { saveAll: false };
		const sendOften = { 'Every minute of the day': every(5) };
		const published = [
			await runner.activate(campaign, sendOften, options),
			// Retries of an email take 15 seconds, so that runs would overlap if they began more often.
			await runner.activate(statuses, { 'Every 5 minutes': every(40) }, options),
			await runner.activate(
				week.take('low-balance-alert'),
				{ 'Every hour of the day': every(5) },
				options,
			),
			...(await Promise.all(
				fromPostgres.map(async (example) => await runner.activate(example, sendOften, options)),
			)),
		];
		const ids = published.map(({ id }) => id);
		await week.until('executions that fail without the service', async () => {
			const failed = await Promise.all(ids.map(async (id) => await week.statusesOf([id])));
			return failed.every(({ error = 0 }) => error > 0) || undefined;
		});
		expect(sandbox.messages()).toEqual([]);

		const path = '/rest/send/bulk';
		// Accepted by the service, and never answered: they are in flight when n8n is killed.
		sandbox.addFault({ match: { path }, when: 'after', effect: 'hang', skip: 3, count: inFlight });
		sandbox.addFault({ match: { path }, effect: { slowMs: 300 } });
		await runner.reconnect();
		const all = people + 1 + fromPostgres.length * people;
		await week.until(
			'requests that are not answered',
			async () => sandbox.countRequests({ path }) > 2 + inFlight || undefined,
		);
		await n8n.crash();
		const rows = await week.until('the end of the campaign', async () => {
			const areSent = (rows: IDataObject[]) => rows.every(({ status }) => status === 'sent');
			const inTable = await week.rowsOf(campaign);
			if (!areSent(inTable)) return undefined;
			const inPostgres = hasServers ? await week.query('SELECT * FROM campaign') : [];
			return areSent(inPostgres) ? [...inTable, ...inPostgres] : undefined;
		});
		runner.isMailDown = false;
		const final = await week.until('all final statuses', async () => {
			const now = await week.rowsOf(statuses);
			// Also of what was sent again after the kill.
			return now.length >= sandbox.messages().length ? now : undefined;
		});
		for (const id of ids) await n8n.api.deactivate(id);

		const counts = await week.statusesOf(ids.slice(0, 2));
		const mails = runner.mailbox.mails.map((mail) => /^Subject: (.*)$/m.exec(mail)?.[1] ?? '');
		const report = await week.readReport();
		console.info('a week of sending', {
			...{ recipients: all, sent: sandbox.messages().length, final: final.length, counts, mails },
			report: /\d+ failed executions/.exec(report)?.[0],
		});
		const sent = sandbox.messages();
		const last = new Map(sent.map((message) => [message.to, message]));
		expect(last.size).toBe(all);
		// What was in flight at the kill is sent again only where history shows that it failed.
		const again = sent.filter((message) => last.get(message.to) !== message);
		expect(again.filter(({ status }) => status !== 'Failed')).toEqual([]);
		expect(again.length).toBeLessThanOrEqual(inFlight * inRequest);
		const noted = rows.map(({ messageId, message_id }) => messageId ?? message_id);
		expect(noted.sort()).toEqual([...last.values()].map(({ messageId }) => messageId).sort());
		expect(new Set(final.map(({ key }) => key)).size).toBe(final.length);
		const told = mails.flatMap((subject) => /(\d+) SMS not delivered/.exec(subject)?.[1] ?? []);
		expect(told.reduce((sum, count) => sum + Number(count), 0)).toBe(
			sent.filter(({ status }) => status === 'Failed').length,
		);
		// One for the failures or two, and one for the balance that could not be read.
		expect(mails.length).toBeLessThanOrEqual(4);
		expect(counts).not.toHaveProperty('success');
		expect(report).toContain('failed executions');
	}, 7_200_000);
});
