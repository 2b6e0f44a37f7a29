import type { IDataObject } from 'n8n-workflow';

import { until } from '../../../scripts/n8n/until';
import { runWorkflow, startN8n, type OwnN8n } from '../../../tools/harness';
import { callAll } from '../../support/e2e/callAll';
import { ExampleRunner, withOwnTables, type Receiver } from '../../support/e2e/ExampleRunner';
import { sinceN8n2 } from '../../support/e2e/sinceN8n2';

/** A whole week has 10,000 receipts. The test makes do with a part of it. */
const messages = Number(process.env.WEEK_MESSAGES ?? 400);
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

sinceN8n2('data table as the example uses it').describe('a week of receipts', () => {
	let n8n: OwnN8n;
	let runner: ExampleRunner;
	beforeAll(async () => {
		n8n = await startN8n({ env: { N8N_METRICS: 'true' } });
		runner = await ExampleRunner.open({}, n8n);
	});
	afterAll(async () => {
		await runner?.close();
		await n8n?.close();
	});

	/** The service calls a receiver that does not answer 200 again. */
	const deliver = async ({ report }: Receiver, receipt: Receipt) => {
		await until(async () => (await report(receipt).catch(() => 0)) === 200 || undefined, {
			what: 'n8n to accept a receipt',
			timeoutMs: 120_000,
		});
	};

	const readTable = async (name: string) => {
		const parameters = {
			...{ resource: 'row', operation: 'get', returnAll: true, filters: {} },
			dataTableId: { __rl: true, mode: 'name', value: name },
		};
		const node = { name: 'Rows', type: 'n8n-nodes-base.dataTable', typeVersion: 1.1, parameters };
		return (await runWorkflow(n8n.api, [node as never])).json.Rows[0] as IDataObject[];
	};
	const tableOf = (example: ReturnType<typeof withOwnTables>) =>
		String(example.nodes.find(({ parameters }) => parameters.tableName)?.parameters.tableName);

	test('loses nothing, tells once of what failed, and keeps no execution that succeeded', async () => {
		const [log, alert] = [withOwnTables('delivery-log'), withOwnTables('alert-when-not-delivered')];
		await runner.execute(await runner.import(log), 'Start once');
		const options = { saveAll: false };
		const receivers = [
			await runner.publishReceiver(log, {}, options),
			await runner.publishReceiver(alert, {}, options),
		];
		const receipts = writeReceipts();
		const report = async (from: number, to: number) => {
			const part = receipts.slice(from, to);
			await callAll(part.length, callersAtOnce, async (n) => {
				for (const receiver of receivers) await deliver(receiver, part[n]);
			});
		};
		runner.isMailDown = true;
		const half = receipts.length / 2;
		await report(0, half);
		await n8n.crash();
		await report(half, receipts.length);
		runner.isMailDown = false;

		const told = await until(
			async () => {
				const rows = await readTable(tableOf(alert));
				return rows.length > 0 && rows.every(({ alertedAt }) => alertedAt) ? rows : undefined;
			},
			{ what: 'the alerts', timeoutMs: 200_000, everyMs: 5_000 },
		);
		const logged = await readTable(tableOf(log));
		const saved = await Promise.all(receivers.map(async ({ id }) => await n8n.api.executions(id)));
		const statuses = saved.flat().map(({ status }) => status);
		console.info('a week', {
			receipts: receipts.length,
			logged: logged.length,
			withOutcome: logged.filter(({ outcome }) => outcome).length,
			told: told.length,
			emails: runner.mailbox.mails.length,
			sms: runner.sandbox.messages().length,
			savedExecutions: statuses.length,
		});
		expect(statuses).not.toContain('success');
		const crashed = statuses.filter((status) => status === 'crashed').length;
		// n8n answers before it works: what it had accepted when it was killed is a crashed execution to retry.
		expect(logged.length).toBeGreaterThanOrEqual(messages - 100 * crashed);
		expect(new Set(logged.map(({ messageId }) => messageId)).size).toBe(logged.length);
		expect(new Set(told.map(({ messageId }) => messageId)).size).toBe(told.length);
		expect(told.length).toBeGreaterThanOrEqual(messages / 2 - 100 * crashed);
		expect(runner.mailbox.mails.length).toBeLessThanOrEqual(3);
		expect(runner.sandbox.messages().map(({ to }) => to)).toHaveLength(1);
	}, 900_000);
});
