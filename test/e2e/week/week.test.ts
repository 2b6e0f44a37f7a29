import { setTimeout } from 'node:timers/promises';

import type { IDataObject } from 'n8n-workflow';

import { until } from '../../../scripts/n8n/until';
import { callAll } from '../../support/e2e/callAll';
import type { Receiver } from '../../support/e2e/ExampleRunner';
import { sinceN8n2 } from '../../support/e2e/sinceN8n2';
import { Week } from '../../support/e2e/Week';

/** A whole week has 5,000 messages, with 11,000 receipts. The test makes do with a part of it. */
const messages = Number(process.env.WEEK_MESSAGES ?? 300);
const failures = messages / 2;
const callersAtOnce = 10;

interface Receipt extends Record<string, string> {
	messageId: string;
	to: string;
	status: string;
}

/** Two receipts of each message; in 30 % of them the last one comes first, twice, or both. Every second one fails. */
function writeReceipts(): Receipt[] {
	return Array.from({ length: messages }, (_, n) => {
		const message = { messageId: `week-${n}`, to: `95979${1_000_000 + n}` };
		const sent = { ...message, status: 'Sent' };
		const final = { ...message, status: n % 2 === 0 ? 'Delivered' : 'Failed' };
		const orders = [
			[final, sent],
			[sent, final, final],
			[final, sent, final],
		];
		return orders[n % 10] ?? [sent, final];
	}).flat();
}

sinceN8n2('data table as the examples use it').describe('a week of receipts', () => {
	let week: Week;
	beforeAll(async () => {
		week = await Week.open();
	});
	afterAll(async () => await week?.close());

	/** n8n responds 200 to everything while it starts: a proxy passes calls on only once it is ready. */
	let ready: Promise<void> = Promise.resolve();

	/** The service calls a receiver that does not answer 200 again. */
	const deliver = async ({ report }: Receiver, receipt: Receipt) => {
		const isAccepted = async () => {
			await ready;
			return (await report(receipt).catch(() => 0)) === 200 || undefined;
		};
		await until(isAccepted, { what: 'n8n to accept a receipt', timeoutMs: 120_000 });
	};

	test('loses nothing when n8n is killed and mail is down, tells once, and keeps no success', async () => {
		const { runner, n8n } = week;
		const [log, alert] = [week.take('delivery-log'), week.take('alert-when-not-delivered')];
		await runner.execute(await runner.import(log), 'Start once');
		const options = { saveAll: false };
		const receivers = [
			await runner.publishReceiver(log, {}, options),
			await runner.publishReceiver(alert, {}, options),
		];
		const ids = receivers.map(({ id }) => id);
		const receipts = writeReceipts();
		const report = async (from: number, to: number) => {
			const part = receipts.slice(from, to);
			await callAll(part.length, callersAtOnce, async (n) => {
				for (const receiver of receivers) await deliver(receiver, part[n]);
			});
		};
		runner.isMailDown = true;
		const third = Math.round(receipts.length / 3);
		await report(0, third);
		// Receipts keep coming while n8n is killed and starts again.
		const rest = report(third, receipts.length);
		await setTimeout(500);
		ready = n8n.crash();
		await Promise.all([rest, ready]);
		await week.retry(ids, 'crashed');

		const count = async () => {
			const [logged, told] = [await week.rowsOf(log), await week.rowsOf(alert)];
			const withOutcome = logged.filter(({ outcome }) => outcome).length;
			const alerted = told.filter(({ alertedAt }) => alertedAt).length;
			return { logged, told, withOutcome, alerted };
		};
		/** Until nothing changes any more; what is missing then shows below. */
		const settle = async (isDone: (now: Awaited<ReturnType<typeof count>>) => boolean) => {
			const end = Date.now() + 90_000 + 100 * messages;
			let now = await count();
			while (!isDone(now) && Date.now() < end) {
				// A database that is locked for long, for instance. Example 28 names them.
				await week.retry(ids.slice(0, 1), 'error');
				now = await count();
			}
			return now;
		};
		await settle(({ withOutcome, told }) => withOutcome === messages && told.length === failures);
		runner.isMailDown = false;
		const { logged, told, withOutcome, alerted } = await settle((now) => now.alerted === failures);
		const statuses = await week.statusesOf(ids);
		const reported = /\d+ failed executions/.exec(await week.readReport())?.[0];
		const emails = runner.mailbox.mails.length - 1;
		const idsOf = (rows: IDataObject[]) => new Set(rows.map(({ messageId }) => messageId));
		const missing = [...idsOf(receipts)].filter((id) => !idsOf(logged).has(id));
		const untold = [...idsOf(receipts.filter(({ status }) => status === 'Failed'))].filter(
			(id) => !idsOf(told).has(id),
		);
		const lost = await week.findLost(ids, [...missing, ...untold].map(String));
		console.info('a week of receipts', {
			...{ receipts: receipts.length, logged: logged.length, withOutcome, told: told.length },
			...{ alerted, emails, sms: runner.sandbox.messages().length },
			...{ retried: week.retried.size, statuses, reported },
			...{ missing, untold, lost },
		});
		// Each receipt is in the table, or in an execution that Retry continues.
		expect(lost).toEqual([]);
		expect(idsOf(logged).size).toBe(logged.length);
		expect(idsOf(told).size).toBe(told.length);
		expect(withOutcome).toBeGreaterThan(0.9 * messages);
		expect(alerted).toBe(told.length);
		expect(emails).toBeLessThanOrEqual(3);
		expect(runner.sandbox.messages()).toHaveLength(1);
		expect(statuses).not.toHaveProperty('success');
	}, 3_600_000);
});
