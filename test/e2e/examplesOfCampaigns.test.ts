import type { IDataObject } from 'n8n-workflow';

import { isN8n1 } from '../../scripts/n8n/paths';
import { until } from '../../scripts/n8n/until';
import { connectToSharedN8n, runWorkflow, type N8n, type NodeUnderTest } from '../../tools/harness';
import {
	missingPrograms,
	postgresLogin,
	startPostgres,
	type Server,
} from '../support/queue/services';
import { readExample } from '../../scripts/n8n/examples';
import { ExampleRunner } from '../support/e2e/ExampleRunner';
import { addLookalike, optOut } from '../support/e2e/dataTables';
import { sinceN8n2 } from '../support/e2e/sinceN8n2';
import { rewrite } from '../support/e2e/Week';

const hasPostgres = !missingPrograms.includes('postgresql');
const table = { __rl: true, mode: 'name', value: 'Campaign (example 09)' };

interface Campaign {
	name: string;
	/** The start by hand that creates its tables. */
	setUp: string;
	/** By which its messages are told from those of the other one. */
	from: string;
	/** Adds recipients to its table: items with `phone` and `message`. */
	add: NodeUnderTest;
	/** Reads its table. */
	read: NodeUnderTest;
}

const inDataTable: Campaign = {
	name: 'long-campaign',
	setUp: 'Once: create SMS opt-outs',
	from: 'Table',
	add: {
		...{ name: 'Rows', type: 'n8n-nodes-base.dataTable', typeVersion: 1.1 },
		parameters: {
			...{ resource: 'row', operation: 'insert', dataTableId: table },
			columns: { mappingMode: 'autoMapInputData', value: null },
		},
	},
	read: {
		...{ name: 'Rows', type: 'n8n-nodes-base.dataTable', typeVersion: 1.1 },
		parameters: { resource: 'row', operation: 'get', dataTableId: table, returnAll: true },
	},
};

const query = (text: string, values?: string): NodeUnderTest => ({
	...{ name: 'Rows', type: 'n8n-nodes-base.postgres', typeVersion: 2.6 },
	parameters: {
		...{ operation: 'executeQuery', query: text },
		options: values === undefined ? {} : { queryReplacement: values },
	},
});
const inPostgres: Campaign = {
	name: 'long-campaign-postgres',
	setUp: 'Start once',
	from: 'Postgres',
	add: query(
		'INSERT INTO campaign (phone, message, status) VALUES ($1, $2, $3)',
		'={{ [$json.phone, $json.message, $json.status] }}',
	),
	read: query('SELECT *, message_id AS "messageId" FROM campaign'),
};

const withDataTable = sinceN8n2('Data Table node that makes tables').describe;
const withPostgres = hasPostgres ? describe : describe.skip;
const possible = [...(isN8n1() ? [] : [inDataTable]), ...(hasPostgres ? [inPostgres] : [])];
const ifPossible = possible.length > 0 ? describe : describe.skip;

/** The example with other figures, so that a test need not wait for a quarter of an hour to have a row taken up again. */
function hasten({ name, from }: Campaign, seconds = 60) {
	const text = JSON.stringify(readExample(name))
		.replaceAll('minus({ minutes: 15 })', `minus({ seconds: ${seconds} })`)
		.replaceAll("interval '15 minutes'", `interval '${seconds} seconds'`)
		.replaceAll('"executionTimeout":600', '"executionTimeout":50')
		.replaceAll(/LIMIT 1000|"limit":1000/g, (limit) => limit.replace('1000', '100'))
		.replaceAll('"from":""', `"from":"${from}"`)
		.replaceAll(/("from":"[^"]*",)"options":\{/g, '$1"options":{"recipientsPerRequest":10,');
	return JSON.parse(text) as ReturnType<typeof readExample>;
}

ifPossible('a campaign that runs over several executions', () => {
	let n8n: N8n;
	let postgres: Server | undefined;
	let runner: ExampleRunner;

	beforeAll(async () => {
		postgres = hasPostgres ? await startPostgres() : undefined;
		n8n = await connectToSharedN8n();
		runner = await ExampleRunner.open(postgres ? { postgres: postgresLogin(postgres) } : {}, n8n);
	});
	afterEach(async () => await runner.reset());
	afterAll(async () => {
		await runner?.close();
		await postgres?.close();
	});

	const run = async (node: NodeUnderTest, items?: IDataObject[]) => {
		const credentials = node.type.endsWith('.postgres') ? runner.credentialsFor('postgres') : {};
		const done = await runWorkflow(n8n.api, [{ ...node, credentials }], items);
		expect(done.error).toBeUndefined();
		return done.json.Rows[0];
	};
	const sentBy = ({ from }: Campaign) =>
		runner.sandbox.messages().filter((message) => message.from === from);
	const countSent = () => runner.sandbox.messages().length;

	const testOneOf = (campaign: Campaign) => () => {
		/** Executes the example, and gives the rows of some numbers. */
		const execute = async (workflow: Parameters<typeof runner.execute>[0]) =>
			await runner.execute(workflow, 'Every minute of the day');
		const statuses = async () =>
			Object.fromEntries(
				(await run(campaign.read)).map(({ phone, status, problem }) => [phone, [status, problem]]),
			);
		const prepare = async (phones: string[], seconds?: number) => {
			const workflow = await runner.importWorkflow(hasten(campaign, seconds));
			expect((await runner.execute(workflow, campaign.setUp)).error).toBeUndefined();
			await execute(workflow);
			await run(
				campaign.add,
				phones.map((phone) => ({ phone, message: 'We moved.', status: 'waiting' })),
			);
			await runner.renewService();
			return workflow;
		};

		test('marks rows that were rejected, and continues with the others', async () => {
			const workflow = await prepare(['nobody', '09000000011', '09795555555']);
			await run(campaign.add, [{ phone: '09795555556', message: '', status: 'waiting' }]);
			expect((await execute(workflow)).error).toBeUndefined();
			expect(await statuses()).toMatchObject({
				'09795555556': ['rejected', expect.stringMatching(/message.* is empty/i)],
				nobody: ['rejected', expect.stringContaining('To is not a phone number')],
				'09000000011': ['rejected', expect.stringContaining('Invalid Sender ID')],
				'09795555555': ['sent', ''],
			});
			expect(sentBy(campaign)).toMatchObject([{ to: '959795555555', message: 'We moved.' }]);
		});

		test('sends rows whose status is waiting in any spelling, and none with another word', async () => {
			const workflow = await prepare(['09795555551']);
			const words = ['Waiting', 'waiting ', 'WAITING', '', 'later'];
			await run(
				campaign.add,
				words.map((status, n) => ({ phone: `0979666660${n}`, message: 'We moved.', status })),
			);
			expect((await execute(workflow)).error).toBeUndefined();
			const sent = sentBy(campaign).map(({ to }) => to);
			const spelled = [0, 1, 2].map((n) => `95979666660${n}`);
			expect(sent.sort()).toEqual(['959795555551', ...spelled]);
		});

		test('keeps rows that the service did not accept, reports them, and sends them later', async () => {
			const workflow = await prepare(['09796666666'], 5);
			runner.sandbox.addFault({ match: { path: '/rest/*' }, effect: { status: 401 } });
			const failed = await execute(workflow);
			expect(failed.error?.message).toMatch(/^Rows to be retried in 15 minutes: 1\./);
			expect(await statuses()).toMatchObject({ '09796666666': ['sending', expect.anything()] });
			runner.sandbox.clearFaults();
			await until(
				async () => {
					await execute(workflow);
					return countSent() > 0 || undefined;
				},
				{ what: 'the row to be taken up again', everyMs: 1000 },
			);
			expect(await statuses()).toMatchObject({ '09796666666': ['sent', ''] });
			expect(sentBy(campaign)).toHaveLength(1);
		});

		test('sends each row once when several runs start at the same time', async () => {
			const phones = Array.from({ length: 250 }, (_, n) => `0978${1_000_000 + n}`);
			const workflow = await prepare(phones);
			const runs = await Promise.all(Array.from({ length: 5 }, () => execute(workflow)));
			expect(runs.map(({ error }) => error?.message)).toEqual(Array(5).fill(undefined));
			// A run that finds its rows taken by another one leaves the others to the next.
			for (let more = 0; more < 5 && sentBy(campaign).length < 250; more += 1)
				await execute(workflow);
			const sent = sentBy(campaign).map(({ to }) => to);
			expect(sent.length).toBe(250);
			expect(new Set(sent).size).toBe(250);
		});
	};
	withDataTable(inDataTable.name, testOneOf(inDataTable));
	withDataTable('long-campaign and opt-outs', () => {
		test('texts nobody who opted out, and sends nothing without the table', async () => {
			const workflow = await runner.importWorkflow(hasten(inDataTable));
			await runner.execute(workflow, inDataTable.setUp);
			await runner.execute(workflow, 'Every minute of the day');
			await runner.renewService();
			const rows = ['09798888881', '09798888882'].map((phone) => ({
				...{ phone, message: 'We moved.', status: 'waiting' },
			}));
			await run(inDataTable.add, rows);
			await optOut(runner, '+95 979 888 8882');
			await addLookalike(runner);
			const { error, json } = await runner.execute(workflow, 'Every minute of the day');
			expect(error).toBeUndefined();
			const outcome = json['Save the outcome'][0].map(({ status }) => status);
			expect(outcome).toEqual(['sent', 'optedOut']);
			expect(sentBy(inDataTable).map(({ to }) => to)).toEqual(['959798888881']);

			await run(inDataTable.add, [{ ...rows[0], message: 'We moved again.' }]);
			const renamed = rewrite(hasten(inDataTable), [['SMS opt-outs', 'No such table']]);
			const stopped = await runner.execute(
				await runner.importWorkflow(renamed),
				'Every minute of the day',
			);
			expect(stopped.error?.message).toMatch(/Data table .*No such table/);
			expect(sentBy(inDataTable)).toHaveLength(1);
			await runner.execute(workflow, 'Every minute of the day');
		});
	});
	withPostgres(inPostgres.name, testOneOf(inPostgres));
});
