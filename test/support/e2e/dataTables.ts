import type { IDataObject } from 'n8n-workflow';

import { runWorkflow } from '../../../tools/harness';
import type { ExampleRunner } from './ExampleRunner';

/** The rows of a data table that the examples share, oldest first. */
export async function readTable(runner: ExampleRunner, name: string): Promise<IDataObject[]> {
	return await readRows(runner, runner.tableOf(name));
}

/** The rows of any data table, oldest first. */
export async function readRows(runner: ExampleRunner, table: string): Promise<IDataObject[]> {
	const dataTableId = { __rl: true, mode: 'name', value: table };
	const node = {
		...{ name: 'Rows', type: 'n8n-nodes-base.dataTable', typeVersion: 1.1 },
		parameters: { resource: 'row', operation: 'get', dataTableId, returnAll: true },
	};
	const { error, json } = await runWorkflow(runner.n8n.api, [node]);
	if (error) throw new Error(error.message);
	return json.Rows[0];
}

/** Adds rows to any data table. */
export async function addRows(
	runner: ExampleRunner,
	table: string,
	rows: IDataObject[],
): Promise<void> {
	const dataTableId = { __rl: true, mode: 'name', value: table };
	const columns = { mappingMode: 'autoMapInputData', value: null };
	const node = {
		...{ name: 'Rows', type: 'n8n-nodes-base.dataTable', typeVersion: 1.1 },
		parameters: { resource: 'row', operation: 'insert', dataTableId, columns },
	};
	const { error } = await runWorkflow(runner.n8n.api, [node], rows);
	if (error) throw new Error(error.message);
}

/** Adds a row to the data table of opt-outs. */
export async function optOut(runner: ExampleRunner, phone: string): Promise<void> {
	await addRows(runner, runner.tableOf('SMS opt-outs'), [{ phone }]);
}

/** Creates a data table with one column. */
export async function createTable(runner: ExampleRunner, tableName: string): Promise<void> {
	const columns = { column: [{ name: 'phone', type: 'string' }] };
	const node = {
		...{ name: 'Table', type: 'n8n-nodes-base.dataTable', typeVersion: 1.1 },
		parameters: { resource: 'table', operation: 'create', tableName, columns, options: {} },
	};
	const { error } = await runWorkflow(runner.n8n.api, [node]);
	if (error) throw new Error(error.message);
}

/** Makes a newer table whose name contains that of the opt-outs, as a copy that somebody keeps. */
export const addLookalike = async (runner: ExampleRunner): Promise<void> =>
	await createTable(runner, `${runner.tableOf('SMS opt-outs')} old`);
