import type { IDataObject } from 'n8n-workflow';

import { startSandbox, type FaultRule, type Sandbox } from '../../sandbox';
import { mapped, wantedMessages } from '../support/workflow/sending';
import { connectToSharedN8n, inCollections, runWorkflow } from '../../tools/harness';
import { createCredentials } from '../support/e2e/useService';

const second = 1_000;

interface Outage {
	what: string;
	faults: Array<Omit<FaultRule, 'count'>>;
	options?: IDataObject;
	mostMs: number;
}

const outages: Outage[] = [
	{ what: 'everything responds 503', faults: [{ effect: { status: 503 } }], mostMs: 20 * second },
	{
		what: 'everything hangs, with a timeout of 5 seconds',
		faults: [{ effect: 'hang' }],
		options: { timeout: 5 * second },
		mostMs: 30 * second,
	},
	{
		what: 'only sends respond 503',
		faults: [
			{ match: { path: '/rest/send' }, effect: { status: 503 } },
			{ match: { path: '/rest/send/bulk' }, effect: { status: 503 } },
		],
		mostMs: 75 * second,
	},
];

/** docs/scaling.md, "When the service is down": how long an execution is held in a real n8n, with the defaults. */
describe.each(['smsSend', 'smsBulkSend'])('one message of %s is reported in time, when', (type) => {
	const open: Sandbox[] = [];
	afterAll(async () => await Promise.all(open.map(async (sandbox) => await sandbox.close())));

	test.concurrent.each(outages)(
		'$what',
		async ({ faults, options = {}, mostMs }) => {
			const sandbox = await startSandbox({ pace: 0 });
			open.push(sandbox);
			for (const fault of faults) sandbox.addFault(fault);
			const { api } = await connectToSharedN8n();
			const node = {
				...{ name: 'Send', type, onError: 'continueRegularOutput' as const },
				parameters: {
					...mapped,
					...inCollections({ skipIfAlreadySent: false, ...options }),
				} as never,
				credentials: { ...(await createCredentials(api, sandbox)) },
			};
			const { json, execution } = await runWorkflow(api, [node], wantedMessages(1));
			const [[{ error, details }]] = json.Send as Array<Array<{ error: string; details: object }>>;
			expect(error).toContain('may have been sent');
			expect(details).toMatchObject({ kind: 'outcomeUnknown' });
			const [{ executionTime: tookMs }] = execution.runData.Send;
			console.log(`${type}, ${faults.length} faults: ${tookMs} ms`);
			expect(tookMs).toBeLessThanOrEqual(mostMs);
		},
		150 * second,
	);
});
