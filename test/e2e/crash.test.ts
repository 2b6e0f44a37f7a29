import { startSandbox } from '../../sandbox';
import { until } from '../../scripts/n8n/until';
import {
	describeRun,
	inCollections,
	startN8n,
	startWorkflow,
	type OwnN8n,
} from '../../tools/harness';
import { runAgain } from '../support/e2e/runAgain';
import { createCredentials } from '../support/e2e/useService';
import { accountFor, allOnce, mapped, wantedMessages } from '../support/workflow/sending';

const historyLagMs = 1_000;
const count = 100;
const mostRetries = 3;

const senders = [
	{
		type: 'smsSend',
		options: { parallelRequests: 5, clientReference: '={{ $json.message }}' },
	},
	{ type: 'smsBulkSend', options: { recipientsPerRequest: 5 } },
];

/** SECURITY.md: "Where a workflow may start again, use Skip If Already Sent." */
describe('after n8n was killed', () => {
	let n8n: OwnN8n;
	beforeAll(async () => void (n8n = await startN8n()));
	afterAll(async () => await n8n?.close());

	test.each(senders)(
		'$type with Skip If Already Sent sends each message once when the workflow starts again',
		async ({ type, options }) => {
			const sandbox = await startSandbox({ pace: 0 });
			try {
				sandbox.configure({ latencyMs: 200, historyLagMs });
				const node = {
					name: 'Send',
					type,
					parameters: { ...mapped, ...inCollections({ ...options, skipIfAlreadySent: true }) },
					credentials: { ...(await createCredentials(n8n.api, sandbox)) },
				};
				const items = wantedMessages(count);
				const { workflowId } = await startWorkflow(n8n.api, [node as never], items);
				const isHalfDone = async () => sandbox.messages().length >= 0.4 * count || undefined;
				await until(isHalfDone, { what: 'messages', timeoutMs: 60_000, everyMs: 20 });
				await n8n.crash();
				expect(sandbox.messages().length).toBeLessThan(count);

				let last = await runAgain(n8n.api, workflowId, items);
				for (let n = 0; last.status === 'error' && n < mostRetries; n += 1) {
					const id = await n8n.api.retry(last.executionId, { loadWorkflow: false });
					last = describeRun(workflowId, await n8n.api.finishedExecution(id));
				}
				expect(accountFor(sandbox, items, last.json.Send.flat())).toEqual(allOnce(count));
			} finally {
				await sandbox.close();
			}
		},
		240_000,
	);
});
