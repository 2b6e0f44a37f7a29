import { setTimeout as sleep } from 'node:timers/promises';

import { completeNode, connectInLine, type NodeUnderTest } from '../../tools/harness';
import { publishTrigger } from '../support/e2e/publishTrigger';
import { sinceN8n2 } from '../support/e2e/sinceN8n2';
import { useService } from '../support/e2e/useService';

/** Of the sandbox, which never delivers to it. */
const unreachable = '09000000003';

describe('an alert to a phone that is not reached', () => {
	const service = useService({ pace: 100 });
	const published: string[] = [];
	afterAll(async () => {
		await Promise.all(published.map(async (id) => await service.api.deleteWorkflow(id)));
	});

	const alert = (type: string): NodeUnderTest => ({
		name: 'Alert',
		type,
		credentials: { ...service.credentials },
		parameters: {
			...{ to: unreachable, message: '=Not delivered: {{ $json.messageId }}', from: 'MyShop' },
		} as never,
	});
	/** A published workflow that alerts about each message that is not delivered, also about its own. */
	const publish = async (next: NodeUnderTest) => {
		const parameters = { statuses: ['onNotDelivered'] };
		const trigger = await publishTrigger({ api: service.api, parameters, next });
		published.push(trigger.workflowId);
		service.sandbox.configure({ defaultReceiptUrl: trigger.url, pace: 100 });
		return trigger;
	};
	const call = (id: string): NodeUnderTest => ({
		name: 'Alert',
		type: 'n8n-nodes-base.executeWorkflow',
		typeVersion: 1.2,
		parameters: {
			workflowId: { __rl: true, mode: 'id', value: id },
			mode: 'each',
			options: { waitForSubWorkflow: false },
		} as never,
	});
	const publishSub = async (node: NodeUnderTest) => {
		const called = {
			...{ name: 'Called', type: 'n8n-nodes-base.executeWorkflowTrigger', typeVersion: 1.1 },
			parameters: { inputSource: 'passthrough' },
		};
		const { id } = await service.api.createWorkflow({
			name: 'called',
			nodes: [called, { ...node, name: 'Send' }].map(completeNode),
			connections: connectInLine(['Called', 'Send']),
		});
		published.push(id);
		await service.api.activate(id);
		return id;
	};
	const expectOneAlert = async (workflowId: string) => {
		const sent = () => service.sandbox.messages().length;
		for (let waited = 0; waited < 15_000 && sent() === 0; waited += 100) await sleep(100);
		// Each alert took about three seconds to cause the next.
		await sleep(8_000);
		expect(sent()).toBe(1);
		expect(service.sandbox.receipts().at(-1)).toMatchObject({ answered: 200 });
		expect(await service.api.executions(workflowId)).toHaveLength(1);
	};

	const receipt = (n: number) => ({
		data: { messageId: `m-${n}`, to: '959791234567', status: 'Failed' },
	});

	test('causes no other alert', async () => {
		const trigger = await publish(alert('smsSend'));
		await trigger.call(receipt(1));
		await expectOneAlert(trigger.workflowId);
	});

	sinceN8n2('start of an execution that sub-workflows know').test(
		'causes no other alert from a sub-workflow',
		async () => {
			const trigger = await publish(call(await publishSub(alert('smsSend'))));
			await trigger.call(receipt(2));
			await expectOneAlert(trigger.workflowId);
		},
	);
});
