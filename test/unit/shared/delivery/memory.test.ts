import type { IRunExecutionData, WorkflowExecuteMode } from 'n8n-workflow';

import { Ledger } from '../../../../nodes/shared/delivery/memory';
import type { Doubt } from '../../../../nodes/shared/delivery/message';
import { newExecution, nowhere, openContext } from '../../../support/workflow/openContext';

const sent = { message: 'Hello', from: 'MyShop', account: 'account' };
const doubt: Doubt = { since: 1000, until: 2000, isLate: false, request: 'r1', sent };
const record = { messageId: 'a', message: 'Hello', status: 'Accepted' };
const first = { to: '959779100001', isTest: false };

interface Attempt {
	execution?: IRunExecutionData;
	runIndex?: number;
	mode?: WorkflowExecuteMode;
	id?: string;
}
async function use<T>(
	{ execution = newExecution(), id, ...more }: Attempt,
	work: (ledger: Ledger) => Promise<T>,
): Promise<T> {
	const context = openContext(nowhere, { execution, workflowId: 'workflow', ...more });
	if (id !== undefined) context.getExecutionId = () => id;
	return await Ledger.use(context, work);
}
const open = async (attempt: Attempt = {}) => await use(attempt, async (ledger) => ledger);
const openNote = async (attempt: Attempt = {}) => (await open(attempt)).notes([first])[0];

describe('the ledger', () => {
	test('does not take an accepted test for the real message', async () => {
		const execution = newExecution();
		const [test] = (await open({ execution })).notes([{ ...first, isTest: true }]);
		test.note.record = record;
		const real = await openNote({ execution });
		expect(real.note).toEqual({});
		expect(real.reference).not.toBe(test.reference);
	});

	test('shows to every attempt of a run, before it is opened, whether something was sent', async () => {
		const execution = newExecution();
		const hasSent = (runIndex = 0) =>
			Ledger.hasSent(openContext(nowhere, { execution, runIndex, workflowId: 'workflow' }));
		const { note } = await openNote({ execution });
		expect(hasSent()).toBe(false);
		note.doubt = doubt;
		expect([hasSent(), hasSent(1)]).toEqual([true, false]);
	});
});

describe('retries of an execution', () => {
	test('know its references without the memory of the node, and begin when it began', async () => {
		const at = Date.now() - 3_600_000;
		const before = await use({ execution: newExecution(at) }, async (ledger) => {
			const [noted] = ledger.notes([first]);
			ledger.forgetRun();
			return noted;
		});
		const retry = await open({ execution: newExecution(at), mode: 'retry' });
		const [again] = retry.notes([first]);
		expect(before.reference.startsWith(`${again.reference}-`)).toBe(true);
		expect([retry.page.startedAt, retry.isRetry]).toEqual([at, true]);
		const later = await open({ execution: newExecution(at + 1), mode: 'retry' });
		expect(later.scope).not.toBe(retry.scope);
	});

	test('go on in its process with what it left in doubt', async () => {
		const at = Date.now() - 4_200_000;
		const before = await use({ execution: newExecution(at), id: '1' }, async (ledger) => {
			const [noted] = ledger.notes([first]);
			noted.note.doubt = doubt;
			return noted;
		});
		const again = await openNote({ execution: newExecution(at), mode: 'retry' });
		expect(again.note.doubt).toEqual(doubt);
		expect(before.reference.startsWith(again.reference)).toBe(true);
	});

	test('that wait for another one end when they are stopped, and the next still waits for it', async () => {
		const at = Date.now() - 5_400_000;
		const seen: string[] = [];
		const retry = async (name: string, work: () => Promise<void>, waitFor?: typeof stopped) => {
			const context = openContext(nowhere, {
				execution: newExecution(at),
				mode: 'retry',
				workflowId: 'workflow',
			});
			await Ledger.use(context, async () => await work().then(() => void seen.push(name)), waitFor);
		};
		const stopped = async () => await Promise.reject(new Error('stopped'));
		let end: () => void = () => undefined;
		const one = retry('one', async () => await new Promise<void>((resolve) => (end = resolve)));
		const two = retry('two', async () => undefined, stopped);
		const three = retry('three', async () => undefined);
		await expect(two).rejects.toThrow('stopped');
		await new Promise((resolve) => setTimeout(resolve, 5));
		expect(seen).toEqual([]);
		end();
		await Promise.all([one, three]);
		expect(seen).toEqual(['one', 'three']);
	});
});
