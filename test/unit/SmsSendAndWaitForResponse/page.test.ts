import { createHash } from 'node:crypto';

import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';

import {
	burmese,
	english,
	type Form,
	pageHeaders,
	renderNotice,
	renderQuestion,
} from '../../../nodes/SmsSendAndWaitForResponse/page';
import { launchBrowser } from '../../../tools/docsImages/browser';

const form = (changes: Partial<Form> = {}): Form => ({
	responseType: 'approval',
	message: 'Refund 45,000 MMK to order 1234?',
	buttons: [
		{ value: 'approve', label: 'Approve' },
		{ value: 'decline', label: 'Decline' },
	],
	language: 'en',
	...changes,
});
const choice = form({
	responseType: 'choice',
	buttons: Array.from({ length: 10 }, (_, n) => ({ value: String(n), label: `Choice ${n}` })),
});
const freeText = form({ responseType: 'freeText', buttons: [{ value: 'send', label: 'Send' }] });
const pages: Record<string, string> = {
	approval: renderQuestion(form()),
	choice: renderQuestion(choice),
	'free text': renderQuestion(freeText),
	problem: renderQuestion(freeText, english.empty),
	Burmese: renderQuestion(form({ language: 'my' })),
	recorded: renderNotice('en', 'recorded', 'Approve'),
	answered: renderNotice('en', 'answered', 'Approve'),
	closed: renderNotice('en', 'closed'),
};

describe.each(Object.entries(pages))('the page: %s', (_, html) => {
	/** SECURITY.md: "The page has no script". */
	test('is under 10 kB, without a script, a picture or a foreign address', () => {
		expect(Buffer.byteLength(html)).toBeLessThan(10_000);
		expect(html).not.toMatch(
			/<(script|img|link|iframe|object|svg)\b|\son\w+=|https?:|url\(|@import/i,
		);
	});

	test('allows its own style and nothing else', () => {
		const [, style] = /<style>([\s\S]*)<\/style>/.exec(html) ?? [];
		const hash = createHash('sha256').update(style).digest('base64');
		const policy = pageHeaders['Content-Security-Policy'];
		expect(policy).toBe(
			`default-src 'none'; style-src 'sha256-${hash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
		);
		// n8n answers a press with a policy of its own in the header.
		expect(html).toContain(policy.replace("; frame-ancestors 'none'", ''));
		expect(html).toContain('<meta name="robots" content="noindex, nofollow">');
	});
});

test('says its language', () => {
	expect(pages.approval).toContain('<html lang="en">');
	expect(pages.Burmese).toContain('<html lang="my">');
});

test('asks for a response only in a question', () => {
	const headings = ['approval', 'recorded', 'answered', 'closed'].map(
		(name) => /<h1[^>]*>(.*)<\/h1>/.exec(pages[name])?.[1],
	);
	const [asking, ...notices] = headings;
	expect(asking).toBe(english.title);
	expect(notices).toEqual(['Response recorded', 'Question closed', 'Question closed']);
});

test('escapes everything that comes from the workflow', () => {
	const evil = `"><script>alert(1)</script>'&<b>`;
	const asked = form({ message: evil, buttons: [{ value: evil, label: evil }] });
	for (const html of [renderQuestion(asked, evil), renderNotice('en', 'answered', evil)]) {
		const [, body] = /<body>([\s\S]*)<\/body>/.exec(html) ?? [];
		expect(html).not.toMatch(/<script|<b>/);
		expect(body.replace(/&(amp|lt|gt|quot|#39);/g, '')).not.toContain("'");
	}
});

describe('in a browser', () => {
	let browser: Browser;
	let page: Page;
	beforeAll(async () => {
		browser = await launchBrowser();
	}, 60_000);
	afterAll(async () => await browser?.close());
	afterEach(async () => await page.context().close());

	/** An old phone is small. */
	const show = async (html: string, colorScheme: 'light' | 'dark', javaScriptEnabled = true) => {
		const viewport = { width: 320, height: 568 };
		const context = await browser.newContext({
			viewport,
			colorScheme,
			javaScriptEnabled,
			bypassCSP: javaScriptEnabled,
		});
		page = await context.newPage();
		await page.route(
			'http://n8n.test/**',
			async (route) => await route.fulfill({ body: html, headers: pageHeaders }),
		);
		await page.goto('http://n8n.test/question');
	};

	test.each(
		Object.entries(pages).flatMap(([name, html]) => [
			[name, 'light' as const, html],
			[name, 'dark' as const, html],
		]),
	)(
		'%s, %s: axe finds nothing, and nothing is wider than a small phone',
		async (_, scheme, html) => {
			await show(html as string, scheme as 'light' | 'dark');
			await page.evaluate(axe.source);
			const { violations } = await page.evaluate(() =>
				(globalThis as unknown as { axe: typeof axe }).axe.run(),
			);
			expect(violations.map(({ id }) => id)).toEqual([]);
			const width = await page.evaluate<number>('document.documentElement.scrollWidth');
			expect(width).toBeLessThanOrEqual(320);
		},
		30_000,
	);

	test('its style counts under its policy, and pressing a button posts it', async () => {
		await show(renderQuestion(freeText), 'light', false);
		const button = page.getByRole('button', { name: 'Send' });
		const box = await button.boundingBox();
		expect(box?.height).toBeGreaterThanOrEqual(56);
		await page.getByLabel(english.response).fill('Too much');
		const [request] = await Promise.all([
			page.waitForRequest((candidate) => candidate.method() === 'POST'),
			button.click(),
		]);
		expect(request.postData()).toBe('text=Too+much&response=send');
		expect(request.headers()).not.toHaveProperty('referer');
	}, 30_000);

	/** SECURITY.md: the page "can't be framed". n8n sends the page after a press with a policy of its own. */
	test.each([
		['its policy', pageHeaders],
		['that of n8n', { ...pageHeaders, 'Content-Security-Policy': 'sandbox allow-forms' }],
	])(
		'no other site can frame it, with %s',
		async (_, headers) => {
			page = await browser.newPage();
			await page.route(
				'http://n8n.test/**',
				async (route) => await route.fulfill({ body: pages.approval, headers }),
			);
			const body = '<iframe src="http://n8n.test/question"></iframe>';
			await page.route(
				'http://other.test/**',
				async (route) => await route.fulfill({ body, contentType: 'text/html' }),
			);
			await page.goto('http://other.test/');
			const [, frame] = page.frames();
			expect(await frame.content()).not.toContain('Refund');
		},
		30_000,
	);
});

test('Burmese has all texts of its own', () => {
	for (const [name, text] of Object.entries(english)) {
		const own = burmese[name as keyof typeof burmese];
		expect(own).not.toBe(text);
		expect(own).toMatch(/^[\u1000-\u109f\s()-]+$/);
	}
});
