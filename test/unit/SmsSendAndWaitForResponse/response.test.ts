import { english } from '../../../nodes/SmsSendAndWaitForResponse/pageTexts';
import type { Form } from '../../../nodes/SmsSendAndWaitForResponse/question';
import { readResponse } from '../../../nodes/SmsSendAndWaitForResponse/response';

const approve = { value: 'approve', label: 'Yes' };
const decline = { value: 'decline', label: 'No' };
const form = (changes: Partial<Form> = {}): Form => ({
	responseType: 'approval',
	message: 'Refund?',
	buttons: [approve, decline],
	asksReason: false,
	texts: english,
	...changes,
});
const approval = form();
const review = form({ asksReason: true });
const single = form({ buttons: [approve] });
const freeText = form({ responseType: 'freeText', buttons: [{ value: 'send', label: 'Send' }] });
const choice = form({
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
