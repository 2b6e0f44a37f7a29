import type { IRunExecutionData, WorkflowExecuteMode } from 'n8n-workflow';

import { ServiceError } from '../../../../nodes/shared/client/failure';
import { Ledger } from '../../../../nodes/shared/delivery/memory';
import { isOfCaused } from '../../../../nodes/shared/n8n/causedByReceipt';
import { newExecution, nowhere, openContext } from '../../../support/workflow/openContext';
const sent = { message: 'Hello', from: 'MyShop', account: 'account' };
const lost = ServiceError.of({ status: 504 });
const record = { messageId: 'a', message: 'Hello', status: 'Accepted' };
const to = '959779100001';
const first = { to, isTest: false, text: 'Hello' };
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
const openEntry = async (attempt: Attempt = {}) => (await open(attempt)).entries([first])[0];
describe('an entry of the ledger', () => {
	test('is open, in flight, and accepted or in doubt', async () => {
		const entry = await openEntry();
		expect(entry.state).toBe('open');
		entry.note({ is: 'sent', sent, request: 'r1' }, 1000);
		expect(entry.state).toBe('inFlight');
		entry.note({ is: 'unclear', failure: lost }, 2000);
		expect(entry).toMatchObject({
			state: 'inDoubt',
			saved: { isAfterTimeOut: true, requests: 1, request: 'r1', lastEndedAt: 2000 },
		});
		expect(entry.window).toEqual({ from: 1000, to: 2000 + 120_000 });
		entry.note({ is: 'accepted', record });
		expect(entry).toMatchObject({ state: 'accepted', record, saved: { sent: undefined } });
	});

	test('that was in flight when the process ended is in doubt in the next attempt', async () => {
		const execution = newExecution();
		(await openEntry({ execution })).note({ is: 'sent', sent, request: 'r1' }, 1000);
		const again = await openEntry({ execution });
		expect(again).toMatchObject({
			state: 'inDoubt',
			saved: { isAfterTimeOut: true, lastEndedAt: 1000 },
		});
	});
});

describe('the ledger', () => {
	test('has the same reference in every attempt, another for each message, and 50 characters at most', async () => {
		const execution = newExecution();
		const references = (ledger: Ledger) =>
			ledger
				.entries([first, first, { ...first, isTest: true }, abroad])
				.map(({ reference }) => reference);
		const own = references(await open({ execution }));
		expect(references(await open({ execution }))).toEqual(own);
		const others = [await open({ execution, runIndex: 1 }), await open()].flatMap(references);
		expect(new Set([...own, ...others]).size).toBe(12);
		for (const reference of own) expect(reference).toMatch(/^n8n-.{1,46}$/);
	});

	test('returns what was accepted in an earlier attempt, until its run is forgotten', async () => {
		const execution = newExecution();
		(await openEntry({ execution })).note({ is: 'accepted', record });
		expect((await open({ execution })).records()).toEqual([record]);
		const other = await open({ execution, runIndex: 1 });
		expect(other.records()).toEqual([]);
		const isOfOther = [other, await open({ execution })].map((one) => one.isOfOtherRun(record));
		expect(isOfOther).toEqual([true, false]);
		(await open({ execution })).forgetRun();
		expect((await open({ execution })).records()).toEqual([]);
	});

	test('remembers what a receipt has caused, so that the receipt of that causes nothing', async () => {
		const context = openContext(nowhere);
		const triggerNode = { name: 'Trigger', type: 'CUSTOM.smsReceiptTrigger' };
		context.getExecutionContext = () => ({ version: 1, triggerNode }) as never;
		await Ledger.use(context, async (ledger) => {
			const [entry] = ledger.entries([first]);
			entry.note({ is: 'sent', sent, request: 'r1' });
			entry.note({ is: 'accepted', record: { ...record, messageId: 'caused' } });
		});
		expect(isOfCaused({ messageId: 'caused', clientReference: null })).toBe(true);
	});

	test('forgets a run of 150,000 messages', async () => {
		const ledger = await open();
		const wanted = Array.from({ length: 150_000 }, (_, n) => ({
			...first,
			to: `9597${79100000 + n}`,
		}));
		for (const entry of ledger.entries(wanted)) entry.note({ is: 'accepted', record });
		ledger.forgetRun();
		expect(ledger.isOfOtherRun(record)).toBe(true);
	});

	test('sends the real message after its test', async () => {
		const execution = newExecution();
		const [test] = (await open({ execution })).entries([{ ...first, isTest: true }]);
		test.note({ is: 'sent', sent: { ...sent, test: 1 }, request: 'r1' }, 1000);
		test.note({ is: 'accepted', record });
		const real = await openEntry({ execution });
		expect(real).toMatchObject({ state: 'open', record: undefined });
		expect(real.reference).not.toBe(test.reference);
	});

	test('knows messages by number and text, then by number and order, whatever item they come from', async () => {
		const execution = newExecution();
		const toWanted = (texts: string[]) => texts.map((text) => ({ ...first, text }));
		const entries = (await open({ execution })).entries(toWanted(['One', 'Two', 'Three']));
		for (const [n, message] of ['One', 'Two'].entries())
			entries[n].note({ is: 'accepted', record: { ...record, messageId: message, message } });
		const again = (await open({ execution })).entries(toWanted(['More', 'Two', 'New', 'One']));
		expect(again.map(({ record: known }) => known?.messageId)).toEqual([
			...[undefined, 'Two', undefined, 'One'],
		]);
		const changed = (await open({ execution })).entries(toWanted(['At 9:00', 'At 9:01']));
		expect(changed.map(({ record: known }) => known?.messageId)).toEqual(['One', 'Two']);
		const unreadable = { ...first, text: undefined };
		const unread = (await open({ execution })).entries([unreadable, unreadable]);
		expect(unread.map(({ record: known }) => known?.messageId)).toEqual(['One', 'Two']);
		const more = (await open({ execution })).entries(toWanted(Array<string>(7).fill('New')));
		expect(new Set(more.map(({ reference }) => reference)).size).toBe(7);
	});

	test('shows to every attempt of a run, before it is opened, whether something was sent', async () => {
		const execution = newExecution();
		const hasSent = (runIndex = 0) =>
			Ledger.hasSent(openContext(nowhere, { execution, runIndex, workflowId: 'workflow' }));
		expect(hasSent()).toBe(false);
		const entry = await openEntry({ execution });
		expect(hasSent()).toBe(false);
		entry.note({ is: 'sent', sent, request: 'r1' }, 1000);
		expect([hasSent(), hasSent(1)]).toEqual([true, false]);
	});

	test('goes by one clock over the attempts of a run, even if that of the machine is set', async () => {
		const execution = newExecution();
		const readNow = async () => await use({ execution }, async (ledger) => ledger.now());
		const before = await readNow();
		const set = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000);
		const later = await readNow();
		set.mockRestore();
		expect(later - before).toBeLessThan(60_000);
	});

	test('tells in every attempt of one execution that history is closed', async () => {
		const execution = newExecution();
		expect((await open({ execution })).tellBlindness()).toBe(true);
		expect((await open({ execution })).tellBlindness()).toBe(true);
	});
});

describe('retries of an execution', () => {
	test('know its references without the memory of the node, and begin when it began', async () => {
		const at = Date.now() - 3_600_000;
		const before = await use({ execution: newExecution(at) }, async (ledger) => {
			const [entry] = ledger.entries([first]);
			ledger.forgetRun();
			return entry;
		});
		const retry = await open({ execution: newExecution(at), mode: 'retry' });
		const [again] = retry.entries([first]);
		expect(before.reference.startsWith(`${again.reference}-`)).toBe(true);
		expect([retry.startedAt, retry.isRetry, retry.hasLostMemory]).toEqual([at, true, true]);
		const later = await open({ execution: newExecution(at + 1), mode: 'retry' });
		expect(later.scope).not.toBe(retry.scope);
	});

	test('go on in its process with what it left in doubt, although another execution began with it', async () => {
		const at = Date.now() - 4_200_000;
		const before = await use({ execution: newExecution(at), id: '1' }, async (ledger) => {
			const [entry] = ledger.entries([first]);
			entry.note({ is: 'sent', sent, request: 'r1' });
			return entry;
		});
		await open({ execution: newExecution(at), id: '2' });
		const again = await openEntry({ execution: newExecution(at), mode: 'retry' });
		expect([again.state, again.reference]).toEqual(['inDoubt', before.reference]);
	});

	test.each([3_600_000, -3_600_000])(
		'know when a request ended, although the clock was set by %d ms meanwhile',
		async (ms) => {
			const execution = newExecution();
			const machine = Date.now() + ms;
			const now = jest.spyOn(Date, 'now');
			await use({ execution }, async (ledger) => {
				const [entry] = ledger.entries([first]);
				entry.note({ is: 'sent', sent, request: 'r1' });
				entry.note({ is: 'unclear', failure: lost });
				now.mockReturnValue(machine);
			});
			const saved = structuredClone(execution);
			const retry = await open({ execution: saved, mode: 'retry' });
			const [entry] = retry.entries([first]);
			expect(retry.startedAt).toBeGreaterThan(machine - Math.max(0, ms) - 10_000);
			now.mockRestore();
			const { firstSentAt = Infinity, lastEndedAt = 0 } = entry.saved;
			expect(Math.abs(lastEndedAt - machine)).toBeLessThan(10_000);
			expect(firstSentAt).toBeLessThan(machine + 10_000);
		},
	);

	test('know when a request began that was cut off, although the clock was set meanwhile', async () => {
		const execution = newExecution();
		const machine = Date.now() + 3_600_000;
		const now = jest.spyOn(Date, 'now');
		await use({ execution }, async (ledger) => {
			ledger.entries([first])[0].note({ is: 'sent', sent, request: 'r1' });
			now.mockReturnValue(machine);
		});
		const retry = await open({ execution: structuredClone(execution), mode: 'retry' });
		const [{ saved, state }] = retry.entries([first]);
		now.mockRestore();
		expect([state, Math.abs((saved.lastEndedAt ?? 0) - machine) < 10_000]).toEqual([
			'inDoubt',
			true,
		]);
	});

	test('are apart from another execution of the same millisecond', async () => {
		const at = Date.now() - 1_800_000;
		const [one, other] = [
			await open({ execution: newExecution(at), id: '1' }),
			await open({ execution: newExecution(at), id: '2' }),
		];
		expect(other.scope).not.toBe(one.scope);
		expect(other.entries([first])[0].reference).not.toBe(one.entries([first])[0].reference);
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
			ledger.entries([first])[0].note({ is: 'accepted', record });
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
			return ledger.entries([{ ...wanted, content }])[0];
		};
		(await call(0)).note({ is: 'accepted', record });
		expect((await open({ execution, type })).isOfOtherRun(record)).toBe(false);
		const note = 'Sent 1 second ago. To send another message, change the text.';
		expect((await call(1)).record).toEqual({ ...record, alreadySent: true, note });
		expect((await call(2, { message: 'Another', from: 'MyShop' })).state).toBe('open');
	});

	test('is kept when a run ends, since the agent may run again', async () => {
		const execution = newExecution();
		const ledger = await open({ execution, type });
		ledger.entries([wanted])[0].note({ is: 'accepted', record });
		ledger.forgetRun();
		expect((await open({ execution, type })).records()).toHaveLength(1);
	});
});
