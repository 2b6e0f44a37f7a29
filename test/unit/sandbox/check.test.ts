import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startSandbox, type StartOptions } from '../../../sandbox';
import { Account, type Call } from '../../../sandbox/check/Account';
import { assumptions } from '../../../sandbox/check/assumptions';
import { receive } from '../../../sandbox/check/receive';
import { judge, render, type Run } from '../../../sandbox/check/report';
import { countSpent, runSteps } from '../../../sandbox/check/runSteps';
import { steps } from '../../../sandbox/check/steps';
import { deviations } from '../../../sandbox/shapes';
import { run, runThrough, waitForOutput } from '../../support/sandbox/runSandbox';

const root = join(__dirname, '..', '..', '..');
const secrets = { apiKey: 'key-a1b2c3d4', apiSecret: 'secret-e5f6a7b8' };
const onPosix = process.platform === 'win32' ? test.skip : test;
const number = '09779123456';
const email = 'own@mail.example';

interface Chosen {
	deviate?: StartOptions['deviate'];
	only?: string[];
	messages?: number;
	codes?: number;
	/** Aborts at this request. */
	interruptAt?: string;
}

/** Checks a sandbox, whose clock moves when the check pauses. */
async function meet({ deviate, only = [], messages = 9, codes = 3, interruptAt }: Chosen = {}) {
	const settings = { knownSenders: ['Shop'], receiptRetryMs: 1, pace: 100, ...secrets };
	const sandbox = await startSandbox({ ...settings, ...(deviate && { deviate }) });
	let offset = 0;
	const keep: Account['keepReceipt'] = (...receipt) => account.keepReceipt(...receipt);
	const receiver = await receive(0, keep);
	const { baseUrl, apiKey, apiSecret } = sandbox;
	const receiptUrl = `http://127.0.0.1:${receiver.port}`;
	const given = { baseUrl, apiKey, apiSecret, number, email, sender: 'Shop', receiptUrl };
	const account = new Account(given, () => Date.now() + offset);
	const interrupted = new AbortController();
	const plain = account.call.bind(account);
	account.call = async (name: string, call: Call) => {
		const body = await plain(name, call);
		if (name === interruptAt) interrupted.abort();
		return body;
	};
	const user = {
		ask: async () => sandbox.codes().at(-1)?.code ?? '',
		confirm: async () => true,
		tell: () => undefined,
	};
	const pause = async (ms: number): Promise<void> => {
		if (interrupted.signal.aborted) return;
		offset += ms;
		await sleep(5);
		await sandbox.advance(ms);
		await sandbox.settle();
	};
	try {
		const wanted = { budget: { messages, codes }, only, signal: interrupted.signal, pause };
		const done = await runSteps(account, user, wanted);
		return {
			run: done,
			spent: countSpent(account),
			sandbox,
			code: sandbox.codes().map((one) => one.code),
		};
	} finally {
		await sandbox.close();
		receiver.close();
	}
}

const different = (done: Run): string[] =>
	judge(done)
		.filter(({ verdict }) => verdict === 'different')
		.map(({ id }) => id);

describe('npm run check', () => {
	test('finds the sandbox as assumed, and tells everything that can be told', async () => {
		const { run: done, code } = await meet();
		expect(different(done)).toEqual([]);
		const unclear = judge(done).filter((one) => one.verdict === 'could not tell' && !one.cannot);
		expect(unclear.map(({ id }) => id)).toEqual([]);
		const shared = render(done) + JSON.stringify(done);
		for (const secret of [
			...Object.values(secrets),
			btoa(Object.values(secrets).join(':')),
			'779123456',
			email,
			...code,
		]) {
			expect(shared).not.toContain(secret);
		}
	}, 60_000);

	test.each(deviations.filter((id) => assumptions.some((one) => one.id === id)))(
		'tells that %s is different',
		async (id) => {
			const { run: done } = await meet({ deviate: [id] });
			expect(different(done)).toContain(id);
		},
		60_000,
	);

	test('spends no more than the budget, and names what was left out', async () => {
		const { run: done, spent } = await meet({ messages: 5, codes: 2 });
		expect(spent).toEqual({ messages: 5, codes: 2 });
		expect(done.leftOut).toEqual({ attempts: '1 code: raise the budget with --codes 3' });
		const { run: dear, spent: more } = await meet({
			messages: 5,
			codes: 0,
			deviate: ['test-free'],
		});
		expect(more.messages).toBe(5);
		expect(dear.leftOut.bulk).toMatch(/--messages 7/);
	}, 60_000);

	test('runs only the chosen steps', async () => {
		const { run: done } = await meet({ only: ['account', 'history'] });
		expect([...new Set(done.exchanges.map(({ request }) => request.path))]).toEqual([
			...['/rest/account/get-balance', '/rest/nothing-here', '/rest/messages'],
		]);
	}, 60_000);

	test('ends with what was seen when it is interrupted: the request in flight is kept', async () => {
		const { run: done } = await meet({ interruptAt: 'send' });
		expect(done.exchanges.at(-1)).toMatchObject({ name: 'send', status: 201 });
		expect(done.leftOut.bulk).toBe('interrupted');
		expect(different(done)).toEqual([]);
	}, 60_000);

	onPosix(
		'writes a report and exchanges.json, from which it prints the same report again',
		async () => {
			const folder = mkdtempSync(join(tmpdir(), 'check-'));
			const sandbox = await startSandbox({ ...secrets, pace: 0, successStatus: 200 });
			const variables = {
				...{ CHECK_BASE_URL: sandbox.baseUrl, CHECK_API_KEY: secrets.apiKey },
				...{ CHECK_API_SECRET: secrets.apiSecret, CHECK_NUMBER: number, CHECK_EMAIL: '' },
				CHECK_SENDER: 'Shop',
			};
			const pairs = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
			try {
				const options = ['--yes', '--only', 'account,methods,test,rejections', '--out', folder];
				const started = runThrough(['env', ...pairs], 'check', ...options);
				expect(await started.ended).toBe(2);
				const report = readFileSync(join(folder, 'report.md'), 'utf8');
				expect(started.output()).toContain(report);
				expect(report).toMatch(/^\| `success-201` \| .* \| \[200\] \|/m);
				const again = run('check', '--from', join(folder, 'exchanges.json'));
				expect(await again.ended).toBe(2);
				expect(again.output().trim()).toBe(report.trim());
			} finally {
				await sandbox.close();
				rmSync(folder, { recursive: true });
			}
		},
		60_000,
	);

	onPosix(
		'ends at once when it is interrupted at a question',
		async () => {
			const asking = run('check');
			await waitForOutput(asking, /Base URL/);
			asking.process.kill('SIGINT');
			expect(await asking.ended).toBe(1);
			expect(asking.output()).toContain('Interrupted. Nothing was sent.');
		},
		30_000,
	);

	test('lists every step with its cost, and asks nothing', async () => {
		const dry = run('check', '--dry');
		expect(await dry.ended).toBe(0);
		for (const { name, does } of steps)
			expect(dry.output()).toContain(`${name.padEnd(11)} ${does}`);
	}, 60_000);

	test('names a step that does not exist, before it asks', async () => {
		const wrong = run('check', '--only', 'balances');
		expect(await wrong.ended).toBe(1);
		expect(wrong.output()).toContain('"balances" is not a step');
	}, 60_000);
});

describe('the assumptions', () => {
	const supported = readFileSync(join(root, 'sandbox/SUPPORTED.md'), 'utf8');
	const ids = assumptions.map(({ id }) => id);

	test('have one ID each, and a judgement or a reason why there is none', () => {
		expect(new Set(ids).size).toBe(ids.length);
		expect(
			assumptions.filter(({ judge: one, cannot }) => Boolean(one) === Boolean(cannot)),
		).toEqual([]);
	});

	test('have a switch of the sandbox each, if they can be checked', () => {
		const judged = assumptions.filter((one) => one.judge).map(({ id }) => id);
		expect(deviations).toEqual(expect.arrayContaining(judged));
	});

	test('are all of SUPPORTED.md and of the field notes', () => {
		const lines = [...supported.matchAll(/^- (.*)$/gm)].map(([, line = '']) => line);
		const named = lines.map((line) => /^`([a-z0-9-]+)`: /.exec(line)?.[1] ?? line);
		const own = assumptions.filter(({ says }) => says !== undefined).map(({ id }) => id);
		expect(ids.filter((id) => !own.includes(id)).sort()).toEqual([...named].sort());
		const notes = assumptions.flatMap((one) => one.notes ?? []);
		const first = Array.from({ length: 16 }, (_, index) => index + 1);
		expect(notes).toEqual(expect.arrayContaining(first));
	});
});
