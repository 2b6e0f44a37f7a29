import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../../../tools/docsImages/browser';
import { useReceiver, useSandbox, useStarts } from '../../support/sandbox/harness';

const tea = { from: 'a@example.com', to: 'b@example.com', subject: 'Tea', text: 'Cake' };

describe('the inbox in a browser', () => {
	const sandbox = useSandbox();
	const start = useStarts();
	const receiver = useReceiver();
	let browser: Browser;
	let page: Page;

	beforeAll(async () => {
		browser = await launchBrowser();
		const context = await browser.newContext();
		await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: sandbox.url });
	});
	beforeEach(async () => {
		page = await browser.contexts()[0]!.newPage();
		page.setDefaultTimeout(30_000);
		await page.goto(`${sandbox.url}/_sandbox`);
	});
	afterEach(() => page.close());
	afterAll(() => browser?.close());

	/** @param rules all of them when it is left out */
	const findProblems = async (rules?: string[]) => {
		await page.evaluate(axe.source);
		const { violations } = await page.evaluate(
			(runOnly) => (globalThis as unknown as { axe: typeof axe }).axe.run({ runOnly }),
			rules,
		);
		return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
	};
	const row = (text: string) => page.getByRole('row', { name: text });

	test('shows what is sent and its statuses, and writes nothing to the console', async () => {
		const said: string[] = [];
		page.on('console', (message) => said.push(message.text()));
		page.on('pageerror', (error) => said.push(error.message));
		await page.reload();
		await sandbox.send({ message: 'apples' });
		await row('apples').getByText('Accepted').waitFor();
		sandbox.advance(60_000);
		await row('apples').getByText('Delivered').waitFor();
		await sandbox.send({ to: '12' });
		await page.getByText('To is not a valid mobile number.').waitFor();
		expect(said).toEqual([]);
	});

	test("takes the account's URL for delivery receipts, and shows it without its query", async () => {
		const url = `${receiver.url}/hook?secret=s`;
		await page.getByLabel('URL for delivery receipts').fill(url);
		await page.getByRole('button', { name: 'Save receipt URL' }).click();
		await page.getByText('Done.').waitFor();
		expect((sandbox.settings() as { defaultReceiptUrl: string }).defaultReceiptUrl).toBe(url);
		await page.reload();
		const shown = await page.getByLabel('URL for delivery receipts').getAttribute('placeholder');
		expect(shown).toBe(`${receiver.url}/hook?***`);
	});

	test('asks nothing while it is hidden, and catches up when it is seen', async () => {
		const hide = (isHidden: boolean) =>
			page.evaluate(`
				Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${isHidden} });
				document.dispatchEvent(new Event('visibilitychange'));`);
		await hide(true);
		// What was asked before it was hidden may still come.
		await page.waitForTimeout(500);
		const asked: string[] = [];
		page.on('request', (request) => asked.push(request.url()));
		await sandbox.send({ message: 'apples' });
		await page.waitForTimeout(1_000);
		expect([asked, await row('apples').count()]).toEqual([[], 0]);
		await hide(false);
		await row('apples').waitFor();
	});

	test('is used with the keyboard: a message is opened, and its focus outlives news', async () => {
		await sandbox.send({ message: 'apples' });
		const link = row('apples').getByRole('link');
		await link.focus();
		await sandbox.send({ message: 'pears' });
		await row('pears').waitFor();
		expect(await link.evaluate((element) => element.matches(':focus'))).toBe(true);
		await page.keyboard.press('Enter');
		await page.getByRole('heading', { name: 'Message to 959779123456' }).waitFor();
		await page.getByLabel('Set status').focus();
		await page.getByLabel('Set status').selectOption('Expired');
		await page.keyboard.press('Tab');
		await page.keyboard.press('Enter');
		await page.getByRole('table').getByText('Expired').waitFor();
		expect(sandbox.messages()[0]!.status).toBe('Expired');
	});

	test('copies a code, counts its seconds and lets it expire', async () => {
		await sandbox.requestCode();
		const { code } = sandbox.codes()[0]!;
		await page.getByRole('button', { name: `Copy code ${code}` }).click();
		expect(await page.evaluate('navigator.clipboard.readText()')).toBe(code);
		await page.getByRole('link', { name: /^Open the code/ }).click();
		await page.getByText(/^29[0-8] s$/).waitFor();
		await page.getByRole('button', { name: 'Expire now' }).click();
		await page.getByText('expired').waitFor();
		expect(sandbox.codes()[0]!.state).toBe('expired');
	});

	test('shows a mail in the one time line, finds it, and opens it', async () => {
		sandbox.seedMessages(1, () => ({ message: 'older', createdAtMs: Date.now() - 1000 }));
		const mail = { from: 'Shop <shop@example.com>', to: 'aye@example.com', subject: 'Your order' };
		sandbox.addMail({ ...mail, text: 'Tea & <b>cake</b>' });
		await row('Your order').getByText('Tea & <b>cake</b>').waitFor();
		const rows = await page.getByRole('row').allInnerTexts();
		expect(rows.findIndex((text) => text.includes('Your order'))).toBe(1);
		expect(rows.findIndex((text) => text.includes('older'))).toBe(2);
		await page.getByRole('searchbox').pressSequentially('CAKE');
		await row('older').waitFor({ state: 'detached' });
		await page.getByRole('link', { name: /^Open the mail/ }).click();
		await page.getByRole('heading', { name: 'Mail to aye@example.com' }).waitFor();
	});

	test('has a tab for each kind, with a filter by text, and says what Sent → 200 means', async () => {
		await sandbox.send({ message: 'apples', deliveryReceiptUrl: receiver.url });
		await sandbox.send({ message: 'pears', to: '09254000000' });
		await sandbox.requestCode();
		await sandbox.requestCode({ to: 'thida@example.com' });
		sandbox.addMail(tea);
		await sandbox.pass();
		const open = async (tab: string) => {
			const link = page.getByRole('navigation').getByRole('link', { name: tab, exact: true });
			await link.click();
			await page.getByRole('heading', { name: tab, level: 2 }).waitFor();
			return (await page.getByRole('row').allInnerTexts()).length - 1;
		};
		// A code by email is among the mails too.
		const counts = { Messages: 2, Codes: 2, Receipts: 2, Emails: 2, Requests: 4 };
		for (const [tab, count] of Object.entries(counts)) {
			expect([tab, await open(tab)]).toEqual([tab, count]);
		}
		await open('Messages');
		await page.getByText('your receiver was told the status Sent and responded 200').waitFor();
		await open('Receipts');
		await page.getByRole('searchbox').fill('Sent');
		await page.getByRole('heading', { name: 'Receipts 1' }).waitFor();
	});

	test("shows a mail's HTML in a frame that runs nothing and loads nothing", async () => {
		const html = `<h1>Hello Thida</h1><script>parent.document.title = 'taken'</script>
			<img src="${sandbox.url}/_sandbox/livez" onerror="document.title = 'taken'">`;
		const { mailId } = sandbox.addMail({ ...tea, html });
		const asked: string[] = [];
		page.on('requestfinished', (request) => asked.push(new URL(request.url()).pathname));
		const shown = page.waitForResponse((answer) => answer.url().endsWith('/html'));
		await page.goto(`${sandbox.url}/_sandbox/mails/${mailId}`);
		expect((await shown).status()).toBe(200);
		await page.waitForTimeout(300);
		expect(await page.locator('iframe').getAttribute('sandbox')).toBe('');
		expect(await page.title()).not.toBe('taken');
		expect(asked).not.toContain('/_sandbox/livez');
		const answer = await fetch(`${sandbox.url}/_sandbox/mails/${mailId}/html`);
		expect(await answer.text()).toBe(html);
		expect(answer.headers.get('content-security-policy')).toContain('sandbox');
	});

	test('says when the sandbox is gone, and goes on when it is back', async () => {
		const first = await start();
		await page.goto(`${first.url}/_sandbox`);
		await first.send({ message: 'before' });
		await row('before').waitFor();
		await first.close();
		await page.getByText('The sandbox does not respond.').waitFor();
		await start({ port: Number(new URL(first.url).port) }).then((second) =>
			second.send({ message: 'after' }),
		);
		await row('after').waitFor();
		await row('before').waitFor({ state: 'detached' });
		await page.getByText('The sandbox does not respond.').waitFor({ state: 'detached' });
	});

	test('tops up and clears, and keeps what was typed while news come', async () => {
		await page.getByLabel('Amount to top up').fill('20');
		await page.keyboard.press('Tab');
		await sandbox.send({ message: 'apples' });
		await row('apples').waitFor();
		expect(await page.getByLabel('Amount to top up').inputValue()).toBe('20');
		await page.getByRole('button', { name: 'Top up' }).click();
		await page.getByText('1,000,000 MMK').waitFor();
		page.once('dialog', (dialog) => void dialog.accept());
		await page.getByRole('button', { name: 'Clear' }).click();
		await page.getByText('Nothing yet.').waitFor();
		expect(sandbox.messages()).toEqual([]);
	});

	test('has no finding of axe, and no color of little contrast when it is dark either', async () => {
		await sandbox.send({ message: 'apples', clientReference: 'ref', encrypt: 1 });
		await sandbox.send({ to: '12' });
		sandbox.advance(60_000);
		await sandbox.requestCode();
		const { messageId } = sandbox.messages()[0]!;
		const { requestId } = sandbox.codes()[0]!;
		const { mailId } = sandbox.addMail(tea);
		for (const path of [
			...['', '/numbers', `/messages/${messageId}`, `/codes/${requestId}`, '/requests/2'],
			`/mails/${mailId}`,
		]) {
			await page.emulateMedia({ colorScheme: 'light' });
			await page.goto(`${sandbox.url}/_sandbox${path}`);
			expect([path, await findProblems()]).toEqual([path, []]);
			await page.emulateMedia({ colorScheme: 'dark' });
			expect([path, await findProblems(['color-contrast'])]).toEqual([path, []]);
		}
	});
});
