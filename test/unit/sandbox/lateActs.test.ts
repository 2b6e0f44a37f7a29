import type { AxiosResponse } from '../../../scripts/http';
import type { FaultRule } from '../../../sandbox';
import { callSandbox, control, list, send } from '../../support/sandbox/callSandbox';
import { type Receiver, startReceiver } from '../../support/sandbox/startReceiver';
import { useSandbox } from '../../support/workflow/useSandbox';
import type { LoggedRequest } from '../../../sandbox/entities';
import { actLater, advanceClock } from '../../../sandbox/control/clock';
import { createTraffic } from '../../../sandbox/control/traffic';
import { buildToken, readStartSettings } from '../../../sandbox/settings';
import { createState } from '../../../sandbox/state';
import { doAtOnce } from '../../../sandbox/steps';

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('a request that the service acts on later', () => {
	const sandbox = useSandbox({ methods: 'any' });
	let receiver: Receiver;

	beforeAll(async () => void (receiver = await startReceiver()));
	beforeEach(() => (receiver.calls.length = 0));
	afterAll(() => receiver.close());

	const actAfter = (laterMs: number, effect: FaultRule['effect'] = { status: 504 }) =>
		sandbox.addFault({ when: 'later', laterMs, effect, count: 1 });
	const readCode = (promise: Promise<AxiosResponse>) =>
		promise.then(
			({ status }) => String(status),
			(error: { code: string }) => error.code,
		);

	test.each<[FaultRule['effect'], string]>([
		[{ status: 504 }, '504'],
		['cut', 'ECONNRESET'],
		['cutBody', 'ERR_BAD_RESPONSE'],
		['brokenJson', '201'],
	])('gets a response with %j at once', async (effect, code) => {
		actAfter(60_000, effect);
		expect(await readCode(send(sandbox))).toBe(code);
		expect(sandbox.messages().map(({ to }) => to)).toEqual([]);
		sandbox.advance(60_000);
		await sandbox.settle();
		expect(sandbox.messages().map(({ to }) => to)).toHaveLength(1);
	});

	test('is acted on although its sender has given up waiting', async () => {
		actAfter(60_000, 'hang');
		const body = { to: '09779123456', message: 'Hello', from: 'Shop' };
		const call = { method: 'POST', path: '/rest/send', body, timeout: 200 };
		expect(await readCode(callSandbox(sandbox, call))).toBe('ECONNABORTED');
		sandbox.advance(60_000);
		await sandbox.settle();
		expect(sandbox.messages().map(({ to }) => to)).toHaveLength(1);
	});

	test('is charged, listed and reported only then', async () => {
		actAfter(10_000);
		const balance = sandbox.balance().balance;
		await send(sandbox, { deliveryReceiptUrl: receiver.url });
		sandbox.advance(9_000);
		await sandbox.settle();
		expect((await list(sandbox)).data.records).toBe(0);
		expect(sandbox.balance().balance).toBe(balance);
		sandbox.advance(1_000);
		await sandbox.settle();
		expect((await list(sandbox)).data.records).toBe(1);
		expect(sandbox.balance().balance).toBe(balance - 20);
		sandbox.advance(60_000);
		await sandbox.settle();
		expect(receiver.calls.map(({ query }) => query.status)).toEqual(['Sent', 'Delivered']);
	});

	test('needs no advance of the clock', async () => {
		actAfter(100);
		await send(sandbox);
		expect(sandbox.messages().map(({ to }) => to)).toEqual([]);
		while (sandbox.messages().length === 0) await sleep(10);
		const [message] = sandbox.messages();
		const [request] = sandbox.requests();
		expect(message!.createdAtMs - request!.at).toBeGreaterThanOrEqual(100);
	});

	test('can be rejected then, which the log of requests says', async () => {
		actAfter(10_000);
		await send(sandbox);
		sandbox.configure({ balance: 0 });
		sandbox.advance(10_000);
		await sandbox.settle();
		expect(sandbox.messages().map(({ to }) => to)).toEqual([]);
		expect(sandbox.requests()[0]).toMatchObject({
			statusAnswered: 504,
			statusOfLateAct: 402,
			fault: '10000 ms later: {"status":504}',
		});
	});

	test('is dropped by a reset', async () => {
		actAfter(10_000);
		await send(sandbox);
		sandbox.reset();
		sandbox.advance(60_000);
		await sandbox.settle();
		expect(sandbox.messages().map(({ to }) => to)).toEqual([]);
	});

	test('is acted on when one advances over HTTP', async () => {
		const rule = { when: 'later', laterMs: 5_000, effect: { status: 502 } };
		expect((await control(sandbox, 'POST', '/faults', rule)).status).toBe(201);
		await send(sandbox);
		await control(sandbox, 'POST', '/advance', { ms: 5_000 });
		expect(sandbox.messages().map(({ to }) => to)).toHaveLength(1);
	});

	test.each([
		[{ when: 'later' }, /^laterMs is missing\.$/],
		[{ laterMs: 5 }, /^when is missing\.$/],
		[{ when: 'after', laterMs: 5 }, /^when must be 'later' beside laterMs, not "after"\.$/],
		[{ when: 'later', laterMs: -1 }, /laterMs must be/],
		[{ when: 'later', laterMs: '5' }, /laterMs must be/],
		[{ when: 'sometimes' }, /when must be/],
	])('a rule with %j is rejected', (rule, words) => {
		expect(() => sandbox.addFault({ ...rule, effect: 'cut' } as never)).toThrow(words);
	});

	test('the real response, slowed, cannot come before the service acts', () => {
		const rule: FaultRule = { when: 'later', laterMs: 5, effect: { slowMs: 1 } };
		expect(() => sandbox.addFault(rule)).toThrow(/slowMs/);
	});
});

describe('lateBulk', () => {
	const to = Array.from({ length: 3_000 }, (_, index) => `0977${1_000_000 + index}`);

	/** What the next start would find: messages above the newest mark are not part of it. */
	const kept = `SELECT (SELECT count(*) FROM lateAct) AS acts, (SELECT count(*) FROM message
	WHERE mark <= coalesce((SELECT value FROM meta WHERE name = 'mark'), 0)) AS messages`;

	/** A crash keeps what is committed: a late act beside its messages would send them twice. */
	test('a late act is done with the commit of its messages, however many these are', async () => {
		const settings = readStartSettings({ pace: 0 });
		const state = createState(settings);
		const traffic = createTraffic(state);
		const [credential] = settings.credentials;
		const request = {
			...{ number: 1, method: 'POST', surface: 'rest', path: '/api/rest/send/bulk' },
			...{ query: {}, rawQuery: '', bytes: 0, ipAddress: '127.0.0.1', baseUrl: '' },
			...{ at: 0, clockMs: 0, statusAnswered: 504 },
			headers: {
				'content-type': 'application/json',
				authorization: `Bearer ${buildToken(credential!)}`,
			},
			body: { messages: [{ to, message: 'Hello', from: 'Shop' }] },
		} satisfies LoggedRequest;
		actLater(state, request, 0);
		const commits = new Set<string>();
		state.news.on('change', () => commits.add(JSON.stringify(state.store.all(kept))));
		doAtOnce(advanceClock(state, traffic, 0));
		await Promise.all(traffic.lateActsUnderWay.values());
		await state.store.committed();
		expect([...commits].map((commit) => JSON.parse(commit) as unknown)).toEqual([
			[{ messages: 0, acts: 1 }],
			[{ messages: 3_000, acts: 0 }],
		]);
		state.store.close();
	});
});
