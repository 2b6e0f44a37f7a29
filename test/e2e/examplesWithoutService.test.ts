import { readExample } from '../../scripts/n8n/examples';
import { describeRun } from '../../tools/harness';
import { ExampleRunner, formLogin, withOwnTables } from '../support/e2e/ExampleRunner';
import { forBuilders } from '../support/e2e/visitForm';
import { sinceN8n2 } from '../support/e2e/sinceN8n2';
import { never } from '../support/e2e/Week';

// n8n's process may know it from an execution before.
const unreachable = /The service could not be reached/;

/** Each by its own start, while nobody answers at the address of the service. */
sinceN8n2('forms as the examples use them').describe('while the service is down', () => {
	/** Side by side, each with a service of its own, since a node that is retried waits for most of the time. */
	const whileDown = async (work: (runner: ExampleRunner) => Promise<void>) =>
		await ExampleRunner.use({}, async (runner) => {
			await runner.disconnect();
			await work(runner);
		});

	test.concurrent.each([
		['send-one-sms', 1],
		['email-when-not-delivered', 1],
	])(
		'%s says so, and its retry sends once',
		async (name, messages) =>
			await whileDown(async (runner) => {
				const { api } = runner.n8n;
				// Also the one that keeps its executions from being saved, which could not be retried then.
				const { id } = await runner.importWorkflow({ ...readExample(name), settings: {} });
				const failed = await api.finishedExecution(await api.runManually(id, 'Start'));
				expect(failed.error?.message).toMatch(unreachable);
				await runner.reconnect();
				const retries = [1, 2].map(async () => await api.retry(failed.id, { loadWorkflow: false }));
				const [retry] = await Promise.all(retries);
				const run = describeRun(id, await api.finishedExecution(retry));
				expect(run.error).toBeUndefined();
				await Promise.all(
					(await api.executions(id)).map(async (one) => await api.finishedExecution(one.id)),
				);
				expect(runner.sandbox.messages().map(({ to }) => to)).toHaveLength(messages);
				expect(runner.mailbox.mails).toEqual([]);
			}),
	);

	test.concurrent(
		'otp-on-a-form asks the visitor to come back later',
		async () =>
			await whileDown(async (runner) => {
				const visitor = await runner.visit('otp-on-a-form');
				await visitor.submit({ 'field-0': '09791234567' });
				expect(visitor.text).toContain('We cannot send codes just now.');
				expect(visitor.text).not.toMatch(forBuilders);
				expect(runner.sandbox.codes()).toEqual([]);
			}),
	);

	test.concurrent(
		'bulk-from-spreadsheet names the rows to upload again',
		async () =>
			await whileDown(async (runner) => {
				const rows = ['phone,name', '09791234561,Aye', 'nobody,Bo'];
				const file = new File([rows.join('\n')], 'customers.csv', { type: 'text/csv' });
				const visitor = await runner.visit('bulk-from-spreadsheet', {}, formLogin);
				await visitor.submit({ 'field-0': file });
				expect(visitor.text).toContain('Nothing was sent');
				expect(visitor.text).toMatch(/could not be reached[^]*Row 2 \(Aye/);
			}),
	);

	test.concurrent(
		'alert-when-not-delivered accepts the receipt, and alerts by email',
		async () =>
			await whileDown(async (runner) => {
				const { api } = runner.n8n;
				const example = withOwnTables('alert-when-not-delivered');
				const { id, report } = await runner.publishReceiver(example, { 'Every minute': never });
				expect(await report({ messageId: 'm-1', to: '959791234567', status: 'Failed' })).toBe(200);
				await api.finishedExecutions(id, 1);
				await api.finishedExecution(await api.runManually(id, 'Every minute'));
				expect(runner.mailbox.mails).toEqual([expect.stringContaining('1 SMS not delivered')]);
				expect(runner.sandbox.messages().map(({ to }) => to)).toEqual([]);
			}),
	);
});
