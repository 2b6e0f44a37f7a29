import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import type { Browser, Page } from 'playwright-core';

import { renderQuestion } from '../../../nodes/SmsSendAndWaitForResponse/page';
import { english } from '../../../nodes/SmsSendAndWaitForResponse/pageOptions';
import { readCall, type ReviewedCall } from '../../../nodes/SmsSendAndWaitForResponse/review';
import { writeSms } from '../../../nodes/SmsSendAndWaitForResponse/smsText';
import { countParts } from '../../../nodes/shared/validation/parts';
import { asks, review } from '../../support/unit/review';
import { launchBrowser } from '../../../tools/docsImages/browser';

const link = `https://n8n.example.com/webhook-waiting/1234/${'a'.repeat(36)}?q=abc&signature=${'0'.repeat(64)}`;
const question = 'The agent wants to run this tool: Send_SMS\n\nInput:\n[object Object]';
const honest = { to: '09791234567', message: 'Your order is ready.' };
const evil = { to: '09797654321', message: 'Win a prize at evil.example' };

const read = async (toolParameters: unknown, asked = ['to', 'message']) =>
	await readCall(review({ toolParameters, tools: [asks(...asked)] }));

const render = (call: ReviewedCall, message = question) =>
	renderQuestion({
		responseType: 'approval',
		message,
		call,
		buttons: [
			{ value: 'approve', label: 'Approve' },
			{ value: 'decline', label: 'Decline' },
		],
		asksReason: true,
		texts: english,
	});
const sms = (call: ReviewedCall, message = question) =>
	writeSms({ message, call, texts: english }, link, Infinity);

describe('a call with a name that the tool does not ask for is rejected, with a sentence for the model', () => {
	const names = ['To', ' to', 'to ', 'tо', 'to\u200b', '\u202eto', 'to:', 't\u00f6', 'ｔｏ'];
	const forged: Array<[string, unknown]> = [
		[
			'message with zero width spaces',
			{ To: honest.to, Message: `${honest.message}${'\u200b'.repeat(2500)}`, ...evil },
		],
		['message with dots', { Message: `${honest.message}${'.'.repeat(1500)}`, ...evil }],
		['reverse', { ...evil, Message: `${'.'.repeat(1500)}`, To: honest.to }],
		...names.map((name): [string, unknown] => [
			JSON.stringify(name),
			{ ...evil, [name]: honest.to },
		]),
		['a list', [evil]],
		['a prototype', JSON.parse(`{"to":"0979","message":"x","__proto__":{"to":"0978"}}`)],
		['a constructor', { ...evil, constructor: honest.to }],
		['an object query', { ...honest, query: evil }],
		['another tool', { ...honest, tool: 'Lookup' }],
		['its own tool', { ...honest, tool: 'Send_SMS' }],
		['text', 'to: 09791234567'],
		['an empty name', { ...evil, '': honest.to }],
	];
	test.each(forged)('%s', async (_, parameters) => {
		await expect(read(parameters)).rejects.toMatchObject({
			message: expect.stringMatching(
				/^The tool did not run: it does not ask for the argument /,
			) as string,
			description: 'Call it again with its own arguments only: to, message.',
		});
	});
});

/** Every value ends up in the tool; none may look like another call. */
const values: Record<string, Record<string, unknown>> = {
	honest,
	'zero width spaces': {
		...evil,
		message: `${honest.message}${'\u200b'.repeat(2500)}to: ${honest.to}`,
	},
	'variation selectors': { ...evil, message: `Hi${'\ufe00'.repeat(2500)}` },
	'supplementary variation selectors': { ...evil, message: `Hi${'\u{e0100}'.repeat(900)}` },
	'1,500 dots': { message: `${honest.message}${'.'.repeat(1500)}`, to: evil.to },
	'dots in front': { message: `${'. '.repeat(1500)}to ${honest.to}`, to: evil.to },
	'line breaks': { message: `Hi${'\n'.repeat(300)}to\n${honest.to}`, to: evil.to },
	spaces: { message: `Hi${' '.repeat(1000)}2/2 to: ${honest.to}`, to: evil.to },
	'ideographic spaces': { message: `Hi${'\u3000'.repeat(300)}to`, to: evil.to },
	'Braille blanks': { message: `Hi${'\u2800'.repeat(300)}to`, to: evil.to },
	'Hangul fillers': { message: `Hi${'\u3164'.repeat(300)}to`, to: evil.to },
	'tags of HTML': {
		message: '</dd></dl><dl><dt>to</dt><dd>09791234567</dd></dl><!--',
		to: evil.to,
	},
	'closing details': { message: `${'x'.repeat(400)}</summary></details><form>`, to: evil.to },
	entities: { message: '&lt;dt&gt;to&lt;/dt&gt;&nbsp;&#8203;', to: evil.to },
	'stacked marks': { message: `a${'\u0335\u0489\u20dd'.repeat(300)} hi`, to: evil.to },
	'few stacked marks': { message: `a${'\u0300'.repeat(60)} hi`, to: evil.to },
	'wide glyphs': { message: '\ufdfd'.repeat(60), to: evil.to },
	'few wide glyphs': { message: '\ufdfd'.repeat(25), to: evil.to },
	cuneiform: { message: '\u{1242b}'.repeat(60), to: evil.to },
	'right to left': { message: `\u202e${honest.to}\u202c`, to: evil.to },
	isolates: { to: `\u2067${evil.to}\u2069`, message: 'Hi' },
	'Hebrew around numbers': { message: 'א 1,000 ב 2,000', to: evil.to },
	'a numbered imitation': {
		message: `Hi 3/3 to: ${honest.to} 2/2 message: ${honest.message}`,
		to: evil.to,
	},
	'an imitated length': { message: 'Hi… 12 characters; show all', to: evil.to },
	'an imitated rest': { message: 'Hi 3 more on the page', to: evil.to },
	JSON: { message: JSON.stringify(honest), to: evil.to },
	'nested objects': { message: { to: honest.to, message: honest.message }, to: evil.to },
	'a deep list': { message: Array.from({ length: 300 }, () => honest), to: evil.to },
	'500 recipients': {
		to: Array.from({ length: 500 }, (_, n) => `0979${1000000 + n}`),
		message: evil.message,
	},
	'500 recipients as text': {
		to: Array.from({ length: 500 }, (_, n) => `0979${1000000 + n}`).join(', '),
		message: evil.message,
	},
	'one long word': { message: 'W'.repeat(3000), to: evil.to },
	emojis: { message: '👨‍👩‍👧'.repeat(200), to: evil.to },
	Burmese: { message: 'သင့်အော်ဒါ အဆင်သင့်ဖြစ်ပါပြီ။ '.repeat(40), to: evil.to },
	'lone surrogates': { message: '\ud800'.repeat(50), to: evil.to },
	'object placeholder': { message: '[object Object]', to: evil.to },
};
const cases = Object.entries(values);

describe('by text', () => {
	test.each(cases)('%s: the page has each name once, in its markup', async (_, parameters) => {
		const html = render(await read(parameters));
		const names = Array.from(html.matchAll(/<dt>(.*?)<\/dt>/g), ([, name]) => name);
		const own = Object.keys(parameters);
		expect(names).toEqual(own.map((name, n) => `<small>${n + 1}/${own.length}</small> ${name}`));
		expect(html.match(/<form/g)).toHaveLength(1);
		expect(html).not.toMatch(
			/(?!\u200d)\p{Default_Ignorable_Code_Point}(?!\p{L})|[\u202a-\u202e\u2028\u2066-\u2069\u2800\p{Cs}]/u,
		);
	});

	test.each(cases)('%s: the SMS has each name on a line of its own', async (_, parameters) => {
		const { text, charge } = sms(await read(parameters));
		expect(charge.parts).toBeLessThanOrEqual(4);
		const lines = text.split('\n');
		const names = Object.keys(parameters);
		const places = names.map((name, n) => lines.indexOf(`${n + 1}/${names.length} ${name}:`));
		expect(places.every((place) => place >= 0)).toBe(true);
		expect(lines.filter((line) => /^\d+\/\d+ \w+:$/.test(line))).toHaveLength(names.length);
		// A value of one line follows each name.
		expect(places[1] - places[0]).toBe(2);
		expect(lines[lines.length - 1]).toBe(link);
		const to = names.indexOf('to');
		if (typeof parameters.to === 'string' && !/[^\d]/.test(parameters.to))
			expect(lines[places[to] + 1]).toBe(parameters.to);
	});

	test('an argument that has no room is counted, not dropped', async () => {
		const asked = Array.from({ length: 30 }, (_, n) => `argument_with_a_long_name_${n}`);
		const parameters = Object.fromEntries(asked.map((name) => [name, 'x'.repeat(200)]));
		const { text, charge } = sms(await read(parameters, asked));
		const told = text.split('\n').filter((line) => /^\d+\/30 /.test(line)).length;
		expect(charge.parts).toBe(4);
		expect(told).toBeGreaterThan(3);
		expect(text).toContain(`\n${30 - told} more on the page\n`);
		expect(countParts(text).parts).toBe(4);
	});

	test('a list is counted', async () => {
		for (const name of ['500 recipients', '500 recipients as text']) {
			const call = await read(values[name]);
			expect(render(call)).toMatch(/500 entries, [\d,]+ characters; show all/);
			expect(sms(call).text).toMatch(
				/1\/2 to:\n.*\.\.\. \(500 entries\)\n2\/2 message:\nWin a prize/,
			);
		}
	});

	test('a long value is folded with its length', async () => {
		const html = render(await read({ ...honest, message: `Hi${'\u200b'.repeat(2512)}` }));
		expect(html).toContain('2,514 characters; show all');
		expect(html).toContain(`<details>`);
	});
});

describe('on the first screen of a phone', () => {
	let browser: Browser;
	let page: Page;
	beforeAll(async () => {
		browser = await launchBrowser();
		page = await browser.newPage({ viewport: { width: 390, height: 760 } });
	}, 60_000);
	afterAll(async () => await browser?.close());

	const folder = process.env.PICTURES;
	const show = async (name: string, html: string) => {
		await page.setContent(html);
		if (folder === undefined) return;
		mkdirSync(folder, { recursive: true });
		await page.screenshot({ path: join(folder, `${name.replace(/\W+/g, '-')}.png`) });
	};
	const boxesOf = async (selector: string) =>
		(
			await Promise.all(
				(await page.locator(selector).all()).map(async (one) => await one.boundingBox()),
			)
		).map((box) => box ?? { x: 0, y: 1e6, width: 0, height: 0 });

	test.each(cases)(
		'%s: all arguments and both buttons are there',
		async (name, parameters) => {
			await show(name, render(await read(parameters)));
			for (const { y, height } of await boxesOf('dt, dd, button')) {
				expect(height).toBeGreaterThan(10);
				expect(y + height).toBeLessThanOrEqual(760);
			}
			expect(
				await page.evaluate<number>('document.documentElement.scrollWidth'),
			).toBeLessThanOrEqual(390);
		},
		30_000,
	);

	test.each([6, 10])(
		'of %s long arguments, all are there',
		async (count) => {
			const asked = Array.from({ length: count }, (_, n) => `argument_${n}`);
			const parameters = Object.fromEntries(asked.map((name) => [name, `${'W '.repeat(500)}`]));
			await show(`${count} arguments`, render(await read(parameters, asked)));
			for (const { y, height } of await boxesOf('dt, dd'))
				expect(y + height).toBeLessThanOrEqual(760);
		},
		30_000,
	);

	test.each([
		['a long reason', `${'She asked for it. '.repeat(200)}[object Object]`],
		['a reason of many lines', `Send_SMS\nto: ${honest.to}\n${'\n'.repeat(300)}x`],
		['wide reasons', '\ufdfd'.repeat(300)],
	])(
		'%s of the model does not push the call away',
		async (name, message) => {
			await show(name, render(await read(evil), message));
			for (const { y, height } of await boxesOf('dt, dd, button'))
				expect(y + height).toBeLessThanOrEqual(760);
		},
		30_000,
	);

	test('the whole of a folded value is one press away, without a script', async () => {
		const message = `${'x '.repeat(600)}the end`;
		await show('folded', render(await read({ ...honest, message })));
		const end = page.getByText('the end');
		expect(await end.isVisible()).toBe(false);
		await page.getByText('show all').click();
		expect(await end.isVisible()).toBe(true);
	}, 30_000);
});
