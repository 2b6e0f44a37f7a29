import fc from 'fast-check';

import {
	hideWaitingLinks,
	holdsWaitingLink,
	isFoundByVisible,
} from '../../../../nodes/shared/client/secrets';

const node = '0f8fad5b-d9cb-469f-a165-70867728950e';
const proof = 'kT3-x_9QpLm2Zw7R';
const signature = 'ab12cd34'.repeat(8);
const query = `q=${proof}&signature=${signature}`;
const link = `https://n8n.example.com/webhook-waiting/4711/${node}?${query}`;
const links = [
	link,
	`https://n8n.example.com/n8n/form-waiting/4711?signature=${signature}`,
	`http://localhost:5678/webhook-waiting/4711`,
	`https://n8n.example.com/renamed/4711/${node}?${query}`,
	`https://n8n.example.com/renamed/4711?signature=${signature}`,
	`https://n8n.example.com/renamed/4711/${node}?signature=${signature}%2F${node}`,
	link.replace('https://', ''),
	link.slice(0, link.indexOf('&')),
	link.slice(0, -30),
];

const writings: Array<(text: string) => string> = [
	(text) => text,
	encodeURI,
	encodeURIComponent,
	(text) => JSON.stringify(text).replaceAll('/', '\\/'),
	(text) => text.replaceAll('&', '&amp;').replaceAll('/', '&#x2F;').replaceAll('=', '&#61;'),
];

describe('a waiting link', () => {
	test.each(links)('%s is hidden, as written and escaped', (written) => {
		for (const write of writings) {
			const texts = { message: `Refund?\n${write(written)}`, raw: write(written) };
			expect(holdsWaitingLink(texts.raw)).toBe(true);
			const hidden = JSON.stringify(hideWaitingLinks(texts));
			expect(hidden).toContain('[hidden]');
			for (const secret of [proof, signature.slice(0, 12), node])
				expect(hidden).not.toContain(secret);
		}
	});

	test.each([
		'Your 8 vouchers: 12345678 12346789 12345670 12346781 12345672 12346783 12345674 12346785',
		'Please send your signature = proof of delivery',
		'https://shop.example/i?id=7&signature=9a8b',
	])('is not what a text only looks like: %s', (message) => {
		expect(hideWaitingLinks({ message })).toEqual({ message });
	});

	test('is not in what identifies or decrypts a message', () => {
		const record = { messageId: link, encryptKey: `signature=${signature}` };
		expect(hideWaitingLinks([record])).toEqual([record]);
	});

	test('is hidden behind whatever else a text says', () => {
		const said = fc.array(
			fc.oneof(
				fc.string({ unit: 'grapheme', maxLength: 12 }),
				fc.constantFrom('%', '\\u', 'http', 'https://', '[hidden]', '\n', link),
			),
			{ maxLength: 6 },
		);
		fc.assert(
			fc.property(said, said, fc.constantFrom(...links.slice(0, 6)), (before, after, written) => {
				const text = `${before.join('')}\n${written} ${after.join('')}`;
				const hidden = hideWaitingLinks(text);
				expect(hidden.endsWith('[hidden]')).toBe(true);
				expect(holdsWaitingLink(hidden)).toBe(false);
				for (const secret of [proof, signature]) expect(hidden).not.toContain(secret);
			}),
			{ numRuns: 1000 },
		);
	});
});

test('the rest of a text and of the data stays', () => {
	const record = {
		messageId: 'm-1',
		message:
			'See https://example.com/offer?id=1%20&a=2 and sign: ရှင်\n\u200bJohn & Co. waiting-list',
		messageCount: 2,
		scheduledAt: null,
		test: false,
	};
	const data = { record, list: [record, 'Hi', 1, null], none: undefined };
	expect(hideWaitingLinks(data)).toEqual(data);
	expect(hideWaitingLinks(`Refund 45,000 MMK?\n${link}`)).toBe('Refund 45,000 MMK?\n[hidden]');
	expect(hideWaitingLinks([{ a: { b: [link] } }, link])).toEqual([
		{ a: { b: ['[hidden]'] } },
		'[hidden]',
	]);
});

describe('a text with a hidden link', () => {
	test('is found by every part of what is visible of it', () => {
		const text = `Refund 45,000 MMK?\n${link}`;
		for (const sought of ['Refund', 'fund 45', 'MMK?', '?\n', ''])
			expect(isFoundByVisible(text, sought)).toBe(true);
		expect(isFoundByVisible('Your order', 'sent anyway')).toBe(true);
		expect(isFoundByVisible(undefined, 'a')).toBe(true);
	});

	test('is found by no part of its link, and not by the mask', () => {
		for (const written of links) {
			const text = `?\n${written}`;
			for (let length = 1; length < 12; length += 1) {
				for (let at = 3; at + length <= text.length; at += 1)
					expect(isFoundByVisible(text, text.slice(at - 1, at + length))).toBe(false);
			}
			for (const sought of ['[hidden]', 'hid', '%', '_', '?\nh', '?\nH']) {
				expect(isFoundByVisible(text, sought)).toBe(false);
			}
		}
	});
});
