import { setTimeout as sleep } from 'node:timers/promises';

import type { NodeUnderTest } from '../../tools/harness';
import { publishTrigger } from '../support/e2e/publishTrigger';
import { sinceN8n2 } from '../support/e2e/sinceN8n2';
import { publishCalled } from '../support/e2e/subWorkflow';
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
			const { workflowId, call } = await publishCalled(service.api, alert('smsSend'), false);
			published.push(workflowId);
			const trigger = await publish(call);
			await trigger.call(receipt(2));
			await expectOneAlert(trigger.workflowId);
		},
	);
});
