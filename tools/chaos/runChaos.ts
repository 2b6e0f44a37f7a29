import type { IDataObject } from 'n8n-workflow';
import type { StoredMessage } from '../../sandbox';
import { describeRun, runWorkflow, type N8nApi, type WorkflowRun } from '../../test/e2e/harness';
import { startChaosSandbox, type ChaosSandbox } from './chaosSandbox';
import type { Contender } from './contenders';
import { createFaultRules, historyLagMs } from './faultMix';

export interface ChaosReport {
	label: string;
	isOurs: boolean;
	wanted: number;
	/** Wanted messages that the service has exactly once. */
	once: number;
	/** Messages that the service has although nobody wanted them (any more). */
	extra: number;
	/** Wanted messages that the service does not have. */
	missing: number;
	/** Messages that the service has and the output neither holds nor reports as unknown. */
	unreported: number;
	/** Error items with the words "outcome unknown". */
	unknown: number;
	requests: number;
	seconds: number;
	status: string;
	/** How often the failed execution was retried by hand. */
	retries: number;
}

const longestRunMs = 30 * 60_000;
const mostRetries = 3;

function wantedMessages(count: number): IDataObject[] {
	return Array.from({ length: count }, (_, index) => ({
		to: `95977${String(1_000_000 + index)}`,
		message: `Message ${index}`,
	}));
}

/** Runs one contender; one of ours that failed is retried as a user would do it in the editor. */
async function run(api: N8nApi, contender: Contender, items: IDataObject[], sandbox: ChaosSandbox) {
	const type = 'messagingServiceApi';
	const credential = await api.createCredential({ name: 'Chaos', type, data: sandbox.credential });
	const node = {
		...contender.createNode(sandbox.credential.baseUrl),
		credentials: { [type]: credential },
	};
	const options = { keep: true, timeoutMs: longestRunMs };
	let last = await runWorkflow(api, [node], items, options);
	let retries = 0;
	while (contender.isOurs && last.status === 'error' && retries < mostRetries) {
		retries += 1;
		const id = await api.retry(last.executionId, { loadWorkflow: false });
		last = describeRun(last.workflowId, await api.finishedExecution(id, [], longestRunMs));
	}
	return { last, retries };
}

function countByNumber(messages: StoredMessage[]): Map<string, number> {
	const counts = new Map<string, number>();
	for (const { to } of messages) counts.set(to, (counts.get(to) ?? 0) + 1);
	return counts;
}

function readOutput({ json }: WorkflowRun) {
	const items = json.Send?.flat() ?? [];
	const isUnknown = ({ error }: IDataObject) => String(error).includes('outcome unknown');
	const unknown = items.filter(isUnknown).map(({ details }) => (details as IDataObject).to);
	return { unknown, known: new Set([...items.map(({ messageId }) => messageId), ...unknown]) };
}

function account(items: IDataObject[], stored: StoredMessage[], last: WorkflowRun) {
	const counts = countByNumber(stored);
	const times = items.map(({ to }) => counts.get(String(to)) ?? 0);
	const { unknown, known } = readOutput(last);
	const unreported = stored.filter(({ messageId, to }) => !known.has(messageId) && !known.has(to));
	return {
		wanted: items.length,
		once: times.filter((number) => number === 1).length,
		extra: stored.length - times.filter((number) => number > 0).length,
		missing: times.filter((number) => number === 0).length,
		unreported: unreported.length,
		unknown: unknown.length,
	};
}

/** Lets a node send the messages through the faults, in a running n8n, against a sandbox of its own. */
export async function runChaos(
	api: N8nApi,
	contender: Contender,
	count: number,
): Promise<ChaosReport> {
	const sandbox = await startChaosSandbox();
	try {
		await sandbox.prepare(createFaultRules({}), {
			historyLagMs,
			latencyMs: 10,
			latencyJitterMs: 30,
		});
		const items = wantedMessages(count);
		const startedAt = Date.now();
		const { last, retries } = await run(api, contender, items, sandbox);
		const seconds = (Date.now() - startedAt) / 1000;
		const { requests } = await sandbox.stats();
		const { label, isOurs } = contender;
		const figures = account(items, await sandbox.messages(), last);
		return { label, isOurs, ...figures, requests, seconds, status: last.status, retries };
	} finally {
		await sandbox.close();
	}
}

export function isExactlyOnce({ extra, missing }: ChaosReport): boolean {
	return extra === 0 && missing === 0;
}
