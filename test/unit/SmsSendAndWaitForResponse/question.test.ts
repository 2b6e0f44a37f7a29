import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import { english } from '../../../nodes/SmsSendAndWaitForResponse/pageOptions';
import {
	createLink,
	type Form,
	readResponse,
	recallAsked,
	recallQuestion,
	rememberQuestion,
	toResponded,
} from '../../../nodes/SmsSendAndWaitForResponse/question';
import { type Decision, findDecision } from '../../../nodes/SmsSendAndWaitForResponse/respond';
import { newExecution, nowhere, openContext } from '../../support/workflow/openContext';
const form = {
	responseType: 'approval' as const,
	message: 'Refund?',
	buttons: [],
	asksReason: false,
	texts: english,
};
const asked = { ...form, to: '959791234567', from: 'MyShop' };
const waitedUntil = '2999-01-01T00:00:00.000Z';
const sent = { ...asked, run: '0', execution: '1', proof: 'proof', messageId: '7', waitedUntil };

test('a question is the same in every attempt of a run, and another in the next run and in a retry by hand', () => {
	const execution = newExecution();
	const open = (runIndex: number, executionId = '1') =>
		Object.assign(openContext(nowhere, { execution, runIndex }), {
			getExecutionId: () => executionId,
		});
	expect(recallAsked(open(0))).toBeUndefined();
	const { proof } = rememberQuestion(open(0), asked);
	expect(proof).toMatch(/^[\w-]{16}$/);
	expect(recallAsked(open(0))).toMatchObject({ ...asked, proof });
	expect(recallAsked(open(0, '2'))).toBeUndefined();
	expect(recallAsked(open(1))).toBeUndefined();
	expect(rememberQuestion(open(1), asked).proof).not.toBe(proof);
});

test('the link holds the proof and a signature, and nothing of the execution but its number', () => {
	const link = new URL(createLink(openContext(nowhere), 'proof'));
	expect(link.pathname).toBe('/webhook-waiting/1/Node');
	expect([...link.searchParams.keys()]).toEqual(['q', 'signature']);
	expect(link.search.length).toBeLessThan(100);
});

test('n8n 1 is asked to check the signature', () => {
	const context = openContext(nowhere);
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
		const { proof } = rememberQuestion(openContext(nowhere), asked);
		const question = { ...sent, proof };
		expect(recall(question, { q: proof })).toEqual({ question, isOpen: true });
		for (const q of ['', `${proof}x`, undefined, [proof], 1])
			expect(recall(question, { q }).isOpen).toBe(false);
	});

	test('is open until the end of the wait, whenever n8n ends it', () => {
		const endsAt = (end: number) => ({ ...sent, waitedUntil: new Date(end).toISOString() });
		expect(recall(endsAt(Date.now() + 5_000), { q: 'proof' }).isOpen).toBe(true);
		expect(recall(endsAt(Date.now()), { q: 'proof' }).isOpen).toBe(false);
	});

	test('is not open before it was sent, or where none was asked', () => {
		expect(recall({ ...sent, waitedUntil: undefined }, { q: 'proof' }).isOpen).toBe(false);
		expect(recall(undefined, { q: 'proof' })).toEqual({ isOpen: false });
	});
});

test('the output is that of n8n’s nodes, with the message', () => {
	const at = new Date('2030-01-01T00:00:00Z');
	const respondedAt = '2030-01-01T00:00:00.000Z';
	for (const response of [
		{ approved: true },
		{ approved: false },
		{ approved: false, chatInput: 'No' },
		{ choice: 'Approve' },
		{ text: 'Approved' },
	]) {
		const approved = response.approved === true;
		expect(toResponded(sent, response, at)).toEqual({
			approved,
			data: { ...response, approved, respondedAt },
			timedOut: false,
			messageId: '7',
			to: '959791234567',
		});
	}
});

describe('decisions', () => {
	const decision = (isCounted: Promise<boolean>): Decision => ({
		response: { data: { approved: true }, words: 'Yes' },
		at: new Date(),
		isCounted,
	});
	const counted = decision(Promise.resolve(true));

	test('keeps no more than the last 500', async () => {
		for (let n = 0; n < 501; n += 1) await findDecision(`n ${n}`, () => counted);
		expect(await findDecision('n 0')).toBeUndefined();
		expect(await findDecision('n 1')).toBe(counted);
		expect(await findDecision('n 500')).toBe(counted);
	});
});

const approve = { value: 'approve', label: 'Yes' };
const decline = { value: 'decline', label: 'No' };
const formOf = (changes: Partial<Form> = {}): Form => ({
	responseType: 'approval',
	message: 'Refund?',
	buttons: [approve, decline],
	asksReason: false,
	texts: english,
	...changes,
});
const approval = formOf();
const review = formOf({ asksReason: true });
const single = formOf({ buttons: [approve] });
const freeText = formOf({ responseType: 'freeText', buttons: [{ value: 'send', label: 'Send' }] });
const choice = formOf({
	responseType: 'choice',
	buttons: ['One', 'Two'].map((label, index) => ({ value: String(index), label })),
});

test.each<[Form, object, object]>([
	[approval, { response: 'approve' }, { approved: true }],
	[approval, { response: 'decline' }, { approved: false }],
	[approval, { response: 'decline', reason: 'Too much' }, { approved: false }],
	[
		review,
		{ response: 'decline', reason: ' Too\r\nmuch ' },
		{ approved: false, chatInput: 'Too\nmuch' },
	],
	[review, { response: 'decline', reason: ' ' }, { approved: false }],
	[review, { response: 'approve', reason: 'Fine' }, { approved: true }],
	[choice, { response: '1' }, { choice: 'Two' }],
	[
		freeText,
		{ response: 'send', text: 'On my\0 way\u2028\ud800' },
		{ text: 'On my way\u2028\ufffd' },
	],
	[freeText, { response: 'send', text: 'x\r\n'.repeat(1000) }, { text: 'x\n'.repeat(1000).trim() }],
])('of %# a press returns what was asked for, and nothing else', (asked, body, data) =>
	expect(readResponse(asked, { ...body, approved: 'x', chatInput: 'x', extra: 'x' })).toMatchObject(
		{ data },
	),
);

test('holds no field but those of the question', () =>
	expect(readResponse(approval, { response: 'approve', chatInput: 'x' })).toEqual({
		data: { approved: true },
		words: 'Yes',
	}));

test.each<[Form, unknown]>([
	[approval, undefined],
	[approval, null],
	[approval, 'response=approve'],
	[approval, ['approve']],
	[approval, {}],
	[approval, { response: ['approve', 'decline'] }],
	[approval, { response: { 0: 'approve' } }],
	[approval, { response: true }],
	[approval, { response: 'Approve' }],
	[approval, { approved: 'true' }],
	[approval, Object.create({ response: 'approve' })],
	[single, { response: 'decline' }],
	[choice, { response: '2' }],
	[choice, { response: 'One' }],
	[choice, { response: 'approve' }],
	[freeText, { text: 'Text without the button' }],
	[freeText, { response: 'send' }],
	[freeText, { response: 'send', text: ' \r\n ' }],
	[freeText, { response: 'send', text: ['a', 'b'] }],
])('%# decides nothing', (asked, body) => expect(readResponse(asked, body)).toBe('empty'));

test.each<[Form, object]>([
	[freeText, { response: 'send', text: 'x'.repeat(2001) }],
	[review, { response: 'decline', reason: 'x'.repeat(2001) }],
])('%# is too long', (asked, body) => expect(readResponse(asked, body)).toBe('tooLong'));
