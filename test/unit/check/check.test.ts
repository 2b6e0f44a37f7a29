import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { listDeviations, render, tellsLittle } from '../../../check/report';
import { type Results, runSteps } from '../../../check/run';
import { rows, steps } from '../../../check/steps';
import { type Sandbox, startSandbox, type StartOptions } from '../../../sandbox';
import { deviations } from '../../../sandbox/shapes';
import { findFreePort } from '../../../scripts/n8n/freePort';
import { listen } from '../../support/listen';
import { onPosix, useFolder, useStarts } from '../../support/sandbox/harness';
import { run, runThrough, stop, waitForOutput } from '../../support/sandbox/runSandbox';
import { startUntrusted } from '../../support/unit/startUntrusted';

const secrets = { apiKey: 'key-a1b2c3d4', apiSecret: 'secret-e5f6a7b8' };
const number = '09779123456';
const email = 'own@mail.example';
const ids = rows.map(({ id }) => id);

interface Chosen {
	deviate?: StartOptions['deviate'];
	only?: string[];
	messages?: number;
	codes?: number;
	/** Aborts when this step begins. */
	interruptAt?: string;
	/** Of another service than the sandbox. */
	baseUrl?: string;
	prepare?: (sandbox: Sandbox) => void;
}

/** Checks a sandbox, whose clock moves when the check pauses. */
async function meet({ deviate = [], only = [], messages = 12, codes = 3, ...chosen }: Chosen = {}) {
	const settings = { knownSenders: ['Shop'], receiptRetryMs: 1, pace: 100, ...secrets };
	const sandbox = await startSandbox({ ...settings, deviate });
	sandbox.seedMessages(30);
	chosen.prepare?.(sandbox);
	let offset = 0;
	let saved: Results | undefined;
	const interrupted = new AbortController();
	const { signal } = interrupted;
	const given = { baseUrl: sandbox.baseUrl, ...secrets, number, email, sender: 'Shop' };
	const user = {
		ask: async () => sandbox.codes().at(-1)?.code ?? '',
		confirm: async () => true,
		tell: (line: string) => void (line.startsWith(`${chosen.interruptAt} `) && interrupted.abort()),
	};
	const pause = async (ms: number): Promise<void> => {
		offset += ms;
		await sandbox.advance(ms);
		await sandbox.settle();
	};
	const port = await findFreePort();
	const url = {
		receiptUrl: `http://127.0.0.1:${port}`,
		baseUrl: chosen.baseUrl ?? sandbox.baseUrl,
	};
	const wanted = { budget: { messages, codes }, only, port, signal, pause };
	try {
		const results = await runSteps({ ...given, ...url }, user, {
			...wanted,
			now: () => Date.now() + offset,
			save: (one: Results) => void (saved = one),
		});
		const sent = sandbox
			.messages()
			.filter(({ requestNumber, price }) => requestNumber > 0 && price > 0);
		const written = saved && JSON.stringify(saved) + render(saved);
		return {
			results,
			saved: written,
			sent: sent.length,
			codes: sandbox.codes().map(({ code }) => code),
		};
	} finally {
		await sandbox.close();
	}
}

/** A service that responds the same to everything, on loopback. */
async function serve(
	status: number,
	type: string,
	body: string,
	use: (url: string) => Promise<void>,
) {
	const { url, close } = await listen(
		createServer((_, response) => response.writeHead(status, { 'Content-Type': type }).end(body)),
	);
	await use(`${url}/api`).finally(close);
}

const different = ({ findings }: Results): string[] =>
	Object.keys(findings).filter((id) => findings[id]?.isSame === false);

/** Makes its responses such as nobody reads. */
const unread = (sandbox: Sandbox) =>
	void sandbox.addFault({
		match: { path: '/rest/*' },
		when: 'after',
		effect: { status: 201, body: { result: { messages: [] } } },
	});

describe('npm run check', () => {
	test('finds the sandbox as assumed, and tells everything', async () => {
		const { results, saved, codes } = await meet();
		expect(different(results)).toEqual([]);
		expect(Object.keys(results.findings).sort()).toEqual([...ids].sort());
		const token = btoa(Object.values(secrets).join(':'));
		for (const secret of [...Object.values(secrets), token, '779123456', email, ...codes]) {
			expect(saved).not.toContain(secret);
		}
	});

	/** Shapes that change nothing for a user: the nodes cope, and the check says nothing. */
	const without =
		/^(error-422|reference-empty|sender-unregistered:|verify-wrong:|bulk-reference:own)/;
	/** What the sandbox is then told to do is as near as it can be. */
	const unlike = /^(flag-test|number-plus:escaped)$/;

	/** Differences that follow from it. */
	const also: Record<string, string[]> = {
		'error-status': ['wrong-key', 'unknown-path'],
		'verify-wrong': ['verify-once', 'verify-expired', 'verify-blocked'],
		'listing-time': ['schedule-listed'],
		'flag-test': ['flags-booleans', 'flag-encrypt', 'flag-unicode'],
		'flags-booleans': ['flag-test', 'flag-encrypt', 'flag-unicode'],
	};

	test.each(deviations.filter((id) => !without.test(id)))(
		'tells that %s is different',
		async (id) => {
			const { results } = await meet({ deviate: [id] });
			const [row = ''] = id.split(':');
			expect(different(results).sort()).toEqual([row, ...(also[id] ?? [])].sort());
			expect(deviations).toEqual(expect.arrayContaining(listDeviations(results)));
			if (!unlike.test(id)) expect(listDeviations(results)).toContain(id);
			expect(tellsLittle(results)).toBe(false);
		},
	);

	test.each([
		['auth-bearer', '| Authorization Scheme | Basic |'],
		['flags-numbers', '| Flags | Always, as 0 or 1 |'],
		['flags-booleans', '| Flags | Always, as true or false |'],
		['flag-unicode', '| Flags | Always, as true or false |'],
		['zone-created', '| Service Time Zone | UTC |'],
	] as const)('tells what to fill in for %s', async (id, row) => {
		const { saved } = await meet({ deviate: [id] });
		expect(saved).toContain(row);
	});

	test('says that it could not tell, and why, where no response can be read', async () => {
		const { results, saved } = await meet({ prepare: unread });
		expect(tellsLittle(results)).toBe(true);
		expect(saved).toMatch(
			/Most rows could not tell\. The first cause: \w+ \/rest\S+ responded 201 without what/,
		);
	});

	test('asks once whether bulk messages may have a reference', async () => {
		const { results, saved } = await meet({ deviate: ['bulk-reference'] });
		expect(results.findings['bulk-reference']).toMatchObject({ isSame: false });
		expect(saved).toContain('Please tell us');
		const own = await meet({ deviate: ['bulk-reference:own'] });
		expect(own.results.findings['bulk-reference']?.seen).toBe("the service's own");
	});

	test('sends bulk messages without a reference where one is rejected', async () => {
		const { results, sent } = await meet({
			only: ['bulk'],
			prepare: (sandbox) =>
				void sandbox.addFault({
					match: { path: '/rest/send/bulk', contains: 'clientReference' },
					effect: { status: 422 },
				}),
		});
		expect(results.findings['bulk-reference']).toEqual({ isSame: true, seen: 'rejected' });
		expect(sent).toBe(2);
	});

	test.each(deviations.filter((id) => without.test(id)))(
		'does not report %s, which changes nothing',
		async (id) => {
			const { results } = await meet({ deviate: [id] });
			expect(different(results)).toEqual([]);
		},
	);

	test('spends no more than the budget, and names what was left out', async () => {
		const { results, sent, codes } = await meet({ messages: 5, codes: 2 });
		expect([sent, codes.length]).toEqual([5, 2]);
		expect(results.leftOut).toEqual({ attempts: '1 code: raise the budget with --codes 3' });
	});

	const late: Chosen['prepare'] = (sandbox) =>
		void sandbox.addFault({
			match: { path: '/rest/send*' },
			when: 'after',
			effect: { status: 408 },
		});
	test.each<[string, Chosen]>([
		['a form that nobody reads', { prepare: unread }],
		['free tests', { deviate: ['test-free'] }],
		['a 408 after it acted', { prepare: late }],
	])('counts what a service with %s accepted', async (_, chosen) => {
		const { results, sent } = await meet({ messages: 5, codes: 0, ...chosen });
		expect(sent).toBeLessThanOrEqual(5);
		expect(Object.values(results.leftOut).join()).toMatch(/raise the budget with --messages/);
	});

	test('ends with what was seen when it is interrupted', async () => {
		const { results, saved } = await meet({ interruptAt: 'bulk' });
		expect(results.findings['listing-time']).toMatchObject({ isSame: true });
		expect(results.leftOut.code).toBe('interrupted');
		expect(saved).toContain('listing-time');
	});

	test('waits while the rate is limited, and ends if it stays so: no differences', async () => {
		const limit = { effect: { status: 429, headers: { 'Retry-After': '2' } } };
		const once = await meet({
			prepare: (sandbox) => void sandbox.addFault({ ...limit, count: 2 }),
			only: ['account'],
		});
		expect([different(once.results), once.results.ended]).toEqual([[], undefined]);
		const always = await meet({
			prepare: (sandbox) => void sandbox.addFault({ ...limit, skip: 6 }),
		});
		expect(different(always.results)).toEqual([]);
		expect(always.results.ended).toMatch(/limits the rate \(429\)/);
	});

	test('advises what helps against late history: Report', async () => {
		const { saved } = await meet({ deviate: ['listing-time'], only: ['send'] });
		expect(saved).toContain('listed late can be sent twice. Choose Report');
	});
});

describe('without a service, it ends at once with the cause:', () => {
	const reject = async (baseUrl: string, words: RegExp) => {
		await expect(meet({ baseUrl })).rejects.toThrow(words);
	};

	test('an unknown host', () =>
		reject('https://nobody.invalid/api', /host nobody\.invalid is unknown/));

	test('a closed port', async () =>
		await reject(
			`http://127.0.0.1:${await findFreePort()}/api`,
			/Nothing listens on 127\.0\.0\.1/,
		));

	test.each([
		[
			'a website',
			200,
			'text/html',
			'<html>Welcome</html>',
			/does not lead to the service.* 200 with text\/html/,
		],
		[
			'a wrong path',
			404,
			'application/json',
			'{"status":404}',
			/does not lead to the service.* 404/,
		],
		['an outage', 503, 'application/json', '{}', /responds 503\. Try again later/],
		['a redirect', 302, 'text/html', '', /redirects \(302\)/],
		[
			'a wrong key',
			401,
			'application/json',
			'{"message":"Your request was made with invalid credentials."}',
			/rejects the key and secret \(401\), so nothing else was tried/,
		],
	])('%s', async (_, status, type, body, words) => {
		await serve(status, type, body, async (url) => await reject(url, words));
	});

	test('https for a service that speaks http, and the other way round', async () => {
		await serve(200, 'application/json', '{}', async (url) => {
			await reject(
				url.replace('http:', 'https:'),
				/does not respond with TLS.*Begin the Base URL with http,/,
			);
		});
		const { url, close } = await startUntrusted();
		await reject(url.replace('https:', 'http:'), /Begin the Base URL with https/);
		await reject(url, /certificate of .* is not trusted .*NODE_EXTRA_CA_CERTS/);
		close();
	});
});

describe('what it saves', () => {
	const stranger = 'Dear Aung, your PIN is 4711';
	const password = 'hunter2-of-somebody';
	const record = {
		messageId: 'm-1',
		to: '959261234567',
		message: stranger,
		from: 'Bank',
		createdAt: '2026-11-20 14:00:00',
	};
	const bodies: object[] = [
		{ data: { messages: [record], balance: 31337.25 }, [password]: 1 },
		{
			messages: [record, { ...record, status: false, message: password }],
			balance: 31337.25,
			records: 2,
		},
		{
			name: 'Bad Request',
			message: `The password ${password} of ${record.to} is wrong: ${stranger}`,
			status: 400,
		},
		[record],
	];

	test.each(bodies.flatMap((body) => [200, 400].map((status) => ({ status, body }))))(
		'holds no secret and nothing of others: %#',
		async ({ status, body }) => {
			await serve(status, 'application/json', JSON.stringify(body), async (baseUrl) => {
				const { saved } = await meet({ baseUrl }).catch(({ message }: Error) => ({
					saved: message,
				}));
				const others = ['Aung', '4711', 'hunter2', record.to, '31337', 'm-1'];
				for (const secret of [stranger, password, ...others]) expect(saved).not.toContain(secret);
			});
		},
	);

	const start = useStarts(secrets);
	const at = useFolder();
	const read = (name: string) => readFileSync(at(name), 'utf8');
	/** The command with what it is given of a service, in its environment. */
	const checkAt = (baseUrl: string, ...args: string[]) => {
		const variables = {
			...{ BASE_URL: baseUrl, API_KEY: secrets.apiKey, API_SECRET: secrets.apiSecret },
			...{ NUMBER: number, EMAIL: '', SENDER: 'Shop' },
		};
		const pairs = Object.entries(variables).map(([name, value]) => `CHECK_${name}=${value}`);
		return runThrough(['env', ...pairs], 'check', '--out', at(), ...args);
	};

	onPosix('is a report and exchanges.json, from which it prints the report again', async () => {
		const { baseUrl } = await start({ deviate: ['unknown-path'] });
		const started = checkAt(baseUrl, '--yes', '--only', 'account,methods,test,rejections');
		expect(await started.ended).toBe(2);
		expect(started.output()).toContain(read('report.md'));
		expect(read('report.md')).toContain('npm run sandbox -- --deviate unknown-path');
		expect(read('report.md')).toMatch(/^\| `unknown-path` \| /m);
		const again = run('check', '--from', at('exchanges.json'));
		expect(await again.ended).toBe(2);
		expect(again.output().trim()).toBe(read('report.md').trim());
	});

	onPosix('is there after Ctrl-D at a question', async () => {
		const asked = checkAt((await start()).baseUrl, '--only', 'account,test,bulk');
		await waitForOutput(asked, /Run it\?/);
		asked.process.stdin?.end('y\n');
		expect(await asked.ended).toBe(0);
		expect(read('report.md')).toMatch(/^- `flag-test`: /m);
		expect(read('report.md')).toContain('bulk: declined');
	});

	onPosix('needs a folder that can be written: looked at before anything is sent', async () => {
		const { baseUrl, requests } = await start();
		const started = checkAt(baseUrl, '--yes', '--out', '/nowhere/at/all');
		expect(await started.ended).toBe(1);
		const words = 'Nothing was sent: --out /nowhere/at/all cannot be written';
		expect(started.output()).toContain(words);
		expect(requests()).toEqual([]);
	});
});

test('a cell of its table keeps its place, whatever a service writes into a number', () => {
	const findings = { [ids[0]!]: { isSame: false, seen: '0|9NUMBER' } };
	const report = render({
		...{ day: '2026-11-26', findings, credential: {}, leftOut: {}, calls: [] },
	});
	expect(report).toContain('| 0\\|9NUMBER |');
});

describe('its command', () => {
	onPosix('ends at once when it is interrupted at a question', async () => {
		const asking = run('check');
		await waitForOutput(asking, /Base URL/);
		expect(await stop(asking, 'SIGINT')).toBe(1);
		expect(asking.output()).toContain('Interrupted. Nothing was sent.');
	});

	test.each([
		[['--dry'], 0, `${steps[0]!.name.padEnd(11)} ${steps[0]!.does}`],
		[['--only', 'balances'], 1, '"balances" is not a step'],
		[['--messages', 'few'], 1, '--messages must be a whole number, not "few".'],
	])('%j', async (args, code, words) => {
		const started = run('check', ...args);
		expect(await started.ended).toBe(code);
		expect(started.output()).toContain(words);
	});
});

describe('its rows', () => {
	test('have an ID each, a switch of the sandbox, and a consequence', () => {
		expect(new Set(ids).size).toBe(ids.length);
		expect(deviations).toEqual(expect.arrayContaining(ids));
		expect(rows.filter(({ wrong }) => wrong === '' || /^Nothing/.test(wrong))).toEqual([]);
	});
});
