import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { readExample } from '../../../scripts/n8n/examples';

/** What a Code node reads, and what n8n keeps for it between executions. */
interface Given {
	input?: object[];
	/** By the name of the node that returned them. */
	nodes?: Record<string, object[]>;
	staticData?: IDataObject;
}

const toItems = (all: object[] = []) => all.map((json) => ({ json }));

/** Runs a Code node of an example at the time that the clock shows. @returns the JSON of its items */
export function runCode(
	example: string,
	name: string,
	{ input = [], nodes = {}, staticData = {} }: Given,
): IDataObject[] {
	const workflow = readExample(example);
	const node = workflow.nodes.find((one) => one.name === name);
	const known = {
		$: (other: string) => {
			const items = toItems(nodes[other]);
			const params = workflow.nodes.find((one) => one.name === other)?.parameters;
			return { all: () => items, first: () => items[0], isExecuted: other in nodes, params };
		},
		$input: { all: () => toItems(input) },
		$now: DateTime.now().setZone(workflow.settings?.timezone as string),
		$getWorkflowStaticData: () => staticData,
		DateTime,
	};
	const run = new Function(...Object.keys(known), String(node?.parameters.jsCode));
	const items = run(...Object.values(known)) as Array<{ json: IDataObject }>;
	return items.map(({ json }) => json);
}
