import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { IWebhookFunctions } from 'n8n-workflow';

import { confirmTiming, keepConfirmed } from '../../../nodes/SmsReceiptTrigger/confirm';
import { parseReceipts, type DeliveryReceipt } from '../../../nodes/shared/receipt/receipt';
import type { FaultEffect } from '../../../sandbox/entities';
import { openContext } from '../../support/workflow/openContext';
import { useSandbox } from '../../support/workflow/useSandbox';
import { answerJson, useStandIn } from '../../support/workflow/useStandIn';

const { waitsMs } = confirmTiming;
const toReceipt = (fields: object) => parseReceipts({ query: fields, body: undefined })[0];

describe('a receipt that is to be confirmed', () => {
	const sandbox = useSandbox();
	beforeAll(() => void Object.assign(confirmTiming, { waitsMs: [0, 1, 2] }));
	afterAll(() => void Object.assign(confirmTiming, { waitsMs }));
	const confirm = async (...fields: object[]) => {
		const context = openContext(sandbox) as unknown as IWebhookFunctions;
		return await keepConfirmed(context, fields.map(toReceipt));
	};
	const seed = (status: string, to = '959779100001') => {
		sandbox.seedMessages(1, () => ({ to, status: status as never, clientReference: 'order-7' }));
		return { messageId: sandbox.messages()[0].messageId, to, status, clientReference: 'order-7' };
	};

	test.each(['959779100001', '09779100001', '+95 9779100001', '0095 9779100001'])(
		'passes when history agrees, whatever way %s is written',
		async (to) => expect(await confirm({ ...seed('Delivered'), to })).toHaveLength(1),
	);

	test.each([
		{ to: '959779100002' },
		{ to: '959779100001@example.com' },
		{ to: 'order 959779100001' },
		{ to: '959779100001,959779100002' },
		{ clientReference: 'order-8' },
		{ messageId: 'made-up' },
		{ status: 'Failed' },
	])('is dropped with %j, which history knows otherwise', async (lie) =>
		expect(await confirm({ ...seed('Delivered'), ...lie })).toEqual([]),
	);

	const ends = ['Failed', 'Undelivered', 'Rejected', 'Error', 'Expired'];
	const contradictions = ['Delivered', ...ends].flatMap((known) =>
		['Success', ...ends]
			.filter(
				(reported) => reported !== known && !(known === 'Delivered' && reported === 'Success'),
			)
			.map((reported) => [known, reported] as const),
	);
	test.each(contradictions)(
		'is dropped where history says %s and it says %s',
		async (known, status) => expect(await confirm({ ...seed(known), status })).toEqual([]),
	);

	test.each([
		['Delivered', 'DELIVERED'],
		['Expired', 'expired '],
		['Delivered', 'Success'],
		['Success', 'Delivered'],
	])('passes where history says %s and it says %s', async (known, status) =>
		expect(await confirm({ ...seed(known), status })).toHaveLength(1),
	);

	test('is asked for again while history is not as far', async () => {
		expect(await confirm({ ...seed('Sent'), status: 'Delivered' })).toBeUndefined();
	});

	test('is asked for again when history cannot be read', async () => {
		const receipt = seed('Delivered');
		sandbox.addFault({ match: { path: '/rest/messages' }, effect: { status: 403 } });
		expect(await confirm(receipt)).toBeUndefined();
	});

	test('abroad is found by the day', async () => {
		expect(await confirm(seed('Delivered', '6591234567'))).toHaveLength(1);
		expect(sandbox.requests()[0].query).not.toHaveProperty('to');
	});

	describe('of a message ID that several recipients share', () => {
		/** History lists them in this order. */
		const share = (...records: Array<[to: string, status: string]>) => {
			const messageId = randomUUID();
			const seeds = records.map(([to, status]) => ({ messageId, to, status }));
			sandbox.seedMessages(seeds.length, (n) => seeds[seeds.length - 1 - n] as never);
			return (to: string | undefined, status: string) => ({ messageId, to, status });
		};
		const numbers = ['959779100001', '959779100002'];
		const abroad = ['6591234567', '6591234568'];

		test.each([numbers, [...numbers].reverse(), abroad, [...abroad].reverse()])(
			'passes for the one history names it for, and not for the other: %s, %s',
			async (one, other) => {
				const toReport = share([one, 'Delivered'], [other, 'Failed']);
				const reports = [
					toReport(one, 'Delivered'),
					toReport(other, 'Failed'),
					toReport(one, 'Failed'),
					toReport(other, 'Delivered'),
				];
				const kept = await confirm(...reports);
				expect(kept).toMatchObject(reports.slice(0, 2));
				expect(kept).toHaveLength(2);
				for (const [n, report] of reports.entries())
					expect(await confirm(report)).toHaveLength(n < 2 ? 1 : 0);
			},
		);

		test('is looked for on every page until its recipient is found', async () => {
			const toReport = share(['6591234567', 'Delivered'], ['6591234568', 'Failed']);
			const { to, ...rest } = toReport('6591234568', 'Failed');
			sandbox.reset();
			const createdAtMs = Date.now() - 3_600_000;
			sandbox.seedMessages(1, () => ({ ...rest, to, createdAtMs }) as never);
			sandbox.seedMessages(1500);
			sandbox.seedMessages(1, () => ({ ...toReport('6591234567', 'Delivered') }) as never);
			expect(await confirm({ ...rest, to })).toHaveLength(1);
			expect(sandbox.requests().map(({ path }) => path)).toHaveLength(2);
		});

		test('passes without a recipient, as before', async () => {
			const toReport = share(['959779100001', 'Delivered'], ['959779100002', 'Delivered']);
			for (const to of [undefined, ''])
				expect(await confirm(toReport(to, 'Delivered'))).toHaveLength(1);
			expect(await confirm(toReport(undefined, 'Failed'))).toEqual([]);
		});
	});

	test('asks nothing where there is none', async () => {
		expect(await confirm()).toEqual([]);
		expect(sandbox.requests().map(({ path }) => path)).toEqual([]);
	});
});

describe('calls that share a search', () => {
	const sandbox = useSandbox();
	const usual = { ...confirmTiming };
	beforeAll(() => void Object.assign(confirmTiming, { waitsMs: [0] }));
	afterEach(() => void Object.assign(confirmTiming, { deadlineMs: usual.deadlineMs }));
	afterAll(() => void Object.assign(confirmTiming, usual));

	const toNumber = (n: number) => `95977910${String(n).padStart(4, '0')}`;
	const seed = (n: number) => {
		const fields = { messageId: randomUUID(), to: toNumber(n), status: 'Delivered' };
		sandbox.seedMessages(1, () => fields as never);
		return toReceipt(fields);
	};
	/** A call that has this much time. */
	const call = async (receipt: DeliveryReceipt, deadlineMs = 10_000) => {
		const context = openContext(sandbox) as unknown as IWebhookFunctions;
		confirmTiming.deadlineMs = deadlineMs;
		return await keepConfirmed(context, [receipt]);
	};
	/** Calls that occupy all searches for this long. */
	const occupy = async (slowMs: number) => {
		const receipts = [9001, 9002, 9003].map(seed);
		sandbox.addFault({ match: { contains: toNumber(9001).slice(0, -1) }, effect: { slowMs } });
		const calls = receipts.map(async (receipt) => await call(receipt));
		await sleep(50);
		return Promise.all(calls);
	};
	const requestsFor = (n: number) =>
		sandbox.requests().filter(({ query }) => query.to === toNumber(n));

	test('have each their own time: the first has none left when it begins', async () => {
		const receipt = seed(1);
		const busy = occupy(600);
		await sleep(100);
		const first = call(receipt, 200);
		const others = Array.from({ length: 100 }, async () => await call(receipt));
		expect(await first).toBeUndefined();
		expect(requestsFor(1)).toEqual([]);
		expect(await Promise.all(others)).toEqual(Array(100).fill([receipt]));
		expect(requestsFor(1)).toHaveLength(1);
		await busy;
	});

	test('have each their own time: that of the first ends while pages are read', async () => {
		const [listed, missing] = [seed(1), seed(1)];
		sandbox.reset();
		sandbox.seedMessages(1, () => ({ ...listed, createdAtMs: Date.now() - 3_600_000 }) as never);
		sandbox.seedMessages(1500, () => ({ to: toNumber(1) }));
		const busy = occupy(200);
		await sleep(100);
		sandbox.addFault({ match: { contains: toNumber(1) }, effect: { slowMs: 300 } });
		const first = call(missing, 300);
		const second = call(listed);
		expect(await first).toBeUndefined();
		expect(await second).toEqual([listed]);
		await busy;
	});

	test('ask nothing when the time of all of them is over', async () => {
		const receipt = seed(1);
		const busy = occupy(400);
		await sleep(100);
		const calls = Array.from({ length: 20 }, async () => await call(receipt, 100));
		expect(await Promise.all(calls)).toEqual(Array(20).fill(undefined));
		await busy;
		await sleep(50);
		expect(requestsFor(1)).toEqual([]);
		expect(await call(receipt)).toEqual([receipt]);
	});

	test.each<[string, FaultEffect]>([
		['asks to wait', { status: 429, headers: { 'Retry-After': '30' } }],
		['does not respond', 'hang'],
	])(
		'end their search with their time, so that others can search: history %s',
		async (_, effect) => {
			const [stuck, next] = [[1, 2, 3].map(seed), seed(4)];
			sandbox.addFault({ effect, count: 3 });
			const calls = stuck.map(async (receipt) => await call(receipt, 300));
			await sleep(50);
			const other = call(next, 3_000);
			expect(await Promise.all(calls)).toEqual([undefined, undefined, undefined]);
			expect(await other).toEqual([next]);
			expect(sandbox.requests().map(({ path }) => path)).toHaveLength(4);
		},
	);

	test('read on for those that still wait, when the time of the reading call ends', async () => {
		const receipt = seed(1);
		const busy = occupy(200);
		await sleep(100);
		sandbox.addFault({ match: { contains: toNumber(1) }, effect: 'hang', count: 1 });
		const first = call(receipt, 500);
		const second = call(receipt, 3_000);
		expect(await first).toBeUndefined();
		expect(await second).toEqual([receipt]);
		expect(requestsFor(1)).toHaveLength(2);
		await busy;
	});

	test('leave nothing in memory once they have ended, in time or not', async () => {
		const receipts = Array.from({ length: 10 }, (_, n) => seed(n));
		sandbox.configure({ latencyMs: 20 });
		const contexts: Array<WeakRef<object>> = [];
		const open = async (receipt: DeliveryReceipt, deadlineMs: number) => {
			const context = openContext(sandbox) as unknown as IWebhookFunctions;
			contexts.push(new WeakRef(context));
			confirmTiming.deadlineMs = deadlineMs;
			return (await keepConfirmed(context, [receipt]))?.length ?? 0;
		};
		const calls = Array.from({ length: 200 }, (_, n) =>
			open(receipts[n % 10], n < 100 ? 1 : 9_000),
		);
		const kept = await Promise.all(calls);
		expect(kept.slice(100)).toEqual(Array(100).fill(1));
		await sleep(600);
		setFlagsFromString('--expose-gc');
		(runInNewContext('gc') as () => void)();
		const left = contexts.filter((context) => context.deref() !== undefined).length;
		expect(left).toBeLessThan(10);
	});

	test('search three times at once, all 1,000 of them', async () => {
		const receipts = Array.from({ length: 100 }, (_, n) => seed(n));
		sandbox.configure({ latencyMs: 10 });
		// The first call for half of the receipts has hardly any time.
		const isHurried = (n: number) => n < 50;
		const calls = Array.from({ length: 1_000 }, (_, n) =>
			call(receipts[n % 100], isHurried(n) ? 20 : 30_000),
		);
		for (const [n, kept] of (await Promise.all(calls)).entries())
			if (!isHurried(n)) expect(kept).toEqual([receipts[n % 100]]);
		expect(sandbox.stats().peakInFlight).toBeLessThanOrEqual(3);
		expect(sandbox.requests().length).toBeLessThanOrEqual(110);
	}, 60_000);
});

describe('a receipt of a service that counts its messages', () => {
	const service = useStandIn();

	test('is confirmed by a record whose messageId is a number', async () => {
		const messages = [{ messageId: 4711, to: '959779100001', status: 'Delivered' }];
		service.answer = () => answerJson(200, { messages, limit: 1000, records: 1 });
		const context = openContext(service) as unknown as IWebhookFunctions;
		const receipt = toReceipt({ messageId: '4711', status: 'Delivered' });
		expect(await keepConfirmed(context, [receipt])).toEqual([receipt]);
	});

	test.each(['undefined', 'null'])(
		'is not, where it names %s, by a record without one',
		async (id) => {
			const messages = [
				{ to: '959779100001', status: 'Delivered' },
				{ messageId: null, to: '959779100001', status: 'Delivered' },
			];
			service.answer = () => answerJson(200, { messages, limit: 1000, records: 2 });
			const context = openContext(service) as unknown as IWebhookFunctions;
			const receipt = toReceipt({ messageId: id, status: 'Delivered' });
			expect(await keepConfirmed(context, [receipt])).toEqual([]);
		},
	);
});
