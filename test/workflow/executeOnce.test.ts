import { setTimeout as sleep } from 'node:timers/promises';

import type { IDataObject, INode } from 'n8n-workflow';

import { watchTiming } from '../../nodes/SmsSendAndWait/watchHistory';
import { credentialsOf } from '../support/workflow/credentialsOf';
import { useScaledTimes, wantedMessages } from '../support/workflow/sending';
import type { WorkflowUnderTest } from '../support/workflow/runWorkflow';
import { useSandbox } from '../support/workflow/useSandbox';
import { WaitingN8n } from '../support/workflow/WaitingN8n';
import { soon, useWatchTiming } from '../support/workflow/watchHistory';

const limitMs = 4_000;

function waiting(settings: Partial<INode> = {}): WorkflowUnderTest {
	const parameters = {
		...{ to: '={{ $json.to }}', message: '={{ $json.message }}', from: 'Bistro' },
		...{ waitFor: 'anyFinal', timeLimit: limitMs / 60_000 },
	};
	return {
		nodes: [{ name: 'Wait', type: 'SmsSendAndWait', parameters, settings }],
		connections: { Source: { main: [[{ node: 'Wait', type: 'main', index: 0 }]] } },
	};
}

describe('SMS Send and Wait', () => {
	const sandbox = useSandbox();
	let n8n: WaitingN8n;
	useScaledTimes();
	useWatchTiming(limitMs);
	beforeEach(async () => (n8n = await WaitingN8n.start()));
	afterEach(async () => await n8n.close());

	const fallAsleep = async (
		settings: Partial<INode>,
		items: IDataObject[],
		credentials = credentialsOf(sandbox),
	) => {
		const { executionId, run } = await n8n.run(waiting(settings), { credentials, items });
		expect(run.data.resultData.error).toBeUndefined();
		expect(n8n.statusOf(executionId)).toBe('waiting');
		return executionId;
	};
	const messageId = () => sandbox.messages()[0].messageId;
	const outcomes = async (executionId: string) => {
		const { json } = await n8n.awake(executionId, 'Wait');
		return json.map((item) => [item.messageId, item.outcome]);
	};

	describe('with Execute Once and three items', () => {
		// An item can have a field of this name already.
		const items = wantedMessages(3).map((one) => ({ ...one, outcome: 'delivered' }));

		test('sends one message, whose receipt ends the wait', async () => {
			const executionId = await fallAsleep({ executeOnce: true }, items);
			expect(sandbox.messages().length).toBe(1);
			await sandbox.setStatus(messageId(), 'Delivered');
			expect(await outcomes(executionId)).toEqual([[messageId(), 'delivered']]);
		}, 15_000);

		test('returns one item at the time limit, as timed out', async () => {
			const executionId = await fallAsleep({ executeOnce: true }, items);
			n8n.endTime(executionId);
			expect(await outcomes(executionId)).toEqual([[messageId(), 'timedOut']]);
		}, 15_000);
	});

	test('returns one item at the time limit for its only item', async () => {
		const executionId = await fallAsleep({}, wantedMessages(1));
		n8n.endTime(executionId);
		expect(await outcomes(executionId)).toEqual([[messageId(), 'timedOut']]);
	}, 15_000);

	describe('whose API Secret is changed while it sleeps', () => {
		const sleepOverChange = async () => {
			const credentials = credentialsOf(sandbox);
			const executionId = await fallAsleep({}, wantedMessages(1), credentials);
			const apiSecret = 'another-secret';
			credentials.apiSecret = apiSecret;
			sandbox.configure({ credentials: [{ apiKey: sandbox.apiKey, apiSecret }] });
			return executionId;
		};

		test('is woken by the receipt', async () => {
			const executionId = await sleepOverChange();
			await sandbox.setStatus(messageId(), 'Delivered');
			expect(n8n.calls.map(({ status }) => status)).toEqual([200]);
			expect(await outcomes(executionId)).toEqual([[messageId(), 'delivered']]);
		}, 15_000);

		test('finds in history what no receipt told', async () => {
			watchTiming.besideReceipts = soon;
			sandbox.configure({ receiptAttempts: 1 });
			const executionId = await sleepOverChange();
			n8n.outages.push(500);
			await sandbox.setStatus(messageId(), 'Delivered');
			await sleep(limitMs / 2);
			expect(n8n.calls.map(({ status }) => status)).not.toContain(401);
			expect(await outcomes(executionId)).toEqual([[messageId(), 'delivered']]);
		}, 15_000);
	});
});
