import type { IDataObject } from 'n8n-workflow';

import type { FaultRule } from '../../../sandbox';
import { connectInLine, runWorkflow, type NodeUnderTest } from '../../../tools/harness';
import { useService } from '../../support/e2e/useService';

const retry = { retryOnFail: true, maxTries: 5, waitBetweenTries: 100 };
const numberOf = (index: number) => `9597912345${String(index).padStart(2, '0')}`;

/** Messages to different numbers, so that each can be counted at the service. */
function makeItems(count: number): IDataObject[] {
	return Array.from({ length: count }, (_, index) => ({
		to: numberOf(index),
		message: `Message ${index}`,
	}));
}

describe.each(['smsSend', 'smsBulkSend'])('%s in a real n8n, under faults', (type) => {
	const service = useService();
	const path = type === 'smsSend' ? '/rest/send' : '/rest/send/bulk';

	const makeNode = (name = 'Send', more: Partial<NodeUnderTest> = {}): NodeUnderTest => ({
		name,
		type,
		parameters: {
			to: '={{ $json.to }}',
			message: '={{ $json.message }}',
			from: 'MyShop',
			options: type === 'smsSend' ? { timeout: 2000 } : { recipientsPerRequest: 3, timeout: 2000 },
		},
		credentials: { ...service.credentials },
		...more,
	});
	const addFault = (rule: FaultRule) => service.sandbox.addFault({ match: { path }, ...rule });
	const recipients = () => service.sandbox.messages().map(({ to }) => to);
	const numbersOf = (items: IDataObject[]) => items.map(({ to }) => to);

	test('sends each message once if responses are lost, with Retry On Fail', async () => {
		const items = makeItems(15);
		addFault({ effect: 'cut', when: 'after', skip: 1, count: 1 });
		addFault({ effect: { status: 500 }, when: 'after', count: 1 });
		addFault({ effect: 'brokenJson', when: 'after', count: 1 });
		addFault({ effect: { status: 429, headers: { 'Retry-After': '1' } }, count: 1 });
		const run = await runWorkflow(service.api, [makeNode('Send', retry)], items);
		expect(run.error).toBeUndefined();
		expect(recipients().sort()).toEqual(numbersOf(items));
		expect(numbersOf(run.json.Send[0])).toEqual(numbersOf(items));
		const ids = run.json.Send[0].map(({ messageId }) => messageId);
		expect(ids.sort()).toEqual(
			service.sandbox
				.messages()
				.map((sent) => sent.messageId)
				.sort(),
		);
	});

	test('sends once in each pass of Loop Over Items', async () => {
		const items = [...makeItems(2), ...makeItems(1)];
		addFault({ effect: 'cut', when: 'after', skip: 1, count: 1 });
		const loop: NodeUnderTest = {
			name: 'Loop',
			type: 'n8n-nodes-base.splitInBatches',
			typeVersion: 3,
			parameters: { batchSize: 1, options: {} },
		};
		const connections = {
			Loop: { main: [[], [{ node: 'Send', type: 'main' as const, index: 0 }]] },
			...connectInLine(['Send', 'Loop']),
		};
		const nodes = [loop, makeNode('Send', retry)];
		const run = await runWorkflow(service.api, nodes, items, { connections });
		expect(run.error).toBeUndefined();
		expect(recipients()).toEqual(numbersOf(items));
		expect(new Set(run.json.Loop[0].map(({ messageId }) => messageId)).size).toBe(3);
	});
});
