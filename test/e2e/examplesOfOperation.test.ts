import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { WorkflowDefinition } from '../../scripts/n8n/n8nClient';
import { until } from '../../scripts/n8n/until';
import { breakNode, ExampleRunner, faults, withOwnTables } from '../support/e2e/ExampleRunner';
import { launchBrowser } from '../../tools/docsImages/browser';
import { sinceN8n2 } from '../support/e2e/sinceN8n2';
import { createTable } from '../support/e2e/dataTables';
import { PageVisitor } from '../support/e2e/visitPage';
import { never, rewrite } from '../support/e2e/Week';

const websiteKey = { name: 'X-Api-Key', value: 'of-the-website' };
const inTables = sinceN8n2('data table as the example uses it');

let runner: ExampleRunner;
beforeAll(async () => {
	runner = await ExampleRunner.open({ httpHeaderAuth: websiteKey });
});
beforeEach(async () => await runner.reset());
afterAll(async () => await runner?.close());

inTables.describe('morning-report', () => {
	test('reports in one email what failed, is in doubt or was not delivered, and the balance', async () => {
		runner.sandbox.configure({ balance: 7000 });
		runner.sandbox.seedMessages(3, () => ({ status: 'Failed' }));
		runner.sandbox.seedMessages(4, () => ({ status: 'Delivered' }));
		const createdAtMs = Date.now() - 3 * 86_400_000;
		runner.sandbox.seedMessages(1, () => ({ messageId: 'late', status: 'Sent', createdAtMs }));
		await runner.sandbox.setStatus('late', 'Expired');
		const report = await runner.activate(withOwnTables('morning-report'), {
			'Every morning': never,
		});
		const failing = await runner.importWorkflow({
			name: 'Campaign of a shop',
			nodes: [
				['Start', 'webhook', { path: 'fails-for-the-report', httpMethod: 'POST', options: {} }, 2],
				['Stop', 'stopAndError', { errorMessage: 'Outcome unknown: it may have been sent' }, 1],
			].map(([name, type, parameters, typeVersion], n) => ({
				...{ id: `${n}`, name, type: `n8n-nodes-base.${String(type)}`, typeVersion },
				...{ position: [n * 200, 0], parameters },
			})),
			connections: { Start: { main: [[{ node: 'Stop', type: 'main', index: 0 }]] } },
			settings: { executionOrder: 'v1', errorWorkflow: report.id },
		} as unknown as WorkflowDefinition);
		await runner.n8n.api.activate(failing.id);
		await runner.call('fails-for-the-report', { body: {} });
		await runner.n8n.api.finishedExecutions(report.id, 1);
		const run = await runner.execute(report, 'Every morning');
		expect(run.error).toBeUndefined();
		const [mail, ...more] = runner.mailbox.mails;
		expect(more).toEqual([]);
		expect(mail).toContain('1 failed executions, 4 not delivered');
		expect(mail).toMatch(/Messages in doubt: 1\.[^]*Campaign of a shop, Stop: Outcome/);
		expect(mail).toContain('Failed: 3');
		expect(mail).toContain('Expired: 1');
		expect(mail).toMatch(/Balance: 7000 MMK, \d+ days/);
	});

	test('says what could not be read', async () => {
		const report = await runner.import(withOwnTables('morning-report'));
		for (const path of ['/rest/messages', '/rest/account/get-balance'])
			runner.sandbox.addFault({ match: { path }, effect: { status: 401 } });
		const run = await runner.execute(report, 'Every morning');
		expect(run.error).toBeUndefined();
		const [mail, ...more] = runner.mailbox.mails;
		expect(more).toEqual([]);
		// A mail breaks its lines.
		const text = mail.replace(/=\r?\n|(?<=\S)\r?\n(?= \S)/g, '');
		expect(text).toContain('not everything could be read');
		expect(text).toContain('The balance could not be read');
		expect(text).toContain('The messages could not be read');
	});
});

inTables.describe('sign-in-page', () => {
	const post = { 'Content-Type': 'application/x-www-form-urlencoded' };
	const publish = async (options?: object, example = withOwnTables('sign-in-page')) => {
		return await runner.activate(example, {
			'Every minute': never,
			...(options ? ({ 'Send code': { options } } as never) : {}),
		});
	};
	const openPage = async () => {
		const page = await PageVisitor.openFor(runner);
		const submit = async (step: string, typed?: Record<string, string>) =>
			await page.submit(step, typed);
		return { html: () => page.html, submit };
	};
	const visit = async (options?: object) => {
		await publish(options);
		return await openPage();
	};
	/** An example whose texts have other settings. */
	const withSettings = (settings: Record<string, string>) => {
		const example = withOwnTables('sign-in-page');
		const { assignments } = example.nodes.find(({ name }) => name === 'Texts')?.parameters
			.assignments as { assignments: Array<{ name: string; value: string }> };
		for (const one of assignments) one.value = settings[one.name] ?? one.value;
		return example;
	};
	const lastCode = () => runner.sandbox.codes().at(-1)?.code ?? '';
	const wrongCode = () => (lastCode().startsWith('1') ? '222222' : '111111');
	const phone = '09791234567';

	test('shows its page whatever a stranger posts', async () => {
		await visit();
		for (const path of ['sign-in-page', 'sign-in-code'])
			for (const field of ['phone', 'used', 'step', 'ticket']) {
				const body = { step: 'number', phone, [field]: { toString: 1 } };
				const { status, data } = await runner.call(path, { method: 'POST', body });
				expect([status, String(data)]).toEqual([200, expect.stringContaining('<h1>')]);
			}
	});

	test('verifies a visitor who corrects the code, after a wait for a new one, without a script', async () => {
		const { html, submit } = await visit();
		expect(html()).toContain('autocomplete="tel"');
		await submit('number', { phone });
		await submit('resend');
		expect(html()).toMatch(/Please wait \d+ seconds/);
		expect(html()).toContain('autocomplete="one-time-code"');
		await submit('code', { code: wrongCode() });
		expect(html()).toContain('Attempts left: 4.');
		await submit('code', { code: ' ' });
		expect(html()).toContain('Please enter the digits of the code.');
		await submit('code', { code: lastCode() });
		expect(html()).toContain('Your phone number is verified.');
		expect(runner.sandbox.codes()).toMatchObject([{ state: 'verified', to: '959791234567' }]);
		expect(html()).not.toContain('<script');
	});

	test('ends after five wrong codes, and goes on with a new one', async () => {
		const { html, submit } = await visit();
		await submit('number', { phone });
		for (let n = 0; n < 5; n += 1) await submit('code', { code: wrongCode() });
		expect(html()).toContain('Too many incorrect codes');
		// A number gets one code in 30 seconds.
		await new Promise((resolve) => setTimeout(resolve, 30_000));
		await submit('resend');
		await submit('code', { code: lastCode() });
		expect(html()).toContain('Your phone number is verified.');
	});

	const other = '09791234568';
	const ticketOf = (html: string) => /name="ticket" value="([^"]+)"/.exec(html)?.[1];

	const notNow = 'send codes just now';
	const notChecked = 'could not be checked just now';
	/** What fails for the second visitor, and what the page says then. */
	const ofTables = {
		...{ 'Keep the ticket': notNow, 'Unverified codes': notNow, 'Keep the request ID': notNow },
		...{ 'Find the code': notChecked, 'Log the verification': 'is verified' },
		'Forget the ticket': 'is verified',
	};
	const others = {
		...{ Table: notNow, maxPerHour: 'Too many people' },
		...{ '/otp/request': notNow, '/otp/verify': notChecked },
	};
	test.each<string[]>([
		...Object.entries(others).map((step) => [...step, faults[0]]),
		...faults.flatMap((fault) => Object.entries(ofTables).map((step) => [...step, fault])),
	])(
		'shows a visitor nothing of another one where %s fails, but %j: %s',
		async (step, end, fault) => {
			const example = withOwnTables('sign-in-page');
			breakNode(example, step, `$('Texts').first().json.body?.phone === '${other}'`, fault);
			const { id } = await publish({ maxPerHour: step === 'maxPerHour' ? 1 : 300 }, example);
			const [first, second] = [await openPage(), await openPage()];
			const phone = '09791112223';
			await first.submit('number', { phone });
			const [ticket, code] = [ticketOf(first.html())!, lastCode()];
			runner.sandbox.addFault({ match: { path: step }, effect: { status: 500 } });
			for (const button of ['number', 'resend', 'code']) {
				if (!second.html().includes(`name="step" value="${button}"`)) continue;
				// Whoever posts no number gets nothing of another one.
				const typed = { phone: button === 'resend' ? '0' : other };
				await second.submit(button, { ...typed, ...(button === 'code' && { code: lastCode() }) });
				expect(second.html()).not.toMatch(new RegExp(`${ticket}|${phone}`));
			}
			expect(second.html()).toContain(end);
			// What the page does not show is an execution that failed.
			const failed = async () =>
				(await runner.n8n.api.executions(id)).find(({ status }) => status === 'error');
			if (step === 'Log the verification')
				await until(failed, { what: 'an execution that failed' });
			runner.sandbox.clearFaults();
			await first.submit('code', { code });
			expect(first.html()).toContain('Your phone number is verified.');
		},
	);

	test('is one page for all who open it, so that a proxy can keep it', async () => {
		await visit();
		const pages = ['a', 'b'].map(async (one) => {
			const headers = { 'User-Agent': one, 'Accept-Language': one, 'X-Real-IP': `192.0.2.${one}` };
			return await runner.call('sign-in-page', { method: 'GET', headers });
		});
		const [a, b] = await Promise.all(pages);
		expect([a.status, a.headers['set-cookie']?.join('')]).toEqual([200, '']);
		expect(a.data).toBe(b.data);
	});

	test('asks for the code whoever goes back in a browser and enters the same number again', async () => {
		const stranger = await visit();
		const browser = await launchBrowser();
		const page = await browser.newPage();
		const enter = async () => {
			await page.goto(`${runner.n8n.url}/webhook/${runner.addressOf('sign-in-page')}`);
			await page.getByLabel('Mobile number').fill(phone);
			await page.getByRole('button').click();
			await page.getByLabel('Code').waitFor();
			return ticketOf(await page.content());
		};
		const ticket = await enter();
		const [{ name, httpOnly, expires }, ...others] = await page.context().cookies();
		expect([name, httpOnly, others]).toEqual(['code', true, []]);
		expect(expires - Date.now() / 1000).toBeLessThan(61);
		await stranger.submit('number', { phone });
		expect(stranger.html()).toMatch(/Please wait \d+ seconds/);
		expect(stranger.html()).not.toContain('name="code"');
		expect(await enter()).toBe(ticket);
		expect(await page.content()).toMatch(/Please wait \d+ seconds/);
		await page.getByLabel('Code').fill(lastCode());
		await page.getByText('Check the code').click();
		await page.getByText('Your phone number is verified.').waitFor();
		await browser.close();
	});

	test('frees the places of codes that were certainly not sent, and keeps that of a 503', async () => {
		await publish({ maxPerHour: 2 });
		await runner.disconnect();
		for (const n of [20, 21, 22]) expect((await ask(n)).html()).toContain('send codes just now');
		await runner.reconnect();
		runner.sandbox.addFault({ match: { path: '/otp/request' }, effect: { status: 401 } });
		for (const n of [23, 24, 25]) expect((await ask(n)).html()).toContain('send codes just now');
		runner.sandbox.clearFaults();
		runner.sandbox.addFault({ match: { path: '/otp/request' }, effect: { status: 503 } });
		expect((await ask(26)).html()).toContain('send codes just now');
		runner.sandbox.clearFaults();
		expect((await ask(27)).html()).toContain('Enter your code');
		expect((await ask(28)).html()).toContain('Please try again in');
	});

	test('sends nothing where another data table could be taken for its own', async () => {
		const example = withOwnTables('sign-in-page');
		await publish(undefined, example);
		expect((await ask(30)).html()).toContain('Enter your code');
		const name = String(example.nodes.find((node) => node.name === 'Table')?.parameters.tableName);
		await createTable(runner, `${name} old`);
		expect((await ask(31)).html()).toContain('send codes just now');
		expect(runner.sandbox.codes()).toHaveLength(1);
	});

	test.each([
		['12', 'This is not a mobile number.'],
		['+6591234567', 'send codes to this country.'],
		['"><script>alert(1)</script>', 'This is not a mobile number.'],
	])('says what is wrong with %j, and shows it as text', async (typed, sentence) => {
		const { html, submit } = await visit();
		await submit('number', { phone: typed });
		expect(html()).toContain(sentence);
		expect(html()).not.toContain('<script');
		expect(runner.sandbox.codes()).toEqual([]);
	});

	test('uses up no attempt of a code that a stranger has no ticket for', async () => {
		const victim = await visit();
		await victim.submit('number', { phone });
		const [{ requestId }] = runner.sandbox.codes();
		const id = Number(requestId);
		for (let n = -60; n < 60; n += 1) {
			const guess = { requestId: `${id + n}`, ticket: `${id + n}`, phone };
			const body = new URLSearchParams({ step: 'code', code: '000000', ...guess }).toString();
			await runner.call('sign-in-code', { method: 'POST', body, headers: post });
		}
		expect(runner.sandbox.requests().map(({ path }) => path)).toEqual(['/api/otp/request']);
		await victim.submit('code', { code: lastCode() });
		expect(victim.html()).toContain('Your phone number is verified.');
	}, 120_000);

	const ask = async (n: number) => {
		const page = await openPage();
		await page.submit('number', { phone: `0979${20_000 + n}00` });
		return page;
	};

	test('sends as many unverified codes an hour as it says, also after n8n forgot its counts', async () => {
		const example = withOwnTables('sign-in-page');
		const { id } = await publish({ maxPerHour: 3 }, example);
		const pages = await Promise.all([0, 1, 2].map(ask));
		expect((await ask(3)).html()).toMatch(/Please try again in (59|60) minutes/);
		expect(runner.sandbox.codes()).toHaveLength(3);
		// The node of another workflow counts from zero, as after a restart.
		await runner.n8n.api.http.post(`/rest/workflows/${id}/deactivate`);
		await publish({ maxPerHour: 3 }, example);
		expect((await ask(4)).html()).toContain('Please try again in');
		expect(runner.sandbox.codes()).toHaveLength(3);
		await pages[0].submit('code', {
			code: runner.sandbox.codes().find(({ to }) => to === '959792000000')?.code ?? '',
		});
		expect(pages[0].html()).toContain('is verified');
		expect((await ask(5)).html()).toContain('Enter your code');
		expect((await ask(6)).html()).toContain('Please try again in');
	});

	test('counts no request that was rejected, and no number of the code path', async () => {
		await publish({ maxPerHour: 1 });
		for (const typed of ['12', '+6591234567', phone.slice(0, 6)])
			await (await openPage()).submit('number', { phone: typed });
		const body = new URLSearchParams({ step: 'number', phone }).toString();
		await runner.call('sign-in-code', { method: 'POST', body, headers: post });
		expect(runner.sandbox.codes()).toEqual([]);
		expect((await ask(7)).html()).toContain('Enter your code');
	});

	describe('with a captcha', () => {
		/** Stands in for the check of Turnstile or hCaptcha. */
		const checked: URLSearchParams[] = [];
		let answer: (response: ServerResponse) => void;
		let check: Server;
		let url: string;
		beforeAll(async () => {
			check = createServer((request, response) => {
				let text = '';
				request.on('data', (part) => (text += part));
				request.on('end', () => {
					checked.push(new URLSearchParams(text));
					answer(response.setHeader('Content-Type', 'application/json'));
				});
			}).listen(0, '127.0.0.1');
			await once(check, 'listening');
			url = `http://127.0.0.1:${(check.address() as AddressInfo).port}/siteverify`;
		});
		beforeEach(() => checked.splice(0));
		afterAll(() => void check.close());
		const visitPage = async (captchaCheckUrl = url) => {
			const keys = { captchaSiteKey: 'site-key', captchaSecret: 'secret-key' };
			await publish(undefined, withSettings({ ...keys, captchaCheckUrl }));
			return await openPage();
		};

		test('requests a code only if the check says success', async () => {
			const { html, submit } = await visitPage();
			expect(html()).toContain('class="cf-turnstile" data-sitekey="site-key"');
			expect(html()).not.toContain('secret-key');
			const token = { phone, 'cf-turnstile-response': 'a token' };
			for (const says of [false, 'true', 1]) {
				answer = (response) => response.end(JSON.stringify({ success: says }));
				await submit('number', token);
				expect(html()).toMatch(/confirm that you|check just now that you/);
			}
			expect(runner.sandbox.codes()).toEqual([]);
			answer = (response) => response.end('{"success":true}');
			await submit('number', token);
			expect(html()).toContain('Enter your code');
			expect(checked.map((body) => Object.fromEntries(body)).at(-1)).toEqual({
				secret: 'secret-key',
				response: 'a token',
			});
			await submit('code', { code: lastCode() });
			expect(html()).toContain('is verified');
			expect(checked).toHaveLength(4);
		});

		test.each([
			['is down', (response: ServerResponse) => response.writeHead(503).end()],
			['is a page', (response: ServerResponse) => response.end('<html>')],
			['breaks off', (response: ServerResponse) => response.destroy()],
		])('lets nobody through where the check %s, and says so', async (_, failing) => {
			const { html, submit } = await visitPage();
			answer = failing;
			await submit('number', { phone });
			expect(html()).toContain('check just now that you');
			expect(runner.sandbox.codes()).toEqual([]);
		});

		test('is hCaptcha where the URL of the check says so', async () => {
			const { html } = await visitPage('https://api.hcaptcha.com/siteverify');
			expect(html()).toContain('class="h-captcha"');
			expect(html()).toContain('https://js.hcaptcha.com/1/api.js');
		});
	});

	test('sounds the alarm where nobody enters the codes, and not where visitors do', async () => {
		const created = await publish(
			{ maxPerHour: 300 },
			rewrite(withOwnTables('sign-in-page'), [
				['>= 120_000', '>= 0'],
				['atLeast = 50', 'atLeast = 10'],
			]),
		);
		const count = async () => await runner.execute(created, 'Every minute');
		const request = async (n: number) => {
			const page = await openPage();
			await page.submit('number', { phone: `0979${3_000 + n}000` });
			return page;
		};
		for (let n = 0; n < 10; n += 1) {
			const page = await request(n);
			if (n % 2 > 0) await page.submit('code', { code: lastCode() });
		}
		expect((await count()).error).toBeUndefined();
		expect(runner.mailbox.mails).toEqual([]);
		for (let n = 10; n < 12; n += 1) await request(n);
		await count();
		expect(runner.mailbox.mails).toEqual([
			expect.stringMatching(/5 of the 12 codes of the last hour were verified/),
		]);
	}, 180_000);

	test('tells in the alarm and in the morning report that a limit was reached', async () => {
		const example = withOwnTables('sign-in-page');
		const [table] = /Table \d+ of \w+/.exec(JSON.stringify(example)) ?? [];
		const created = await publish({ maxPerHour: 1 }, example);
		for (const number of ['09791234567', '09781234567', '09771234567'])
			await (await openPage()).submit('number', { phone: number });
		await runner.execute(created, 'Every minute');
		expect(runner.mailbox.mails).toEqual([
			expect.stringMatching(/The limit maxPerHour was reached: new visitors got no code/),
		]);
		await createTable(runner, `${table} old`);
		const report = withOwnTables('morning-report');
		const own = rewrite(report, [['Codes (example 30)', String(table)]]);
		const imported = await runner.import(own);
		await runner.execute(imported, 'Every morning');
		const mail = runner.mailbox.mails.at(-1)?.replace(/=\r?\n|(?<=\S)\r?\n(?= \S)/g, '');
		expect(mail).toContain('a limit of codes was reached');
		expect(mail).toMatch(/Codes: 1 requested, 0 verified\. A limit was reached: maxPerHour\./);
	});

	test('verifies the number of the ticket, whatever is posted', async () => {
		const { html, submit } = await visit();
		await submit('number', { phone });
		await submit('code', { code: lastCode(), phone: '09791234568', requestId: '1' });
		expect(html()).toContain('is verified');
		const codes = runner.sandbox.codes().map(({ to, verifiedAt }) => [to, verifiedAt !== null]);
		expect(codes).toEqual([['959791234567', true]]);
	});
});
