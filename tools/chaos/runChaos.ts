import type { IDataObject } from 'n8n-workflow';
import { until } from '../../scripts/n8n/until';
import {
	describeRun,
	startWorkflow,
	type N8nApi,
	type NodeUnderTest,
	type OwnN8n,
	type WorkflowRun,
} from '../harness';
import { runAgain } from '../../test/support/e2e/runAgain';
import { accountFor, wantedMessages, type Account } from './account';
import { startChaosSandbox, type ChaosSandbox } from './chaosSandbox';
import type { Contender } from './contenders';
import type { Scenario } from './scenarios';

export interface ChaosReport extends Account {
	label: string;
	isOurs: boolean;
	requests: number;
	seconds: number;
	status: string;
	/** How often the failed execution was retried by hand. */
	retries: number;
}

/** Where a scenario takes place; one that kills n8n needs an n8n of its own. */
export interface Place {
	api: N8nApi;
	crash?: OwnN8n['crash'];
}

const longestRunMs = 30 * 60_000;
const mostRetries = 3;

async function createNode(
	{ api }: Place,
	scenario: Scenario,
	contender: Contender,
	{ credential }: ChaosSandbox,
): Promise<NodeUnderTest> {
	const type = 'messagingServiceApi';
	const saved = await api.createCredential({ name: 'Chaos', type, data: credential });
	return {
		...contender.createNode(credential.baseUrl, scenario),
		credentials: { [type]: saved },
	};
}

async function isWithService(sandbox: ChaosSandbox, count: number): Promise<void> {
	await until(async () => (await sandbox.messages()).length >= count || undefined, {
		what: `${count} messages to be with the service`,
		timeoutMs: longestRunMs,
		everyMs: 20,
	});
}

/** Starts the workflow, and once more when n8n is killed in its middle. */
async function run(
	{ api, crash }: Place,
	{ killedAfter }: Scenario,
	node: NodeUnderTest,
	items: IDataObject[],
	sandbox: ChaosSandbox,
): Promise<WorkflowRun> {
	const { workflowId, executionId } = await startWorkflow(api, [node], items);
	if (killedAfter === undefined) {
		return describeRun(workflowId, await api.finishedExecution(executionId, [], longestRunMs));
	}
	if (!crash) throw new Error('This n8n is not ours to be killed.');
	await isWithService(sandbox, items.length * killedAfter);
	await crash();
	return await runAgain(api, workflowId, items, { timeoutMs: longestRunMs });
}

/** What a user does in the editor with an execution that failed. */
export async function retryFailed({ api }: Place, first: WorkflowRun) {
	let last = first;
	let retries = 0;
	while (last.status === 'error' && retries < mostRetries) {
		retries += 1;
		const id = await api.retry(last.executionId, { loadWorkflow: false });
		last = describeRun(last.workflowId, await api.finishedExecution(id, [], longestRunMs));
	}
	return { last, retries };
}

/** Lets a node send so many messages while the scenario takes place, against a sandbox of its own. */
export async function runChaos(
	place: Place,
	scenario: Scenario,
	contender: Contender,
	count = scenario.count,
): Promise<ChaosReport> {
	const sandbox = await startChaosSandbox();
	try {
		await sandbox.prepare(scenario.faults, scenario.settings);
		const node = await createNode(place, scenario, contender, sandbox);
		const { label, isOurs } = contender;
		const items = wantedMessages(count);
		const startedAt = Date.now();
		const first = await run(place, scenario, node, items, sandbox);
		const { last, retries } = isOurs
			? await retryFailed(place, first)
			: { last: first, retries: 0 };
		const seconds = (Date.now() - startedAt) / 1000;
		const { requests } = await sandbox.stats();
		await sandbox.finishLateActs();
		const output = last.json.Send?.flat() ?? [];
		const account = accountFor(items, await sandbox.messages(), output);
		return { label, isOurs, ...account, requests, seconds, status: last.status, retries };
	} finally {
		await sandbox.close();
	}
}
