import { describeCharge, writeSms } from '../../../nodes/SmsSendAndWaitForResponse/smsText';
import { english } from '../../../nodes/SmsSendAndWaitForResponse/pageOptions';
import { countParts } from '../../../nodes/shared/input/parts';

const link = `https://n8n.example.com/webhook-waiting/1234/${'a'.repeat(36)}?q=abc&signature=${'0'.repeat(64)}`;
const call = { tool: 'Send_SMS', arguments: [] };
const write = (message: string, maxParts = Infinity, isReview = false) =>
	writeSms({ message, texts: english, ...(isReview && { call }) }, link, maxParts);

test('ends with the link, and counts it', () => {
	const { text, charge } = write('Refund?');
	expect(text).toBe(`Refund?\n${link}`);
	expect(charge).toEqual({ parts: 2, encoding: 'GSM-7' });
	expect(describeCharge({ text, charge }, link).message).toBe(
		`Each question is charged as 2 parts: ${text.length} of 306 characters, ${link.length} of them for the link.`,
	);
	expect(describeCharge(write('ပြန်အမ်းမလား'), link).message).toMatch(
		/charged as 3 parts: \d+ of 201 characters.*Burmese/,
	);
});

test('is rejected above Max Parts, with the length of the link', () => {
	expect(() => write('x'.repeat(200), 2)).toThrow('have 3 parts, but Max Parts is 2');
	expect(() => write('Refund?', 1)).toThrow('Max Parts is 1');
});

describe('of a review', () => {
	const long = 'Send an SMS? '.repeat(200);

	test.each([2, 3, 10])('is cut to %s parts, and not further', (maxParts) => {
		const { text, charge } = write(long, maxParts, true);
		expect(charge.parts).toBe(maxParts);
		expect(text.endsWith(`...\n${link}`)).toBe(true);
		expect(countParts(text.replace('...', ' Send an SMS...')).parts).toBe(maxParts + 1);
		expect(long.startsWith(text.slice(0, text.indexOf('...')))).toBe(true);
	});

	test('is cut to four parts where Max Parts says nothing', () => {
		expect(write(long, Infinity, true).charge.parts).toBe(4);
		expect(write('ပြန်အမ်းမလား '.repeat(100), Infinity, true).charge).toEqual({
			parts: 4,
			encoding: 'UCS-2',
		});
	});

	test('cuts no character in two', () => {
		const { text } = write('😀'.repeat(500), 4, true);
		expect(text.isWellFormed()).toBe(true);
	});

	test('is rejected where the link alone is too long', () =>
		expect(() => write(long, 1, true)).toThrow('Max Parts is 1'));
});
