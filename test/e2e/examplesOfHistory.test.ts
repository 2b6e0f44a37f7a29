import { httpClient } from '../../scripts/http';
import { readExample } from '../../scripts/n8n/examples';
import { optOut } from '../support/e2e/dataTables';
import { sinceN8n2 } from '../support/e2e/sinceN8n2';
import { ExampleRunner, formLogin, withOwnTables } from '../support/e2e/ExampleRunner';

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
		await runner.execute(workflow, 'Once: create the table');
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

	test('names the start that makes the table, where it was renamed', async () => {
		const workflow = await runner.import(withOwnTables('delivery-status-by-schedule'));
		const { error } = await runner.execute(workflow, 'Every 5 minutes');
		expect(error?.message).toMatch(/table is missing.*"Once: create the table"/);
		expect(runner.mailbox.mails).toEqual([]);
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
		expect(html).toContain('cannot be read right now');
	});
});

sinceN8n2('forms as the examples use them').describe('resend-not-delivered', () => {
	test('shows what was not delivered by its newest attempt, and sends it again when told', async () => {
		const text = (n: number, more: object) => ({
			...{ messageId: `m-${n}`, message: `Hello ${n}`, to: `95979123456${n}`, from: 'MyShop' },
			...{ status: 'Failed', createdAtMs: Date.now() - 3_600_000 + n * 1000 },
			...more,
		});
		const messages = [
			text(1, {}),
			text(2, { status: 'Sent' }),
			text(3, { status: 'Delivered' }),
			// Sent again since, and delivered.
			text(4, { messageId: 'm-4a' }),
			text(4, { status: 'Delivered', createdAtMs: Date.now() - 600_000 }),
			text(6, { createdAtMs: Date.now() - 20 * 3_600_000 }),
			text(7, {}),
		];
		const { sandbox } = runner;
		const open = await runner.publishForm('resend-not-delivered', {}, formLogin);
		const start = async () => {
			const visitor = await open();
			await visitor.submit({ 'field-0': '12' });
			return visitor;
		};
		const nothing = (await start()).text;
		expect(nothing).toContain('Nothing to send again');
		sandbox.seedMessages(messages.length, (n) => messages[n]);
		await optOut(runner, '09791234567');
		const headers = { authorization: `Bearer ${sandbox.token}` };
		const encrypted = { to: '959791234565', message: 'Hello 5', from: 'MyShop', encrypt: 1 };
		await httpClient.post(`${sandbox.baseUrl}/rest/send`, encrypted, { headers });
		const { messageId } = sandbox.messages().find(({ to }) => to === encrypted.to)!;
		await sandbox.setStatus(messageId, 'Failed');
		const before = sandbox.messages().length;
		const [cancel, send] = [await start(), await start()];
		expect(send.text).toMatch(
			/in the last 12 hours[^]*959791234561, .*Hello 1 [^]*Opt-outs +1 person/,
		);
		expect(send.text).toMatch(/Too old, not chosen\s+959791234566, .*Hello 6/);
		expect(send.text).not.toMatch(/Hello [2345]/);
		await cancel.submit({ 'field-0': JSON.stringify(['Cancel']) });
		expect(sandbox.messages()).toHaveLength(before);
		await send.submit({ 'field-0': JSON.stringify(['Send again']) });
		expect(send.text).toContain('1 accepted, 0 not sent');
		const sent = sandbox.messages().slice(before);
		expect(sent.map(({ to, message }) => [to, message])).toEqual([['959791234561', 'Hello 1']]);
	});
});
