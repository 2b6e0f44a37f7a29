import {
	fallAsleep,
	isOver,
	isProven,
	openWait,
	proofField,
	requireOneItem,
	requireWayBack,
} from '../../../../nodes/shared/n8n/waiting';
import { attempt, type InputError } from '../../../../nodes/shared/input/InputError';
import { newExecution, nowhere, openContext } from '../../../support/workflow/openContext';

/** n8n 1 has this function, and n8n 2 has not. */
const ofN8n1 = { setSignatureValidationRequired: () => undefined };

const wait = { run: '0', execution: '1', proof: 'k'.repeat(16) };

test('a wait is the same in every attempt of a run, and another in the next run and in a retry by hand', () => {
	const execution = newExecution();
	let reads = 0;
	const open = (runIndex: number, executionId = '1') => {
		const context = openContext(nowhere, { execution, runIndex });
		Object.assign(context, { getExecutionId: () => executionId });
		return openWait(context, () => ({ read: (reads += 1) }));
	};
	const first = open(0);
	expect(first.proof).toMatch(/^[\w-]{16}$/);
	expect(open(0)).toEqual(first);
	const others = [open(1), open(0, '2')];
	expect(others.map(({ read }) => read)).toEqual([2, 3]);
	expect(new Set([first, ...others].map(({ proof }) => proof)).size).toBe(3);
});

test('a wait is proven by its own proof alone', () => {
	const { proof } = wait;
	expect(isProven(wait, { [proofField]: proof })).toBe(true);
	for (const given of [undefined, '', 'x', [proof], `${proof} `, 1])
		expect(isProven(wait, { [proofField]: given })).toBe(false);
});

test('a wait is over before it has begun, and from its end on, whenever n8n ends it', async () => {
	const own = { ...wait };
	const context = openContext(nowhere);
	Object.assign(context, { putExecutionToWait: async () => undefined });
	expect(isOver(own)).toBe(true);
	await fallAsleep(context, own, {}, Date.now() + 5_000);
	expect(isOver(own)).toBe(false);
	await fallAsleep(context, own, {}, Date.now());
	expect(isOver(own)).toBe(true);
});

test('several items are rejected, with the way that this n8n has', () => {
	const several = openContext(nowhere, { items: [{}, {}] });
	const hintOf = (context = several) => {
		const read = attempt(() => requireOneItem(context)) as { error: InputError };
		expect(read.error.message).toContain('2 items');
		return read.error.hint;
	};
	expect(hintOf()).toMatch(/sub-workflow.*each item.*Wait For Sub-Workflow Completion off/);
	expect(hintOf(Object.assign(several, ofN8n1))).toMatch(/^Use a Loop Over Items node/);
	requireOneItem(openContext(nowhere, { items: [{}] }));
});

describe('in a sub-workflow', () => {
	test('of n8n 1 nothing waits, since the parent would get its own item', () => {
		const context = Object.assign(openContext(nowhere, { mode: 'integrated' }), ofN8n1);
		expect(() => requireWayBack(context)).toThrow('On n8n 1, the result of a wait');
	});

	test('of n8n 2 it does, and in other executions', () => {
		requireWayBack(openContext(nowhere, { mode: 'integrated' }));
		requireWayBack(Object.assign(openContext(nowhere, { mode: 'manual' }), ofN8n1));
	});
});

test('the run that waits has a node of its own, which n8n deactivates at the end of the wait', async () => {
	const context = openContext(nowhere);
	Object.assign(context, { putExecutionToWait: async () => undefined });
	const queued = context.getExecuteData().node;
	await fallAsleep(context, wait, {}, 1_000);
	expect(context.getExecuteData().node).toEqual(queued);
	expect(context.getExecuteData().node).not.toBe(queued);
});
