import { exampleNames, readExample } from '../../scripts/n8n/examples';
import { until } from '../../scripts/n8n/until';
import { describeRun, type WorkflowRun } from '../../tools/harness';
import { ExampleRunner, formLogin, withOwnTables } from '../support/e2e/ExampleRunner';
import { countWhenDone } from '../support/e2e/manyReceipts';
import { linkIn, press } from '../support/e2e/questions';
import { sinceN8n2 } from '../support/e2e/sinceN8n2';
import { never } from '../support/e2e/Week';

const websiteKey = { name: 'X-Api-Key', value: 'of-the-website' };
const ten = Array.from({ length: 10 }, (_, n) => n);
const all = async <T>(work: (n: number) => Promise<T>) => await Promise.all(ten.map(work));

/** Those that other tests use as hard: with two processes, with n8n killed, or several times one after the other. */
const elsewhere = [
	...[
		'check-your-account',
		'delivery-status-by-schedule',
		'long-campaign',
		'long-campaign-postgres',
		'otp-limits-in-redis',
	],
	...['agent-drafts-person-approves', 'ask-many-people', 'morning-report', 'sign-in-page'],
	...['receipts-once-postgres', 'opt-outs', 'reminders-from-a-spreadsheet'],
];

/** Ten times the usual use, at once, by their own starts. */
sinceN8n2('forms as the examples use them').describe('ten at once', () => {
	let runner: ExampleRunner;
	const tested: string[] = [];
	const ofExample = (name: string, work: () => Promise<void>) => {
		tested.push(name);
		test(name, work);
	};

	beforeAll(async () => {
		runner = await ExampleRunner.open({ httpHeaderAuth: websiteKey });
	});
	beforeEach(async () => await runner.reset());
	afterAll(async () => await runner?.close());

	/** Clicks ten times at once; n8n is asked for one execution after the other, not to slow them down. */
	const clickTen = async (name: string, changes = {}) => {
		const { api } = runner.n8n;
		// What is kept out of saved executions has to be read here.
		const { id } = await runner.importWorkflow({ ...readExample(name), settings: {} }, changes);
		const started = await all(async () => await api.runManually(id, 'Start'));
		const runs: WorkflowRun[] = [];
		for (const execution of started) {
			runs.push(describeRun(id, await api.finishedExecution(execution)));
		}
		expect(runs.map(({ error }) => error?.message)).toEqual(ten.map(() => undefined));
		return runs;
	};

	ofExample('send-one-sms', async () => {
		await clickTen('send-one-sms');
		expect(runner.sandbox.messages().map(({ to }) => to)).toHaveLength(10);
	});

	ofExample('email-when-not-delivered', async () => {
		const values = { phone: '09000000003', email: 'aye@example.com', text: 'Your order is ready.' };
		const assignments = Object.entries(values).map(([name, value]) => ({
			...{ id: name, name, value, type: 'string' },
		}));
		await clickTen('email-when-not-delivered', { Customer: { assignments: { assignments } } });
		expect(runner.sandbox.messages().map(({ to }) => to)).toHaveLength(10);
		expect(runner.mailbox.mails).toHaveLength(10);
	});

	ofExample('low-balance-alert', async () => {
		runner.sandbox.configure({ balance: 120 });
		const often = { rule: { interval: [{ field: 'seconds', secondsInterval: 12 }] } };
		const { id } = await runner.activate('low-balance-alert', { 'Every hour of the day': often });
		await runner.n8n.api.finishedExecutions(id, 4);
		await runner.n8n.api.deactivate(id);
		expect(runner.mailbox.mails).toHaveLength(1);
	});

	ofExample('bulk-from-spreadsheet', async () => {
		const open = await runner.publishForm('bulk-from-spreadsheet', {}, formLogin);
		const pages = await all(async (n) => {
			const visitor = await open();
			const rows = ten.map((row) => `0979123${n}${row}00,Aye`);
			const file = new File([['phone,name', ...rows].join('\n')], 'a.csv', { type: 'text/csv' });
			await visitor.submit({ 'field-0': file });
			await visitor.submit({ 'field-0': '["Send the messages"]' });
			return visitor.text;
		});
		for (const page of pages) expect(page).toContain('10 accepted, 0 not sent, 0 unknown');
		const sent = runner.sandbox.messages().map(({ to }) => to);
		expect(sent).toHaveLength(100);
		expect(new Set(sent).size).toBe(100);
	});

	const codeFor = async (to: string) =>
		(await runner.sandbox.latestCode({ to, waitMs: 10_000 }))?.code ?? '';

	ofExample('otp-on-a-form-complete', async () => {
		const open = await runner.publishForm('otp-on-a-form-complete');
		const pages = await all(async (n) => {
			const visitor = await open();
			const number = `0979123456${n}`;
			await visitor.submit({ 'field-0': number });
			const code = await codeFor(number);
			await visitor.submit({ 'field-0': code, 'field-1': '["Check this code"]' });
			return visitor.text;
		});
		for (const page of pages) expect(page).toContain('Your phone number is verified.');
		expect(runner.sandbox.codes().map(({ state }) => state)).toEqual(ten.map(() => 'verified'));
	});

	ofExample('otp-on-a-form', async () => {
		const open = await runner.publishForm('otp-on-a-form');
		const pages = await all(async (n) => {
			const visitor = await open();
			const number = `0979123456${n}`;
			await visitor.submit({ 'field-0': number });
			const code = await codeFor(number);
			await visitor.submit({ 'field-0': code });
			return visitor.text;
		});
		for (const page of pages) expect(page).toContain('Your phone number is verified.');
		expect(runner.sandbox.codes().map(({ state }) => state)).toEqual(ten.map(() => 'verified'));
	});

	ofExample('delivery-dashboard', async () => {
		runner.sandbox.seedMessages(300, () => ({ status: 'Delivered' }));
		await runner.activate('delivery-dashboard');
		const { username, password } = formLogin;
		const headers = { authorization: `Basic ${btoa(`${username}:${password}`)}` };
		const pages = await all(
			async () => await runner.call('delivery-dashboard', { method: 'GET', headers }),
		);
		for (const { data } of pages) expect(String(data)).toContain('<dd>300</dd>');
	});

	ofExample('refund-approval', async () => {
		const { id } = await runner.activate('refund-approval');
		const headers = { [websiteKey.name]: websiteKey.value };
		await all(async (n) => {
			const body = { order: `${n}`, amount: 1000, phone: '09791234567' };
			await runner.call('refunds/ask', { body, headers });
		});
		const waiting = async () => {
			const executions = await runner.n8n.api.executions(id);
			return executions.filter(({ status }) => status === 'waiting').length === 10 || undefined;
		};
		await until(waiting, { what: 'ten questions' });
		const links = runner.sandbox.messages().map((_, n) => linkIn(runner.sandbox, n));
		await all(async (n) => await press(links[n], { response: n % 2 ? 'approve' : 'decline' }));
		const told = async () => runner.sandbox.messages().length === 20 || undefined;
		await until(told, { what: 'ten answers' });
		const answers = runner.sandbox.messages().map(({ message }) => String(message));
		expect(answers.filter((text) => text.includes('ပြန်အမ်းပြီးပါပြီ'))).toHaveLength(5);
		expect(answers.filter((text) => text.includes('ငွေပြန်အမ်း၍ မရပါ'))).toHaveLength(5);
	});

	ofExample('sign-in-webhook', async () => {
		await runner.activate('sign-in-webhook');
		const headers = { [websiteKey.name]: websiteKey.value };
		const call = async (path: string, body: object) =>
			await runner.call(`sign-in/${path}`, { body, headers });
		const answers = await all(async (n) => {
			const phone = `0979123456${n}`;
			const { requestId } = (await call('request-code', { phone })).data as { requestId: number };
			const code = await codeFor(phone);
			return (await call('verify-code', { requestId, phone, code })).data as object;
		});
		expect(answers).toEqual(ten.map((n) => ({ verified: true, to: `95979123456${n}` })));
		expect(runner.sandbox.codes()).toHaveLength(10);
	});

	ofExample('alert-when-not-delivered', async () => {
		const { api } = runner.n8n;
		const example = withOwnTables('alert-when-not-delivered');
		const { id, report } = await runner.publishReceiver(example, { 'Every minute': never });
		const receipts = ten.map((n) => ({
			messageId: `m-${n}`,
			to: '959791234567',
			status: 'Failed',
		}));
		// The service reports each of them twice.
		const answers = await Promise.all([...receipts, ...receipts].map(report));
		expect(new Set(answers)).toEqual(new Set([200]));
		await countWhenDone(api, id);
		await api.finishedExecution(await api.runManually(id, 'Every minute'));
		expect(runner.mailbox.mails).toEqual([expect.stringContaining('10 SMS not delivered')]);
		expect(runner.sandbox.messages().map(({ to }) => to)).toHaveLength(1);
	});

	ofExample('delivery-log', async () => {
		const example = withOwnTables('delivery-log');
		await runner.execute(await runner.import(example), 'Start once');
		const { id, report } = await runner.publishReceiver(example);
		const statuses = ['Sent', 'Pending', 'Delivered'];
		const receipts = ten.flatMap((n) =>
			statuses.map((status) => ({ messageId: `${id}-${n}`, to: '959791234567', status })),
		);
		await Promise.all(receipts.map(report));
		// Receipts that arrive together share an execution.
		const executions = await countWhenDone(runner.n8n.api, id);
		const rows = (await runner.n8n.api.finishedExecutions(id, executions)).flatMap(
			({ runData }) => runData['Its status']?.[0].data?.main[0] ?? [],
		);
		const outcomes = rows.filter(({ json }) => json.outcome === 'delivered');
		expect(new Set(outcomes.map(({ json }) => json.messageId)).size).toBe(10);
		expect(new Set(outcomes.map(({ json }) => json.id)).size).toBe(10);
	});

	test('leaves none of the examples out', () => {
		expect([...tested, ...elsewhere].sort()).toEqual([...exampleNames].sort());
	});
});
