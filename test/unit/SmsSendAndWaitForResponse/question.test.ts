import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import { english } from '../../../nodes/SmsSendAndWaitForResponse/pageTexts';
import {
	createLink,
	openProof,
	recallQuestion,
	rememberQuestion,
	toResponded,
	toTimedOut,
} from '../../../nodes/SmsSendAndWaitForResponse/question';
import { newExecution, openContext } from '../../workflow/openContext';

const service = { baseUrl: 'http://127.0.0.1:1/api', apiKey: 'key', apiSecret: 'secret' };
const form = {
	responseType: 'approval' as const,
	message: 'Refund?',
	buttons: [],
	asksReason: false,
	texts: english,
};
const about = { proof: 'proof', to: '959791234567', messageId: '7' };
const asked = { ...form, ...about, waitedUntil: '2999-01-01T00:00:00.000Z' };

test('the proof is the same in every attempt of a run, and another in the next run', () => {
	const execution = newExecution();
	const open = (runIndex: number) => openProof(openContext(service, { execution, runIndex }));
	const first = open(0);
	expect(first).toMatch(/^[\w-]{16}$/);
	expect(open(0)).toBe(first);
	expect(open(1)).not.toBe(first);
});

test('the link holds the proof and a signature, and nothing of the execution but its number', () => {
	const link = new URL(createLink(openContext(service), 'proof'));
	expect(link.pathname).toBe('/webhook-waiting/1/Node');
	expect([...link.searchParams.keys()]).toEqual(['q', 'signature']);
	expect(link.search.length).toBeLessThan(100);
});

test('n8n 1 is asked to check the signature', () => {
	const context = openContext(service);
	const require = jest.fn();
	Object.assign(context, { setSignatureValidationRequired: require });
	createLink(context as IExecuteFunctions, 'proof');
	expect(require).toHaveBeenCalledTimes(1);
});

describe('the question that is waited for', () => {
	const recall = (question: unknown, query: object) =>
		recallQuestion({
			getNode: () => ({ name: 'Ask' }),
			evaluateExpression: (expression: string) =>
				expression === '{{ $node["Ask"].context.question }}' ? question : undefined,
			getQueryData: () => query,
		} as unknown as IWebhookFunctions);

	test('is open to who has its proof', () => {
		const question = rememberQuestion(openContext(service), asked);
		expect(recall(question, { q: 'proof' })).toEqual({ question, isOpen: true });
		for (const q of ['', 'Proof', undefined, ['proof'], 1])
			expect(recall(question, { q }).isOpen).toBe(false);
	});

	test('is open until the end of the wait, whenever n8n ends it', () => {
		const endsAt = (end: number) => ({ ...asked, waitedUntil: new Date(end).toISOString() });
		expect(recall(endsAt(Date.now() + 5_000), { q: 'proof' }).isOpen).toBe(true);
		expect(recall(endsAt(Date.now()), { q: 'proof' }).isOpen).toBe(false);
		expect(recall({ ...asked, waitedUntil: undefined }, { q: 'proof' }).isOpen).toBe(false);
	});

	test('is not open before it was sent', () => {
		for (const question of [undefined, { run: '0', proof: 'proof' }])
			expect(recall(question, { q: 'proof' })).toEqual({ isOpen: false });
	});
});

test('the output is that of n8n’s nodes, with the message', () => {
	const question = { ...asked, run: '0' };
	const at = new Date('2030-01-01T00:00:00Z');
	expect(toResponded(question, { approved: true }, at)).toEqual({
		data: { approved: true, respondedAt: '2030-01-01T00:00:00.000Z' },
		timedOut: false,
		messageId: '7',
		to: '959791234567',
	});
	expect(toTimedOut(question)).toEqual({
		data: { approved: false },
		timedOut: true,
		messageId: '7',
		to: '959791234567',
		waitedUntil: '2999-01-01T00:00:00.000Z',
	});
});
