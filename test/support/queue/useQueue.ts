import type { IDataObject } from 'n8n-workflow';

import { startSandbox, type Sandbox } from '../../../sandbox';
import type { NodeUnderTest } from '../../../tools/harness';
import { createCredentials, type Credentials } from '../e2e/useService';
import { startQueuedN8n, type QueuedN8n, type QueuedProgram } from './queuedN8n';

export interface Queue {
	n8n: QueuedN8n;
	sandbox: Sandbox;
	/** A credential in n8n that fits the sandbox. */
	credentials: Credentials;
	/** One of our nodes, with the credential. */
	makeNode(type: string, parameters: IDataObject, more?: object): NodeUnderTest;
	/** The worker that has begun an execution, and the others. */
	findWorker(executionId: string): { worker: QueuedProgram; others: QueuedProgram[] };
}

export function hasBegun({ log }: QueuedProgram, executionId: string): boolean {
	return log().includes(`Worker started execution ${executionId} `);
}

/** An n8n in queue mode for the tests of a file, with a sandbox that is emptied before each test. */
export function useQueue(): Queue {
	const queue = {} as Queue;
	queue.makeNode = (type, parameters, more = {}) => ({
		name: 'Node',
		type,
		parameters: parameters as NodeUnderTest['parameters'],
		credentials: { ...queue.credentials },
		...more,
	});
	queue.findWorker = (executionId) => {
		const worker = queue.n8n.workers.find((one) => hasBegun(one, executionId));
		if (!worker) throw new Error(`No worker has begun execution ${executionId}.`);
		return { worker, others: queue.n8n.workers.filter((one) => one !== worker) };
	};
	beforeAll(async () => {
		queue.sandbox = await startSandbox({ pace: 0 });
		queue.n8n = await startQueuedN8n();
		queue.credentials = await createCredentials(queue.n8n.api, queue.sandbox);
	});
	afterAll(async () => {
		await queue.sandbox?.close();
		await queue.n8n?.close();
	});
	beforeEach(() => queue.sandbox.reset());
	return queue;
}
