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
		mostMs: 35 * second,
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

const open: Sandbox[] = [];
afterAll(async () => await Promise.all(open.map(async (sandbox) => await sandbox.close())));

async function send(type: string, sandbox: Sandbox, count: number, options: IDataObject = {}) {
	const { api } = await connectToSharedN8n();
	const node = {
		...{ name: 'Send', type, onError: 'continueRegularOutput' as const },
		parameters: { ...mapped, ...inCollections({ skipIfAlreadySent: false, ...options }) } as never,
		credentials: { ...(await createCredentials(api, sandbox)) },
	};
	const { json, execution } = await runWorkflow(api, [node], wantedMessages(count));
	const [{ executionTime: tookMs }] = execution.runData.Send;
	return { items: json.Send[0] as Array<{ error?: string; details?: object }>, tookMs };
}

async function openSandbox(): Promise<Sandbox> {
	const sandbox = await startSandbox({ pace: 0 });
	open.push(sandbox);
	return sandbox;
}

/** docs/scaling.md, "When the service is down": how long an execution is held in a real n8n, with the defaults. */
describe.each(['smsSend', 'smsBulkSend'])('one message of %s is reported in time, when', (type) => {
	test.concurrent.each(outages)(
		'$what',
		async ({ faults, options, mostMs }) => {
			const sandbox = await openSandbox();
			for (const fault of faults) sandbox.addFault(fault);
			const { items, tookMs } = await send(type, sandbox, 1, options);
			expect(items[0].error).toContain('may have been sent');
			expect(items[0].details).toMatchObject({ kind: 'outcomeUnknown' });
			console.log(`${type}, ${faults.length} faults: ${tookMs} ms`);
			expect(tookMs).toBeLessThanOrEqual(mostMs);
		},
		150 * second,
	);
});

describe.each([
	['smsSend', 45, 60],
	['smsBulkSend', 1_000, 2_000],
])('%s', (type, slow, after) => {
	test.concurrent(
		`of ${slow} to a service that accepts each and responds after the time-out sends each once`,
		async () => {
			const sandbox = await openSandbox();
			const match = { path: type === 'smsSend' ? '/rest/send' : '/rest/send/bulk' };
			sandbox.addFault({ match, when: 'after', effect: 'hang' });
			const { items, tookMs } = await send(type, sandbox, slow, { timeout: 5 * second });
			console.log(`${type}, ${slow} after the time-out: ${tookMs} ms`);
			expect(items.filter(({ error }) => error)).toEqual([]);
			expect(items).toHaveLength(slow);
			expect(new Set(sandbox.messages().map(({ to }) => to)).size).toBe(slow);
			expect(sandbox.messages()).toHaveLength(slow);
		},
		150 * second,
	);

	test.concurrent(
		`sends all ${after} in the first run after an outage that four executions met`,
		async () => {
			const sandbox = await openSandbox();
			sandbox.addFault({ effect: { status: 503 } });
			await Promise.all([1, 1, 1, 1].map(async (count) => await send(type, sandbox, count)));
			sandbox.clearFaults();
			const { items } = await send(type, sandbox, after);
			expect(items.filter(({ error }) => error)).toEqual([]);
			expect(sandbox.messages()).toHaveLength(after);
		},
		150 * second,
	);
});
