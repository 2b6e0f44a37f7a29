import { setTimeout } from 'node:timers/promises';

import type { IDataObject } from 'n8n-workflow';

import { until } from '../../../scripts/n8n/until';
import type { WorkflowDefinition } from '../../../scripts/n8n/n8nClient';
import { callAll } from '../../support/e2e/callAll';
import type { Receiver } from '../../support/e2e/ExampleRunner';
import { sinceN8n2 } from '../../support/e2e/sinceN8n2';
import { hasServers, Week } from '../../support/e2e/Week';
import { startReceiver, type Receiver as Acts } from '../../support/sandbox/startReceiver';

/** A whole week has 5,000 messages, with 11,000 receipts. The test makes do with a part of it. */
const messages = Number(process.env.WEEK_MESSAGES ?? 60);
const failures = messages / 2;
/** So many receipts are in one execution at most. */
const callersAtOnce = 10;

const once = hasServers ? ['receipts-once-postgres'] : [];

/** An example whose step after "once" is a call that a test can count. */
function actAt(example: WorkflowDefinition, url: string): WorkflowDefinition {
	const act = {
		...{ type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2 },
		parameters: { method: 'POST', url: `=${url}?id={{ encodeURIComponent($json.receiptId) }}` },
	};
	const nodes = example.nodes.map((node) =>
		node.name === 'Act on it' ? { ...node, ...act } : node,
	);
	return { ...example, nodes };
}

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
	let acts: Acts;
	beforeAll(async () => {
		acts = await startReceiver();
		week = await Week.openWithServers();
	});
	afterAll(async () => {
		await week?.close();
		await acts?.close();
	});

	/** What an example acted on, as often as it did. */
	const actsOf = (name: string) =>
		acts.calls.flatMap(({ url, query }) => (url.includes(`/${name}?`) ? [query.id] : []));

	/** n8n responds 200 to everything while it starts: a proxy passes calls on only once it is ready. */
	let ready: Promise<void> = Promise.resolve();

	/** The service calls a receiver that does not answer 200 again. */
	const deliver = async ({ report }: Receiver, receipt: Receipt) => {
		const isAccepted = async () => {
			await ready;
			return (await report(receipt).catch(() => 0)) === 200 || undefined;
		};
		await until(isAccepted, { what: 'n8n to accept a receipt' });
	};

	test('loses nothing when n8n is killed and mail is down, tells once, and keeps no success', async () => {
		const { runner, n8n } = week;
		const alert = week.take('alert-when-not-delivered');
		const options = { saveAll: false };
		for (const name of once) expect((await runner.run(name, 'Start once')).error).toBeUndefined();
		const receivers = [
			await runner.publishReceiver(alert, {}, options),
			...(await Promise.all(
				once.map(async (name) => {
					const example = actAt(week.take(name), `${acts.url}/${name}`);
					return await runner.publishReceiver(example, {}, options);
				}),
			)),
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
		const first = new Set(receipts.slice(0, third).map((one) => `${one.messageId} ${one.status}`));
		const isActedOn = (count: number) =>
			once.every((name) => new Set(actsOf(name)).size >= count) || undefined;
		await week.until('the steps after them', async () => isActedOn(first.size));
		const acted = acts.calls.length;
		acts.isSilent = true;
		const rest = report(third, receipts.length);
		await week.until('steps that the kill interrupts', async () => isActedOn(first.size + 1));
		ready = n8n.crash();
		await setTimeout(1_000);
		acts.isSilent = false;
		// What the kill interrupted counts as not done.
		const interrupted = acts.calls.splice(acted).length;
		await Promise.all([rest, ready]);
		await week.retry(ids, 'crashed');

		const count = async () => {
			const told = await week.rowsOf(alert);
			const alerted = told.filter(({ alertedAt }) => alertedAt).length;
			const actedOn = once.map((name) => new Set(actsOf(name)).size);
			return { told, alerted, actedOn };
		};
		/** Until nothing changes any more; what is missing then shows below. */
		const settle = async (isDone: (now: Awaited<ReturnType<typeof count>>) => boolean) => {
			const end = Date.now() + 180_000 + 100 * messages;
			let now = await count();
			while (!isDone(now) && Date.now() < end) {
				// A database that is locked for long, for instance. Example 28 names them.
				await week.retry(ids.slice(0, 1), 'error');
				await setTimeout(2_000);
				now = await count();
			}
			return now;
		};
		await settle(
			({ told, actedOn }) =>
				told.length === failures && actedOn.every((count) => count === 2 * messages),
		);
		runner.isMailDown = false;
		const { told, alerted, actedOn } = await settle((now) => now.alerted === failures);
		const statuses = await week.statusesOf(ids);
		const reported = /\d+ failed executions/.exec(await week.readReport())?.[0];
		const emails = runner.mailbox.mails.length - 1;
		const idsOf = (rows: IDataObject[]) => new Set(rows.map(({ messageId }) => messageId));
		const untold = [...idsOf(receipts.filter(({ status }) => status === 'Failed'))].filter(
			(id) => !idsOf(told).has(id),
		);
		const lost = await week.findLost(ids, untold.map(String));
		const repeated = once.map((name, n) => actsOf(name).length - actedOn[n]);
		console.info('a week of receipts', {
			...{ receipts: receipts.length, told: told.length },
			...{ alerted, emails, sms: runner.sandbox.messages().length },
			...{ retried: week.retried.size, statuses, reported },
			...{ untold, lost, actedOn, repeated, interrupted },
		});
		// Each receipt is in the table, or in an execution that Retry continues.
		expect(lost).toEqual([]);
		expect(idsOf(told).size).toBe(told.length);
		expect(alerted).toBe(told.length);
		expect(emails).toBeLessThanOrEqual(3);
		expect(runner.sandbox.messages()).toHaveLength(1);
		expect(statuses).not.toHaveProperty('success');
		expect(actedOn).toEqual(once.map(() => 2 * messages));
		expect(repeated).toEqual(once.map(() => 0));
	}, 7_200_000);
});
