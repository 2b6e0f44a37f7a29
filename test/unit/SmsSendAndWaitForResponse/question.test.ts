import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import { english } from '../../../nodes/SmsSendAndWaitForResponse/page';
import {
	createLink,
	describeCharge,
	recallAsked,
	recallQuestion,
	rememberQuestion,
	toResponded,
	writeSms,
} from '../../../nodes/SmsSendAndWaitForResponse/question';
import { type Decision, findDecision } from '../../../nodes/SmsSendAndWaitForResponse/respond';
import { newExecution, nowhere, openContext } from '../../support/workflow/openContext';
const form = {
	responseType: 'approval' as const,
	message: 'Refund?',
	buttons: [],
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

describe('the SMS', () => {
	const link = `https://n8n.example.com/webhook-waiting/1234/${'a'.repeat(36)}?q=abc&signature=${'0'.repeat(64)}`;
	const write = (message: string, maxParts = Infinity, isUnicode = false) =>
		writeSms(message, link, isUnicode, maxParts);

	test('ends with the link, and counts it', () => {
		const { text, charge } = write('Refund?');
		expect(text).toBe(`Refund?\n${link}`);
		expect(charge).toMatchObject({ parts: 2, encoding: 'GSM-7' });
		expect(describeCharge({ text, charge }, link)).toBe(
			`Each question is charged as 2 parts: ${text.length} of 306 characters, ${link.length} of them for the link.`,
		);
		expect(describeCharge(write('ပြန်အမ်းမလား'), link)).toMatch(
			/charged as 3 parts: \d+ of 201 characters.*Burmese/,
		);
		expect(write('Refund?', Infinity, true).charge.encoding).toBe('UCS-2');
	});

	test('is rejected above Max Parts, with the length of the link', () => {
		expect(() => write('x'.repeat(200), 2)).toThrow('have 3 parts, but Max Parts is 2');
		expect(() => write('Refund?', 1)).toThrow('Max Parts is 1');
	});
});
