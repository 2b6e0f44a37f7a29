import { unwrap } from '../../../../nodes/shared/client/envelope';

const one = { messageId: 'm-1', status: 'Accepted' };
const other = { status: false, message: 'Invalid Sender ID' };

describe('unwrap', () => {
	test.each([
		['at the top', { messages: [one, other] }],
		['in data', { success: true, data: { messages: [one, other] } }],
		['as data', { success: true, data: [one, other] }],
		['as the whole body', [one, other]],
		['by key', { messages: { 0: one, 3: other } }],
	])('finds messages %s', (_, body) => {
		expect(unwrap(body, 'messages')).toMatchObject({ messages: [one, other] });
	});

	test.each([
		['as messages', { messages: one }],
		['as data', { data: one }],
		['as the whole body', one],
	])('finds one message %s', (_, body) => {
		expect(unwrap(body, 'messages')).toMatchObject({ messages: [one] });
	});

	test('keeps the counts of a history beside its messages', () => {
		const counts = { limit: 20, records: 2, start: 0 };
		expect(unwrap({ data: { messages: [one], ...counts } }, 'messages')).toMatchObject(counts);
		expect(unwrap({ data: [one], ...counts }, 'messages')).toMatchObject(counts);
	});

	test.each([
		['an error', { name: 'Bad Request', message: 'No', code: 0, status: 400 }],
		['a list of errors', [{ field: 'to', message: 'No' }]],
		['messages that are text', { messages: 'none' }],
		['messages without any sign of one', { messages: { to: ['is invalid'] } }],
		['nothing', undefined],
	])('finds no messages in %s', (_, body) => {
		expect(unwrap(body, 'messages')).toBeUndefined();
	});

	test('finds another field at the top or in data, and nowhere else', () => {
		const balance = { balance: 5, currency: 'MMK' };
		expect(unwrap(balance, 'balance')).toEqual(balance);
		expect(unwrap({ success: true, data: balance }, 'balance')).toEqual(balance);
		expect(unwrap({ data: { data: balance } }, 'balance')).toBeUndefined();
		expect(unwrap({ result: balance }, 'balance')).toBeUndefined();
	});
});
