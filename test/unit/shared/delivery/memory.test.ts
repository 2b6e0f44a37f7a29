import type { IRunExecutionData, WorkflowExecuteMode } from 'n8n-workflow';

import { Ledger } from '../../../../nodes/shared/delivery/memory';
import type { Doubt } from '../../../../nodes/shared/delivery/message';
import { newExecution, nowhere, openContext } from '../../../support/workflow/openContext';

const sent = { message: 'Hello', from: 'MyShop', account: 'account' };
const doubt: Doubt = { since: 1000, until: 2000, isLate: false, request: 'r1', sent };
const record = { messageId: 'a', message: 'Hello', status: 'Accepted' };
const first = { to: '959779100001', isTest: false };
const abroad = { ...first, to: '+6591234567' };

interface Attempt {
	execution?: IRunExecutionData;
	runIndex?: number;
	mode?: WorkflowExecuteMode;
	id?: string;
	type?: 'SmsSend' | 'SmsSendTool';
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
	test('has the same reference in every attempt, another for each message, and 50 characters at most', async () => {
		const execution = newExecution();
		const references = (ledger: Ledger) =>
			ledger
				.notes([first, first, { ...first, isTest: true }, abroad])
				.map(({ reference }) => reference);
		const own = references(await open({ execution }));
		expect(references(await open({ execution }))).toEqual(own);
		const others = [await open({ execution, runIndex: 1 }), await open()].flatMap(references);
		expect(new Set([...own, ...others]).size).toBe(12);
		for (const reference of own) expect(reference).toMatch(/^n8n-.{1,46}$/);
	});

	test('has the notes of an earlier attempt, until its run is forgotten', async () => {
		const execution = newExecution();
		const { note } = await openNote({ execution });
		Object.assign(note, { record });
		expect((await open({ execution })).records()).toEqual([record]);
		expect((await open({ execution, runIndex: 1 })).records()).toEqual([]);
		(await open({ execution })).forgetRun();
		expect((await open({ execution })).records()).toEqual([]);
	});

	test('does not take an accepted test for the real message', async () => {
		const execution = newExecution();
		const [test] = (await open({ execution })).notes([{ ...first, isTest: true }]);
		test.note.record = record;
		const real = await openNote({ execution });
		expect(real.note).toEqual({});
		expect(real.reference).not.toBe(test.reference);
	});

	test('knows the n-th message to a number, whatever its item or text, beside those to others', async () => {
		const execution = newExecution();
		const before = (await open({ execution })).notes([first, abroad, first]);
		for (const [n, { note }] of before.entries()) note.record = { ...record, messageId: `${n}` };
		const again = (await open({ execution })).notes([abroad, first, first, first]);
		expect(again.map(({ note }) => note.record?.messageId)).toEqual(['1', '0', '2', undefined]);
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

	test('tells in every attempt of one execution that history is closed', async () => {
		const execution = newExecution();
		expect((await open({ execution })).tellBlindness()).toBe(true);
		expect((await open({ execution })).tellBlindness()).toBe(true);
		const retry = { execution: structuredClone(execution), mode: 'retry', id: '77' } as const;
		expect((await open(retry)).tellBlindness()).toBe(false);
	});

	test('counts what it has begun, and knows the account that responded last', async () => {
		const ledger = await open();
		const [{ note }, other] = ledger.notes([first, abroad, first]);
		expect([ledger.sent, ledger.isOfOtherAccount('b')]).toEqual([0, false]);
		note.record = record;
		other.note.doubt = doubt;
		ledger.noteAccount('a');
		expect(ledger.sent).toBe(2);
		expect(['a', 'b'].map((account) => ledger.isOfOtherAccount(account))).toEqual([false, true]);
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
		expect([retry.startedAt, retry.isRetry]).toEqual([at, true]);
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

	test('take what n8n has saved of other processes for newer than what this one knows', async () => {
		const at = Date.now() - 4_500_000;
		const execution = newExecution(at);
		await use({ execution }, async (ledger) => void (ledger.notes([first])[0].note.doubt = doubt));
		const saved = structuredClone(execution);
		await use({ execution: saved, mode: 'retry' }, async (ledger) => {
			for (const { note } of ledger.notes([first])) Object.assign(note, { record });
		});
		const retry = await openNote({ execution: structuredClone(saved), mode: 'retry' });
		expect(retry.note.record).toEqual(record);
	});

	test('are apart from another execution of the same millisecond', async () => {
		const at = Date.now() - 1_800_000;
		const [one, other] = [
			await open({ execution: newExecution(at), id: '1' }),
			await open({ execution: newExecution(at), id: '2' }),
		];
		expect(other.scope).not.toBe(one.scope);
		expect(other.notes([first])[0].reference).not.toBe(one.notes([first])[0].reference);
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

	test('wait for each other, and hand on what they know', async () => {
		const at = Date.now() - 7_200_000;
		const retry = async (work: (ledger: Ledger) => Promise<void>) =>
			await use({ execution: newExecution(at), mode: 'retry' }, work);
		const seen: unknown[] = [];
		let end: () => void = () => undefined;
		const one = retry(async (ledger) => {
			seen.push('one');
			await new Promise<void>((resolve) => (end = resolve));
			ledger.notes([first])[0].note.record = record;
			throw new Error('ended early');
		});
		const two = retry(async (ledger) => void seen.push(ledger.records()));
		await new Promise((resolve) => setTimeout(resolve, 5));
		expect(seen).toEqual(['one']);
		end();
		await expect(one).rejects.toThrow('ended early');
		await two;
		expect(seen).toEqual(['one', [record]]);
	});
});

describe('the ledger of a tool', () => {
	const type = 'SmsSendTool';
	const wanted = { ...first, content: { message: 'Hello', from: 'MyShop' } };

	test('has what an agent asks for again as already sent, in whatever run', async () => {
		const execution = newExecution();
		const call = async (runIndex: number, content: object = wanted.content) => {
			const ledger = await open({ execution, runIndex, type });
			return ledger.notes([{ ...wanted, content }])[0].note;
		};
		Object.assign(await call(0), { record, acceptedAt: Date.now() });
		const note = 'Sent 1 second ago. To send another message, change the text.';
		expect((await call(1)).record).toEqual({ ...record, alreadySent: true, note });
		expect(await call(2, { message: 'Another', from: 'MyShop' })).toEqual({});
	});

	test('is kept when a run ends, since the agent may run again', async () => {
		const execution = newExecution();
		const ledger = await open({ execution, type });
		ledger.notes([wanted])[0].note.record = record;
		ledger.forgetRun();
		expect((await open({ execution, type })).records()).toHaveLength(1);
	});
});
