import {
	forModel,
	isToolThatResponds,
	readRun,
	requireOwnArguments,
} from '../../../../nodes/shared/n8n/tool';
import { nowhere, openContext } from '../../../support/workflow/openContext';

/** n8n gives the tool of an agent a type of its own, which ends with Tool. */
const openTool = (json = {}, runIndex = 0) => {
	const context = openContext(nowhere, { items: [json], runIndex });
	const node = { ...context.getNode(), type: 'smsSendTool' };
	return Object.assign(context, { getNode: () => node });
};

describe('a tool of an AI agent', () => {
	test('returns its failure, unless the workflow is to stop', () => {
		expect(isToolThatResponds(openTool())).toBe(true);
		const stopping = openTool();
		Object.assign(stopping, { getNode: () => ({ type: 'smsSendTool', onError: 'stopWorkflow' }) });
		expect(isToolThatResponds(stopping)).toBe(false);
		expect(isToolThatResponds(openContext(nowhere))).toBe(false);
	});

	test('tells the model no encryption key, and leaves the record as it was', () => {
		const record = { messageId: 'a', encryptKey: 'secret' };
		expect(forModel(record)).toEqual({ messageId: 'a' });
		expect(record.encryptKey).toBe('secret');
	});
});

describe('readRun', () => {
	test('is the number of the run in a workflow, and for later agents', () => {
		expect(readRun(openContext(nowhere, { runIndex: 2 }))).toBe('2');
		expect(readRun(openTool({ toolCallId: 'call-1' }, 2))).toBe('2');
	});

	test('is the same in each attempt of a call of an earlier agent, and another for each call', () => {
		const [one, other] = [openTool(), openTool()];
		expect(readRun(one)).toBe(readRun(one));
		expect(readRun(one)).not.toBe(readRun(other));
	});
});

describe('requireOwnArguments', () => {
	test('asks nothing of a node, nor of a call that is counted', () => {
		expect(() =>
			requireOwnArguments(openContext(nowhere, { items: [{ to: '09' }] })),
		).not.toThrow();
		expect(() => requireOwnArguments(openTool({ toolCallId: 'a', to: '09' }))).not.toThrow();
	});

	test('rejects a call whose arguments n8n fills in from another', () => {
		const context = openTool({ to: '09779100001' });
		const fillIn = (to: string) => Object.assign(context, { evaluateExpression: () => to });
		expect(() => requireOwnArguments(fillIn('09779100001'))).not.toThrow();
		expect(() => requireOwnArguments(fillIn('09779100002'))).toThrow(
			'Nothing was done: n8n mixed up the arguments of two calls',
		);
	});
});
