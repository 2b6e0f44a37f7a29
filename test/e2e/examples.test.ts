import type { INode } from 'n8n-workflow';

import { exampleNames, readExample } from '../../scripts/n8n/examples';
import { ExampleRunner } from '../support/e2e/ExampleRunner';
import { assign } from '../support/e2e/setNode';

describe('the examples', () => {
	let runner: ExampleRunner;
	beforeAll(async () => {
		runner = await ExampleRunner.open();
	});
	beforeEach(async () => await runner.reset());
	afterAll(async () => await runner?.close());

	/** n8n adds the ID of a credential that it finds by its name, and one to a node that can be called. */
	const toPlain = ({ credentials = {}, ...node }: INode) => ({
		...node,
		webhookId: undefined,
		credentials: Object.keys(credentials),
	});

	test.each(exampleNames)('%s is in n8n what its file says', async (name) => {
		const { nodes, connections, settings } = readExample(name);
		const { api } = runner.n8n;
		const { id } = await api.createWorkflow(readExample(name));
		try {
			const stored = await api.getWorkflow(id);
			expect(stored).toMatchObject({ connections, settings: settings ?? {} });
			expect(stored.connections).toEqual(connections);
			expect(stored.nodes.map(toPlain)).toEqual(nodes.map(toPlain));
		} finally {
			await api.deleteWorkflow(id);
		}
	});

	test('send-one-sms sends one message', async () => {
		const run = await runner.run('send-one-sms', 'Start');
		expect(run.error).toBeUndefined();
		expect(run.json['Send SMS'][0]).toMatchObject([{ status: 'Accepted', to: '959791234567' }]);
		expect(runner.sandbox.messages().map(({ to }) => to)).toHaveLength(1);
	});

	describe('low-balance-alert', () => {
		test('writes an email when the balance is low', async () => {
			runner.sandbox.configure({ balance: 120 });
			const run = await runner.run('low-balance-alert', 'Every hour of the day');
			expect(run.error).toBeUndefined();
			expect(runner.mailbox.mails).toHaveLength(1);
			expect(runner.mailbox.mails[0]).toContain('The balance is 120 MMK.');
		});

		test('says so where the balance cannot be read', async () => {
			await runner.disconnect();
			const run = await runner.run('low-balance-alert', 'Every hour of the day');
			await runner.reconnect();
			expect(run.error).toBeUndefined();
			expect(runner.mailbox.mails).toEqual([
				expect.stringContaining('The balance could not be read'),
			]);
		});

		test('keeps quiet while there is enough', async () => {
			const run = await runner.run('low-balance-alert', 'Every hour of the day');
			expect(run.json['Is it enough?']).toEqual([[{ balance: 1_000_000, currency: 'MMK' }], []]);
			expect(runner.mailbox.mails).toEqual([]);
		});
	});

	describe('email-when-not-delivered', () => {
		const runWith = async (phone: string) => {
			const customer = { phone, email: 'aye@example.com', text: 'Your order is ready.' };
			return await runner.run('email-when-not-delivered', 'Start', { Customer: assign(customer) });
		};

		test('writes an email when the message cannot be delivered', async () => {
			const run = await runWith('09000000003');
			expect(run.error).toBeUndefined();
			expect(run.json['Send SMS and wait'][0]).toMatchObject([{ outcome: 'notDelivered' }]);
			expect(runner.mailbox.mails).toHaveLength(1);
			expect(runner.mailbox.mails[0]).toMatch(/To: aye@example.com[^]*Your order is ready\./);
		});

		test('writes none when it was delivered', async () => {
			const run = await runWith('09000000001');
			expect(run.json.Done[0]).toMatchObject([{ outcome: 'delivered' }]);
			expect(runner.mailbox.mails).toEqual([]);
		});
	});
});
