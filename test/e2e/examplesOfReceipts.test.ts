import { randomUUID } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { readExample } from '../../scripts/n8n/examples';
import { until } from '../../scripts/n8n/until';
import {
	missingPrograms,
	postgresLogin,
	startPostgres,
	type Server,
} from '../support/queue/services';
import { ExampleRunner, withOwnTables, type Changes } from '../support/e2e/ExampleRunner';
import type { Execution } from '../../tools/harness';
import { sinceN8n2 } from '../support/e2e/sinceN8n2';
import { never } from '../support/e2e/Week';

describe('the examples that start with a receipt', () => {
	let runner: ExampleRunner;
	beforeAll(async () => {
		runner = await ExampleRunner.open();
	});
	beforeEach(async () => await runner.reset());
	afterAll(async () => await runner?.close());

	const publish = async (name: string) => await runner.publishReceiver(name);
	/** What a node returned for so many receipts, oldest first. Receipts that arrive together share an execution. */
	const outputsOf = async (id: string, receipts: number, node: string) => {
		const itemsOf = ({ runData }: Execution, name: string) =>
			(runData[name]?.[0].data?.main[0] ?? []).map(({ json }) => json);
		const executions = await until(
			async () => {
				const found = await runner.n8n.api.finishedExecutions(id, 1);
				const taken = found.flatMap((one) => itemsOf(one, 'Delivery receipt'));
				return taken.length >= receipts ? found : undefined;
			},
			{ what: `${receipts} receipts in executions`, everyMs: 500 },
		);
		for (const { status, error } of executions)
			expect([status, error?.message]).toEqual(['success', undefined]);
		return executions.map((one) => itemsOf(one, node));
	};

	sinceN8n2('data table as the example uses it').describe('alert-when-not-delivered', () => {
		/** @param changes a schedule; by default, it is left to the test when a minute has passed */
		const open = async (changes: Changes = { 'Every minute': never }) => {
			const receiver = await runner.publishReceiver(
				withOwnTables('alert-when-not-delivered'),
				changes,
			);
			const alert = async () => await runner.n8n.api.runManually(receiver.id, 'Every minute');
			return {
				...receiver,
				/** What the schedule does once a minute. */
				alert: async () => await runner.n8n.api.finishedExecution(await alert()),
			};
		};
		const failed = (n: number) => ({ messageId: `m-${n}`, to: `95979${1_000_000 + n}` });

		test('sends one SMS and one email, however many messages are not delivered', async () => {
			const { id, report, alert } = await open();
			const receipts = Array.from({ length: 60 }, (_, n) => failed(n));
			for (const receipt of [...receipts, ...receipts.slice(0, 10)])
				expect(await report({ ...receipt, status: 'Failed' })).toBe(200);
			await until(
				async () => {
					const { data } = await runner.n8n.api.http.get('/rest/executions', {
						params: { filter: JSON.stringify({ workflowId: id, status: ['new', 'running'] }) },
					});
					return data.data.count === 0 || undefined;
				},
				{ what: 'the receipts to be kept' },
			);
			for (let minute = 0; minute < 3; minute += 1) await alert();
			expect(runner.sandbox.messages()).toMatchObject([
				{ to: '959790000001', clientReference: expect.stringMatching(/^alert-20\d\d-/) },
			]);
			expect(runner.mailbox.mails).toHaveLength(1);
			const [mail] = runner.mailbox.mails;
			expect(mail).toContain('60 SMS not delivered');
			expect(mail.match(/SMS to 95979\d+: Failed\. Reference: m-\d+/g)).toHaveLength(5);
			expect(mail).toContain('and 55 more');
		});

		test('names a failure in a later email where the mail server was down', async () => {
			const { id, report, alert } = await open();
			await report({ ...failed(1), status: 'Failed' });
			await runner.n8n.api.finishedExecutions(id, 1);
			runner.isMailDown = true;
			expect((await alert()).status).toBe('error');
			runner.isMailDown = false;
			await alert();
			expect(runner.mailbox.mails).toEqual([expect.stringContaining('Reference: m-1')]);
		});

		test('names an alert that is not delivered as any other message, and nothing that is delivered', async () => {
			const { id, report, alert } = await open();
			const own = { messageId: 'm-2', to: '959790000001', clientReference: 'alert-m-1' };
			expect(await report({ ...own, status: 'Failed' })).toBe(200);
			await runner.n8n.api.finishedExecutions(id, 1);
			expect(await report({ ...failed(3), status: 'Delivered' })).toBe(200);
			for (let minute = 0; minute < 3; minute += 1) await alert();
			expect(runner.sandbox.messages().length).toBeLessThanOrEqual(1);
			expect(runner.mailbox.mails).toEqual([expect.stringContaining('1 SMS not delivered')]);
		});

		test('learns by its schedule of a message that the service could not deliver', async () => {
			const often = { rule: { interval: [{ field: 'seconds', secondsInterval: 5 }] } };
			const { report, url } = await open({ 'Every minute': often });
			await report({ messageId: 'first', status: 'Sent' });
			runner.sandbox.configure({ defaultReceiptUrl: url });
			await runner.run('send-one-sms', 'Start', { 'Send SMS': { to: '09000000003' } });
			const mails = () => (runner.mailbox.mails.length > 0 ? runner.mailbox.mails : undefined);
			const [mail] = await until(async () => mails(), { what: 'the alert' });
			expect(mail).toContain('SMS to 959000000003: Failed.');
			// A receipt has no text: history shows what the message said.
			expect(mail).toContain('"Hello from n8n"');
		});
	});

	const describeIfPossible = missingPrograms.length > 0 ? describe.skip : describe;
	describeIfPossible('with a Postgres', () => {
		let postgres: Server;
		beforeAll(async () => {
			postgres = await startPostgres();
			await runner.addCredential('postgres', postgresLogin(postgres));
		});
		afterAll(async () => await postgres?.close());

		/** Two workflows have nothing in common but the server, as two webhook processors. */
		test('receipts-once-postgres acts once on a receipt that two processes get at once', async () => {
			const name = 'receipts-once-postgres';
			expect((await runner.run(name, 'Start once')).error).toBeUndefined();
			const processes = await Promise.all([publish(name), publish(name)]);
			const messageIds = Array.from({ length: 10 }, (_, n) => `${name} ${n}`);
			const numbers = ['959791234567', '959791234568'];
			const receipts = messageIds.flatMap((messageId) =>
				numbers.map((to) => ({ messageId, to, status: 'Delivered' })),
			);
			const report = async (receipt: (typeof receipts)[number]) =>
				await Promise.all(processes.map((one) => one.report(receipt)));
			await Promise.all(receipts.map(report));
			const acted = await Promise.all(
				processes.map(async ({ id }) => await outputsOf(id, receipts.length, 'Act on it')),
			);
			const items = acted.flat(2) as IDataObject[];
			const keyOf = ({ messageId, to }: IDataObject) => `${messageId} ${to}`;
			expect(items.map(keyOf).sort()).toEqual(receipts.map(keyOf).sort());
			for (const item of items) expect(item).toMatchObject({ delivered: true });
		});

		test('receipts-once-postgres acts in a Retry of an execution that crashed before n8n saved what it had taken', async () => {
			expect((await runner.run('receipts-once-postgres', 'Start once')).error).toBeUndefined();
			const example = readExample('receipts-once-postgres');
			const note = example.nodes.find(({ name }) => name === 'Note in Postgres')!;
			const { [note.name]: toNext } = example.connections;
			const again = { ...note, id: randomUUID(), name: 'Note again' };
			const toAgain = { main: [[{ node: again.name, type: 'main' as const, index: 0 }]] };
			const { id, report } = await runner.publishReceiver({
				...example,
				nodes: [...example.nodes, again],
				connections: { ...example.connections, [note.name]: toAgain, [again.name]: toNext },
			});
			const receipt = { messageId: 'taken', to: '959791234567', status: 'Delivered' };
			await report(receipt);
			expect(await outputsOf(id, 1, 'Act on it')).toEqual([[expect.objectContaining(receipt)]]);
		});
	});
});
