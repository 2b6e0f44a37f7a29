import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { until } from '../../../scripts/n8n/until';
import type { WorkflowDefinition } from '../../../scripts/n8n/n8nClient';
import { runWorkflow, startN8n, type NodeUnderTest, type OwnN8n } from '../../../tools/harness';
import {
	missingPrograms,
	postgresLogin,
	redisLogin,
	startPostgres,
	startRedis,
	type Server,
} from '../queue/services';
import { addRows } from './dataTables';
import { ExampleRunner, sharedTables, withOwnTables } from './ExampleRunner';

/** A limit against a hang: n8n is started and killed, and a busy machine takes its time. */
jest.setTimeout(900_000);

/** A trigger that runs every few seconds, as a week of minutes and hours in a few minutes. */
export const every = (seconds: number): INodeParameters => ({
	rule: { interval: [{ field: 'seconds', secondsInterval: seconds }] },
});
export const never: INodeParameters = {
	rule: { interval: [{ field: 'cronExpression', expression: '0 0 29 2 *' }] },
};

/** An example with other figures, such as waits of seconds instead of minutes. */
export function rewrite(
	example: WorkflowDefinition,
	changes: Array<[from: string | RegExp, to: string]>,
): WorkflowDefinition {
	const text = changes.reduce(
		(old, [from, to]) => old.replaceAll(from, to),
		JSON.stringify(example),
	);
	return JSON.parse(text) as WorkflowDefinition;
}

/** Whether the examples with Postgres and Redis can be played here. */
export const hasServers = missingPrograms.length === 0;

/** A whole week takes longer than the part of it that the tests make do with. */
const patienceMs = process.env.WEEK_MESSAGES ? 1_800_000 : 240_000;

/** Examples that are published side by side in one n8n, with one service and one mail server. */
export class Week {
	private constructor(
		readonly n8n: OwnN8n,
		readonly runner: ExampleRunner,
		/** Example 28, which the others report to. */
		private readonly report: { id: string },
		/** Redis and Postgres. */
		readonly servers: Server[],
	) {}

	/** @param credentials of other services, by type */
	static async open(credentials: Record<string, Record<string, unknown>> = {}): Promise<Week> {
		return await Week.start(credentials, []);
	}

	/** With a Redis and a Postgres where there are such. */
	static async openWithServers(more: Record<string, Record<string, unknown>> = {}): Promise<Week> {
		if (!hasServers) return await Week.open(more);
		const [redis, postgres] = await Promise.all([startRedis(), startPostgres()]);
		const logins = { redis: redisLogin(redis), postgres: postgresLogin(postgres) };
		return await Week.start({ ...more, ...logins }, [redis, postgres]);
	}

	private static async start(
		credentials: Record<string, Record<string, unknown>>,
		servers: Server[],
	): Promise<Week> {
		const n8n = await startN8n({ env: { N8N_METRICS: 'true' } });
		const runner = await ExampleRunner.open(credentials, n8n);
		const report = await runner.activate(withOwnTables('morning-report'), {
			'Every morning': never,
		});
		return new Week(n8n, runner, report, servers);
	}

	async close(): Promise<void> {
		await this.runner.close();
		await this.n8n.close();
		for (const server of this.servers) await server.close();
	}

	/** The example as its note says to publish it: with example 28 as error workflow. */
	take(name: string): WorkflowDefinition {
		const example = withOwnTables(name);
		return { ...example, settings: { ...example.settings, errorWorkflow: this.report.id } };
	}

	/** The email of example 28. */
	async readReport(): Promise<string> {
		const before = this.runner.mailbox.mails.length;
		await this.n8n.api.finishedExecution(
			await this.n8n.api.runManually(this.report.id, 'Every morning'),
		);
		return this.runner.mailbox.mails.slice(before).join('\n');
	}

	/** The name that the data table of an example has here. */
	tableOf({ nodes }: WorkflowDefinition): string {
		const names = nodes.flatMap(({ parameters }) => parameters.tableName ?? []);
		return String(names.find((name) => !sharedTables.includes(String(name))));
	}

	/** By the requests of the editor, which cost n8n less than a workflow that reads. */
	async rowsOf(example: WorkflowDefinition): Promise<IDataObject[]> {
		const { http } = this.n8n.api;
		const read = async (path: string, params = {}) =>
			(await http.get<{ data: IDataObject & { data: IDataObject[] } }>(path, { params })).data.data;
		const tables = `/rest/projects/${String((await read('/rest/projects/personal')).id)}/data-tables`;
		const filter = JSON.stringify({ name: this.tableOf(example) });
		const [{ id }] = (await read(tables, { filter })).data;
		const rows: IDataObject[] = [];
		for (;;) {
			const page = (await read(`${tables}/${String(id)}/rows`, { skip: rows.length, take: 250 }))
				.data;
			if (page.length === 0) return rows;
			rows.push(...page);
		}
	}

	async addRows(example: WorkflowDefinition, rows: IDataObject[]): Promise<void> {
		await addRows(this.runner, this.tableOf(example), rows);
	}

	/** @returns the rows of the Postgres that the credential is for */
	async query(text: string): Promise<IDataObject[]> {
		const node: NodeUnderTest = {
			...{ name: 'Rows', type: 'n8n-nodes-base.postgres', typeVersion: 2.6 },
			parameters: { operation: 'executeQuery', query: text, options: {} },
			credentials: this.runner.credentialsFor('postgres'),
		};
		return (await runWorkflow(this.n8n.api, [node])).json.Rows[0] as IDataObject[];
	}

	/** Until so many executions of workflows have a status. */
	async untilThere(status: string, count: number, ids: string[]): Promise<void> {
		await this.until(`${count} executions with the status ${status}`, async () => {
			const { [status]: found = 0 } = await this.statusesOf(ids);
			return found === count || undefined;
		});
	}

	/** How many executions of workflows ended how, of those that n8n has saved. */
	async statusesOf(ids: string[]): Promise<Record<string, number>> {
		const saved = await Promise.all(ids.map(async (id) => await this.n8n.api.executions(id)));
		const counts: Record<string, number> = {};
		for (const { status } of saved.flat()) counts[status] = (counts[status] ?? 0) + 1;
		return counts;
	}

	/** Executions that were retried. */
	readonly retried = new Set<string>();

	/** What an owner does in the list of executions: Retry, once for each that ended so. */
	async retry(ids: string[], ended: 'crashed' | 'error'): Promise<void> {
		const saved = await Promise.all(ids.map(async (id) => await this.n8n.api.executions(id)));
		for (const { id, status } of saved.flat()) {
			if (status !== ended || this.retried.has(id)) continue;
			this.retried.add(id);
			await this.n8n.api.retry(id, { loadWorkflow: false });
		}
	}

	/** Those of some messages that no saved execution holds, so that no Retry brings them back. */
	async findLost(ids: string[], messageIds: string[]): Promise<string[]> {
		if (messageIds.length === 0) return [];
		const saved = await Promise.all(ids.map(async (id) => await this.n8n.api.executions(id)));
		const executions = await Promise.all(
			saved.flat().map(async ({ id }) => JSON.stringify(await this.n8n.api.execution(id))),
		);
		return messageIds.filter(
			(messageId) => !executions.some((data) => data.includes(`${messageId}\\"`)),
		);
	}

	/** Bytes of n8n's heap, after a garbage collection or not, and of its process. */
	async memory(): Promise<{ heap: number; resident: number }> {
		const { data } = await this.n8n.api.http.get<string>(`${this.n8n.url}/metrics`);
		const read = (name: string) =>
			Number(new RegExp(`^n8n_${name} ([\\d.e+]+)`, 'm').exec(data)?.[1]);
		return {
			heap: read('nodejs_heap_size_used_bytes'),
			resident: read('process_resident_memory_bytes'),
		};
	}

	async until<T>(what: string, check: () => Promise<T | undefined>): Promise<T> {
		return await until(check, { what, timeoutMs: patienceMs, everyMs: 2_000 });
	}
}
