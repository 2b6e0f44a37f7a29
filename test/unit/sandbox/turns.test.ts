import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { type Sandbox, startSandbox } from '../../../sandbox';
import { createLists } from '../../../sandbox/control/lists';
import { createTraffic } from '../../../sandbox/control/traffic';
import { seedMessages } from '../../../sandbox/service/seed';
import { requestOtp } from '../../../sandbox/service/otp';
import { readBulkOrders } from '../../../sandbox/service/sendRequest';
import { writeJson } from '../../../sandbox/service/writeJson';
import { readStartSettings } from '../../../sandbox/settings';
import { createState } from '../../../sandbox/state';
import { doAtOnce, doInTurns, type Work } from '../../../sandbox/turns';
import { readTimeline } from '../../../sandbox/ui/timeline';
import { callSandbox, control, list } from './callSandbox';

describe('long work in turns', () => {
	function* workFor(ms: number): Work<string> {
		const endsAtMs = performance.now() + ms;
		while (performance.now() < endsAtMs) yield;
		return 'done';
	}

	const countTurns = async (work: Promise<unknown>) => {
		let isOver = false;
		void work.finally(() => (isOver = true));
		let turns = 0;
		for (; !isOver; turns += 1) await nextTurn();
		return turns;
	};

	test('lets others have their turn every few milliseconds', async () => {
		const work = doInTurns(workFor(300));
		// One when it is done in one piece; thirty where nothing else is at work.
		expect(await countTurns(work)).toBeGreaterThan(3);
		expect(await work).toBe('done');
	});

	test('lets others have theirs as often when there are ten of it', async () => {
		const works = Array.from({ length: 10 }, async () => await doInTurns(workFor(500)));
		// Five where each takes turns as long as one alone; fifty where nothing else is at work.
		expect(await countTurns(Promise.all(works))).toBeGreaterThan(10);
	});

	test('is done at once for who calls from the same program', () => {
		expect(doAtOnce(workFor(5))).toBe('done');
	});

	test('passes on what goes wrong in it', async () => {
		function* fail(): Work {
			yield;
			throw new Error('no');
		}
		await expect(doInTurns(fail())).rejects.toThrow('no');
	});

	describe('can be left at each of the messages that are kept', () => {
		const state = createState(readStartSettings({}));
		const traffic = createTraffic();
		const lists = createLists(state, traffic);
		const to = Array.from({ length: 1_000 }, (_, index) => `0977${1_000_000 + index}`);
		const countStops = (work: Work<unknown>) => {
			let stops = 0;
			while (!work.next().done) stops += 1;
			return stops;
		};

		beforeAll(() => {
			doAtOnce(seedMessages(state, 1_000));
			const query = { to: 'a@example.com', brand: 'B', from: 'B' };
			for (let index = 0; index < 1_000; index += 1) requestOtp(state, query);
		});

		test.each<[string, () => Work<unknown>]>([
			['messages to somebody', () => lists.messages({ to: '09779123456' })],
			['codes with their states', () => lists.codes()],
			['a search in the inbox', () => readTimeline(state, traffic, 'messages', 'nothing')],
			['the inbox itself', () => readTimeline(state, traffic, 'messages', '')],
			['a bulk request', () => readBulkOrders({ messages: [{ to, message: 'x', from: 'B' }] })],
			['a long answer', () => writeJson({ messages: state.messages })],
		])('%s', (_name, start) => {
			expect(countStops(start())).toBeGreaterThanOrEqual(1_000);
		});
	});
});

describe('a sandbox with a hundred thousand messages', () => {
	let sandbox: Sandbox;

	beforeAll(async () => {
		sandbox = await startSandbox({ pace: 0, balance: 1e9 });
	});
	beforeEach(() => sandbox.reset());
	afterAll(() => sandbox.close());

	/** How often somebody else is answered meanwhile, one call after the other. */
	const countAnswers = async (isOver: () => boolean) => {
		let answers = 0;
		for (; !isOver(); answers += 1) await (await fetch(`${sandbox.url}/_sandbox/livez`)).text();
		return answers;
	};
	const countAnswersDuring = async (long: Promise<unknown>) => {
		let isOver = false;
		void long.finally(() => (isOver = true));
		return await countAnswers(() => isOver);
	};
	const sendAll = async (count: number) => {
		const to = Array.from({ length: 1_000 }, (_, index) => `0977${1_000_000 + index}`);
		const messages = [{ to, message: 'Hello', from: 'Shop' }];
		for (let sent = 0; sent < count; sent += 1_000) {
			await callSandbox(sandbox, { method: 'POST', path: '/rest/send/bulk', body: { messages } });
		}
	};

	test('answers others while they are made', async () => {
		const seeding = control(sandbox, 'POST', '/seed', { count: 100_000 });
		expect(await countAnswersDuring(seeding)).toBeGreaterThan(5);
		expect((await seeding).status).toBe(201);
		expect(sandbox.messages()).toHaveLength(100_000);
	}, 60_000);

	test('answers others while all become due at once', async () => {
		await sendAll(50_000);
		const advancing = control(sandbox, 'POST', '/advance', { ms: 60_000 });
		expect(await countAnswersDuring(advancing)).toBeGreaterThan(5);
		expect(sandbox.messages().every(({ status }) => status === 'Delivered')).toBe(true);
	}, 60_000);

	test('answers others while they move by themselves, all at once', async () => {
		await sendAll(50_000);
		const { 0: first, length, [length - 1]: last } = sandbox.messages();
		// Planned at the pace without a timer: by now all are due.
		await sleep(3_000);
		sandbox.configure({ pace: 1 });
		while (first!.status !== 'Delivered') await nextTurn();
		expect(await countAnswers(() => last!.status === 'Delivered')).toBeGreaterThan(5);
	}, 60_000);

	test('has the messages of before in history, whatever comes meanwhile', async () => {
		sandbox.seedMessages(100_000);
		const [{ data }] = await Promise.all([
			list(sandbox, { limit: '1000' }),
			sendAll(1_000),
			control(sandbox, 'POST', '/seed', { count: 1_000 }),
		]);
		expect(data.messages).toHaveLength(1_000);
		const created = (data.messages as Array<{ createdAt: string }>).map(
			({ createdAt }) => createdAt,
		);
		expect(created).toEqual([...created].sort().reverse());
	}, 60_000);

	test('forgets them although more were just being made', async () => {
		const seeding = control(sandbox, 'POST', '/seed', { count: 100_000 });
		while (sandbox.messages().length === 0) await sleep(1);
		await control(sandbox, 'POST', '/reset');
		await seeding;
		expect(sandbox.messages()).toEqual([]);
	}, 60_000);

	test('finds the newest of a recipient without a long look at all others', async () => {
		sandbox.seedMessages(100_000);
		const look = () => sandbox.latestMessage({ to: '09779123456' });
		await look();
		const start = process.cpuUsage();
		for (let looks = 0; looks < 20; looks += 1) expect(await look()).toBeUndefined();
		expect(process.cpuUsage(start).user / 1_000).toBeLessThan(500);
	}, 60_000);

	test('finds what comes while it looks', async () => {
		sandbox.seedMessages(100_000);
		const query = { to: '09779123456', since: sandbox.mark(), waitMs: 60_000 };
		const waits = Array.from({ length: 20 }, () => sandbox.latestMessage(query));
		await sendAll(1_000);
		sandbox.seedMessages(1, () => ({ to: '959779123456', message: 'wanted' }));
		const found = await Promise.all(waits);
		expect(found.map((message) => message?.message)).toEqual(Array(20).fill('wanted'));
	}, 60_000);

	test('looks through them for a recipient when there are news of it only', async () => {
		sandbox.seedMessages(100_000);
		const query = { to: '09779123456', since: sandbox.mark(), waitMs: 60_000 };
		const waits = Array.from({ length: 20 }, () => sandbox.latestMessage(query));
		const start = process.cpuUsage();
		sandbox.seedMessages(200, () => ({ to: '959000000001' }));
		// A look through all is some milliseconds: 200 for each of 20 would be many seconds.
		expect(process.cpuUsage(start).user / 1_000).toBeLessThan(1_000);
		sandbox.seedMessages(1, () => ({ to: '959779123456' }));
		expect(await Promise.all(waits)).toHaveLength(20);
	}, 60_000);
});
