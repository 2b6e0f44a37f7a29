import type { IExecuteFunctions } from 'n8n-workflow';

import {
	createLink,
	describeCharge,
	type Question,
	toResponded,
	writeSms,
} from '../../../nodes/SmsSendAndWaitForResponse/question';
import { nowhere, openContext } from '../../support/workflow/openContext';

const sent = { to: '959791234567', messageId: '7' } as Question;

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

describe('the SMS', () => {
	const link = `https://n8n.example.com/webhook-waiting/1234/${'a'.repeat(36)}?q=abc&signature=${'0'.repeat(64)}`;
	const write = (message: string, maxParts = Infinity, isUnicode = false) =>
		writeSms(message, link, isUnicode, maxParts);

	test('ends with the link, and counts it', () => {
		const { text, charge } = write('Refund?');
		expect(text).toBe(`Refund?\n${link}`);
		expect(charge).toMatchObject({ parts: 2, encoding: 'GSM-7' });
		expect(describeCharge(charge, link)).toBe(
			`Each question is charged as 2 parts: ${text.length} of 306 characters, ${link.length} of them for the link.`,
		);
		expect(describeCharge(write('ပြန်အမ်းမလား').charge, link)).toMatch(
			/charged as 3 parts: \d+ of 201 characters.*Burmese/,
		);
		expect(write('Refund?', Infinity, true).charge.encoding).toBe('UCS-2');
	});

	test('is rejected above Max Parts, with the length of the link', () => {
		expect(() => write('x'.repeat(200), 2)).toThrow('have 3 parts, but Max Parts is 2');
		expect(() => write('Refund?', 1)).toThrow('Max Parts is 1');
	});
});
