import { setTimeout as sleep } from 'node:timers/promises';

import { readExample } from '../../scripts/n8n/examples';
import { until } from '../../scripts/n8n/until';
import { ExampleRunner, formLogin, withOwnTables } from '../support/e2e/ExampleRunner';
import { lookSeconds } from '../support/e2e/lookOften';
import { sinceN8n2 } from '../support/e2e/sinceN8n2';
import type { FormVisitor } from '../support/e2e/visitForm';

let runner: ExampleRunner;
beforeAll(async () => {
	runner = await ExampleRunner.open();
});
beforeEach(async () => await runner.reset());
afterAll(async () => await runner?.close());

const seed = (count: number, status: string, more: object = {}) =>
	runner.sandbox.seedMessages(count, () => ({ status, ...more }));

sinceN8n2('data table as the example uses it').describe('delivery-status-by-schedule', () => {
	/** Finished that long ago: three seconds after it was created. */
	const minutes = (ago: number) => ({ createdAtMs: Date.now() - ago * 60_000 - 3000 });
	const open = async () => {
		const workflow = await runner.import(withOwnTables('delivery-status-by-schedule'));
		return async () => await runner.execute(workflow, 'Every 5 minutes');
	};

	test('hands over every final status once, whatever comes in between', async () => {
		seed(2, 'Delivered', minutes(30));
		seed(1, 'Failed', { ...minutes(20), to: '959000000003' });
		seed(1, 'Sent');
		const run = await open();
		const first = await run();
		expect(first.error).toBeUndefined();
		expect(first.json['Each message'][0]).toHaveLength(3);
		expect(runner.mailbox.mails).toEqual([
			expect.stringContaining('The message to 959000000003 was not delivered: Failed'),
		]);

		seed(1, 'Undelivered', { ...minutes(5), to: '959000000002' });
		const second = await run();
		expect(second.error).toBeUndefined();
		expect(second.json['Each message'][0]).toMatchObject([{ status: 'Undelivered' }]);
		expect(runner.mailbox.mails).toHaveLength(2);
		const third = await run();
		expect(third.json['Each message']).toBeUndefined();
		expect(runner.mailbox.mails).toHaveLength(2);
	});

	test('finds a message that history lists late, with an earlier time', async () => {
		seed(1, 'Delivered', minutes(5));
		const run = await open();
		await run();
		seed(1, 'Failed', { ...minutes(40), to: '959000000003' });
		const late = await run();
		expect(late.json['Each message'][0]).toMatchObject([{ to: '959000000003' }]);
		expect(runner.mailbox.mails).toHaveLength(1);
	});

	test('tells the team later where the mail server is down, in one email for all', async () => {
		seed(200, 'Failed', minutes(5));
		const run = await open();
		runner.isMailDown = true;
		expect((await run()).error).toBeDefined();
		runner.isMailDown = false;
		expect((await run()).json['Each message'][0]).toHaveLength(200);
		expect(runner.mailbox.mails).toEqual([expect.stringContaining('200 SMS not delivered')]);
	});
});

describe('canary-campaign', () => {
	const limits = (minutes: number) => ({
		Limits: {
			assignments: {
				assignments: [
					{ id: '1', name: 'firstMessages', value: 50, type: 'number' },
					{ id: '2', name: 'share', value: 0.8, type: 'number' },
					{ id: '3', name: 'minutes', value: minutes, type: 'number' },
				],
			},
		},
	});
	const run = async () => await runner.run('canary-campaign', 'Start', limits(0.05));
	const recipients = () => runner.sandbox.messages().map(({ to }) => to);

	test('sends to everybody once where the first ones are delivered', async () => {
		const result = await run();
		expect(result.error).toBeUndefined();
		expect(result.json['Delivered so far'][0]).toEqual([{ first: 50, delivered: 50 }]);
		expect(new Set(recipients()).size).toBe(120);
		expect(recipients()).toHaveLength(120);
		expect(runner.mailbox.mails).toEqual([]);
	});

	test('stops after the first ones if they are not, and sends the next ones each time', async () => {
		runner.sandbox.configure({ pace: 0 });
		await run();
		expect(recipients()).toHaveLength(50);
		expect(runner.mailbox.mails).toEqual([
			expect.stringMatching(/Only 0 of 50[^]*The other 70[^]*next 50/),
		]);
		await run();
		expect(new Set(recipients()).size).toBe(100);
		expect(runner.mailbox.mails).toHaveLength(2);
		runner.sandbox.configure({ pace: 100 });
		const third = await run();
		expect(third.json['Delivered so far'][0]).toEqual([{ first: 20, delivered: 20 }]);
		expect(recipients()).toHaveLength(120);
		expect(new Set(recipients()).size).toBe(120);
		const fourth = await run();
		expect(fourth.error).toBeUndefined();
		expect(recipients()).toHaveLength(120);
	});
});

sinceN8n2('forms as the examples use them').describe('otp-email-after-sms', () => {
	const name = 'otp-email-after-sms';
	const begin = async (changes = {}, own = runner) => {
		const visitor = await own.visit(name, changes);
		await visitor.submit({ 'field-0': '09791234567', 'field-1': 'aye@example.com' });
		expect(visitor.html).toContain('We have sent a code to your phone.');
		return visitor;
	};
	const codes = ({ sandbox } = runner) => sandbox.codes();
	const wrong = (own = runner) => (codes(own)[0].code.startsWith('1') ? '222222' : '111111');

	test('verifies the number by the code of the SMS', async () => {
		const visitor = await begin();
		await visitor.submit({ 'field-0': codes()[0].code });
		expect(visitor.html).toContain('Your phone number is verified.');
		expect(codes()).toMatchObject([{ state: 'verified', to: '959791234567' }]);
	});

	test('lets a visitor correct the code, then sends one by email, and accepts either', async () => {
		const visitor = await begin();
		await visitor.submit({ 'field-0': wrong() });
		expect(visitor.html).toContain('That code is wrong or has expired.');
		expect(codes()).toHaveLength(1);
		await visitor.submit({ 'field-0': wrong() });
		expect(codes()).toHaveLength(1);
		await visitor.submit({ 'field-0': wrong() });
		expect(visitor.html).toContain('Enter the code from the SMS or the email.');
		expect(codes().map(({ to }) => to)).toEqual(['959791234567', 'aye@example.com']);
		await visitor.submit({ 'field-0': codes()[0].code });
		expect(visitor.html).toContain('Your phone number is verified.');
	});

	test('verifies nobody who types wrong codes only', async () => {
		const visitor = await begin();
		for (let n = 0; n < 9 && !visitor.html.includes('Too many incorrect codes'); n += 1)
			await visitor.submit({ 'field-0': wrong() });
		expect(visitor.html).toContain('Too many incorrect codes');
		expect(codes().map(({ state }) => state)).not.toContain('verified');
	});

	describe('when time passes', () => {
		/** Side by side, each with a service of its own. Within the first limit, n8n looks for waits that end soon. */
		const limitSeconds = lookSeconds + 20;
		const beginAlone =
			(work: (visitor: FormVisitor, own: ExampleRunner) => Promise<void>) => async () =>
				await ExampleRunner.use({}, async (own) => {
					const changes = { 'Code by SMS': { resumeAmount: limitSeconds / 60 } };
					await work(await begin(changes, own), own);
				});

		test.concurrent(
			'leaves the second page open when n8n wakes it with the timer of the first',
			beginAlone(async (visitor, own) => {
				await sleep((lookSeconds + 1) * 1000);
				for (let n = 0; n < 3; n += 1) await visitor.submit({ 'field-0': wrong(own) });
				await sleep((limitSeconds + 3) * 1000);
				await visitor.submit({ 'field-0': codes(own)[1].code });
				expect(visitor.html).toContain('Your email address is verified.');
			}),
		);

		test.concurrent(
			'sends the email by itself after the time, and verifies the address from the page that was left open',
			beginAlone(async (visitor, own) => {
				await until(async () => codes(own).length > 1 || undefined, {
					what: 'the email',
				});
				expect(codes(own).map(({ to }) => to)).toEqual(['959791234567', 'aye@example.com']);
				await visitor.submit({ 'field-0': codes(own)[1].code });
				expect(visitor.html).toContain('Your email address is verified.');
			}),
		);
	});
});

describe('delivery-dashboard', () => {
	const open = async (auth?: { username: string; password: string }) => {
		const authorization = `Basic ${Buffer.from(`${auth?.username}:${auth?.password}`).toString('base64')}`;
		const { status, data, headers } = await runner.call('delivery-dashboard', {
			method: 'GET',
			...(auth && { headers: { authorization } }),
		});
		return { status, html: String(data), headers };
	};

	test('shows the team what was delivered, and what came from outside only as text', async () => {
		seed(7, 'Delivered', { message: 'Two parts. '.repeat(20) });
		seed(2, 'Failed', { to: '959000000003', clientReference: '<script>alert(1)</script>' });
		seed(1, '<img src=x>', {});
		await runner.activate('delivery-dashboard');
		const { status, html, headers } = await open(formLogin);
		expect(status).toBe(200);
		expect(html).toContain('<dd>10</dd>');
		expect(html).toContain('77.8 %');
		expect(html).toContain('Cost at 20 MMK per part (your setting), 17 parts</dt><dd>340 MMK</dd>');
		expect(html).toContain('<td>959000000003</td>');
		expect(html).toContain('&#60;script&#62;');
		expect(html).not.toMatch(/<script|<img/);
		// n8n replaces a header of this name.
		expect(html).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
		expect(headers['cache-control']).toBe('no-store');
	});

	test('shows nothing without the login, and reads nothing', async () => {
		seed(3, 'Failed', { to: '959000000003' });
		await runner.activate('delivery-dashboard');
		await open(formLogin);
		const { length } = runner.sandbox.requests();
		for (const login of [undefined, { ...formLogin, password: 'guessed' }]) {
			const { status, html } = await open(login);
			expect([401, 403]).toContain(status);
			expect(html).not.toContain('959000000003');
		}
		expect(runner.sandbox.requests().map(({ path }) => path)).toHaveLength(length);
	});

	test('verifies nobody while it has no login', async () => {
		seed(3, 'Failed', { to: '959000000003' });
		const example = readExample('delivery-dashboard');
		const nodes = example.nodes.map(({ credentials, ...node }) =>
			node.name === 'Page requested' ? node : { ...node, credentials },
		);
		const { id } = await runner.importWorkflow({ ...example, nodes });
		const isPublished = await runner.n8n.api.activate(id).then(
			() => true,
			() => false,
		);
		const { status, html } = isPublished ? await open(formLogin) : { status: 404, html: '' };
		expect(status).toBeGreaterThanOrEqual(400);
		expect(html).not.toContain('959000000003');
		expect(runner.sandbox.requests().map(({ path }) => path)).toEqual([]);
	});

	test('has a page where nothing was sent, and one where the service cannot be reached', async () => {
		await runner.activate('delivery-dashboard');
		expect(await open(formLogin)).toMatchObject({
			status: 200,
			html: expect.stringContaining('<p>None.</p>'),
		});
		await runner.disconnect();
		const { status, html } = await open(formLogin);
		await runner.reconnect();
		expect(status).toBe(503);
		expect(html).toContain('cannot be read just now');
	});
});
