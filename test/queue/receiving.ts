import { httpClient } from '../../scripts/http';
import type { IDataObject, INode } from 'n8n-workflow';

import { until } from '../../scripts/n8n/until';
import { describeRun, runWorkflow } from '../../tools/harness';
import { readExample } from '../../scripts/n8n/examples';
import { ExampleRunner } from '../support/e2e/ExampleRunner';
import { countWhenDone, reportMany } from '../support/e2e/manyReceipts';
import { publishTrigger } from '../support/e2e/publishTrigger';
import { useNextStep, type NextStep } from '../support/queue/nextStep';
import { postgresSettings } from '../support/queue/queuedN8n';
import type { Queue } from '../support/queue/useQueue';

const message = { to: '={{ $json.to }}', message: 'Your table is free', from: 'Bistro' };
const recipient = { to: '09791234567' };
const secret = 'of-the-trigger-alone';
const burst = 300;
const callersOfEach = 50;

export function describeReceiving(queue: Queue): void {
	const nextStep = useNextStep();

	/** The address of a trigger at each webhook processor, as soon as both know it. */
	const findAddresses = async (path: string) => {
		const addresses = queue.n8n.webhookProcessors.map(({ url }) => `${url}/webhook/${path}`);
		for (const url of addresses) {
			const isKnown = async () =>
				(await httpClient.post(url, {}, { validateStatus: () => true })).status !== 404 ||
				undefined;
			await until(isKnown, { what: 'the trigger to be published' });
		}
		return addresses;
	};

	test('accepts a receipt at a webhook processor, and nothing without the secret', async () => {
		const { n8n, sandbox } = queue;
		const { api, webhookUrl } = n8n;
		const parameters = { options: { secret } };
		const trigger = await publishTrigger({ api, webhookUrl, parameters });
		const url = `${trigger.url}?secret=${encodeURIComponent(secret)}`;
		const send = queue.makeNode('smsSend', { ...message, options: { deliveryReceiptUrl: url } });
		await runWorkflow(api, [send], [recipient]);
		const [{ messageId }] = sandbox.messages();
		await sandbox.setStatus(messageId, 'Delivered');
		expect(sandbox.receipts()).toEqual([expect.objectContaining({ answered: 200 })]);
		expect(await trigger.items(1)).toEqual([
			[expect.objectContaining({ messageId, delivered: true, final: true })],
		]);
		expect((await trigger.call({ params: { messageId, status: 'Sent' } })).status).toBe(401);
	});

	describe('the example receipts-once-postgres', () => {
		const name = 'receipts-once-postgres';
		let runner: ExampleRunner;
		beforeAll(async () => {
			runner = await openRunner(queue);
		});
		afterAll(async () => await runner?.close());

		test('acts once on each receipt that both webhook processors take at the same time', async () => {
			expect((await runner.run(name, 'Start once')).error).toBeUndefined();
			const { id, nodes } = await publishExample(runner, name, nextStep);
			const trigger = nodes.find(({ name: one }) => one === 'Delivery receipt');
			const addresses = await findAddresses(`${trigger?.webhookId}/webhook`);
			const messageIds = Array.from({ length: 100 }, (_, n) => `${name} ${n}`);
			const report = async (url: string) =>
				await reportMany(`${url}?secret=${encodeURIComponent(secret)}`, messageIds, 20);
			const statuses = (await Promise.all(addresses.map(report))).flat();
			expect(statuses).toEqual(Array(200).fill(200));
			await countWhenDone(queue.n8n.api, id);
			// The processors do not know of each other: it is the step behind the trigger that decides.
			expect(idsOf(nextStep)).toEqual(messageIds.sort());
		});
	});

	test(`gives the next step each of ${burst} receipts once that come in a burst to both`, async () => {
		const { api, webhookUrl } = queue.n8n;
		const { workflowId, url } = await publishTrigger({
			...{ api, webhookUrl, typeVersion: 2 },
			next: nextStep.makeNode('Next'),
		});
		const addresses = await findAddresses(url.replace(`${webhookUrl}/webhook/`, ''));
		const messageIds = Array.from({ length: burst }, (_, n) => `burst ${n}`);
		const begun = Date.now();
		const report = async (address: string, part: number) =>
			await reportMany(
				address,
				messageIds.filter((_, n) => n % addresses.length === part),
				callersOfEach,
			);
		const statuses = (await Promise.all(addresses.map(report))).flat();
		const answered = Date.now() - begun;
		expect(statuses.filter((status) => status !== 200)).toEqual([]);
		const executions = await countWhenDone(api, workflowId);
		const seconds = (ms: number) => (ms / 1000).toFixed(0);
		process.stdout.write(
			`${burst} receipts: answered in ${seconds(answered)} s, worked on in ${seconds(Date.now() - begun)} s, ${executions} executions\n`,
		);
		expect(idsOf(nextStep)).toEqual(messageIds.sort());
	});

	const sendAndWait = () =>
		queue.makeNode(
			'smsSendAndWait',
			{ ...message, waitFor: 'anyFinal', timeLimit: 5, simplify: false, options: {} },
			{ webhookId: 'send-and-wait' },
		);

	test('wakes a waiting execution by its receipt, through the webhook processor', async () => {
		const { n8n, sandbox } = queue;
		const run = await runWorkflow(n8n.api, [sendAndWait()], [recipient], {
			orStatus: ['waiting'],
		});
		expect(run.status).toBe('waiting');
		const { deliveryReceiptUrl } = sandbox.requests()[0].body as IDataObject;
		expect(String(deliveryReceiptUrl)).toContain(`${n8n.webhookUrl}/`);
		await sandbox.setStatus(sandbox.messages()[0].messageId, 'Delivered');
		const execution = await n8n.api.finishedExecution(run.executionId);
		const { status, json } = describeRun(run.workflowId, execution);
		expect(status).toBe('success');
		expect(json.Node[0]).toEqual([
			expect.objectContaining({ outcome: 'delivered', status: 'Delivered' }),
		]);
	});

	test('wakes a waiting execution by what history knows, asked by the worker at the webhook processor', async () => {
		queue.sandbox.configure({ pace: 1_500 });
		const withoutReceipts = { to: '09000000017' };
		const begun = Date.now();
		const run = await runWorkflow(queue.n8n.api, [sendAndWait()], [withoutReceipts]);
		expect(run.json.Node[0]).toMatchObject([{ outcome: 'delivered', receipt: null }]);
		expect(Date.now() - begun).toBeLessThan(60_000);
	});
}

function idsOf(nextStep: NextStep): string[] {
	return nextStep
		.items()
		.map(({ messageId }) => String(messageId))
		.sort();
}

/** Imports examples into the n8n in queue mode, with credentials of its Redis and its Postgres. */
async function openRunner({ n8n }: Queue): Promise<ExampleRunner> {
	const settings = postgresSettings(n8n.postgres);
	return await ExampleRunner.open(
		{
			redis: { host: '127.0.0.1', port: n8n.redis.port, database: 0 },
			postgres: {
				...{ host: '127.0.0.1', port: n8n.postgres.port, ssl: 'disable' },
				database: settings.DB_POSTGRESDB_DATABASE,
				user: settings.DB_POSTGRESDB_USER,
				password: settings.DB_POSTGRESDB_PASSWORD,
			},
		},
		n8n,
	);
}

/** With a secret, and with a step of ours in the place that is made for it. */
async function publishExample(runner: ExampleRunner, name: string, nextStep: NextStep) {
	const example = readExample(name);
	const placeOfUsers = 'Act on it';
	const nodes = example.nodes.map((node) =>
		node.name === placeOfUsers ? ({ ...node, ...nextStep.makeNode(placeOfUsers) } as INode) : node,
	);
	const changes = { 'Delivery receipt': { secret } };
	const workflow = await runner.importWorkflow({ ...example, nodes }, changes);
	await runner.n8n.api.activate(workflow.id);
	return workflow;
}
