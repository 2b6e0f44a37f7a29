import type { Attempt, Book } from './book';
import { play } from './play';
import { isSend } from './reading';
import { complete, plainRead, plainRetry, plainSend, plainStart, type World } from './world';

const second = 1_000;
const minute = 60 * second;
const numbers = (count: number) =>
	Array.from({ length: count }, (_, n) => String(959791000000 + n));
const toRow = (to: string) => ({ to, numbers: [to], text: 'Hello' });
const times = 100_000;
const ofSends = (response: 503 | 'none') => [
	{ ...plainSend, times, response, accepts: 'none' } as const,
];
const ofReads = (response: 503 | 'none') => [{ ...plainRead, times, response }];
const startAt = (atMs: number) => ({ ...plainStart, atMs });
const tookMs = ({ begunAt, endedAt = Infinity }: Attempt) => endedAt - begunAt;
const kindsOf = ({ items }: Attempt) =>
	items.map(({ json }) => (json.details as { kind: string } | undefined)?.kind ?? 'accepted');

async function playOutage(world: Partial<World>): Promise<Book> {
	return await play(complete({ onError: 'continueRegularOutput', ...world }));
}

/** What an outage of the service costs (docs/scaling.md), in virtual time. */
describe('one message, when', () => {
	test.each<[string, Partial<World>, number]>([
		['everything responds 503', { sends: ofSends(503), reads: ofReads(503) }, 20 * second],
		[
			'everything hangs, with a timeout of 5 seconds',
			{ sends: ofSends('none'), reads: ofReads('none'), options: { timeout: 5 * second } },
			35 * second,
		],
		['sends respond 503', { sends: ofSends(503) }, 75 * second],
		['sends hang', { sends: ofSends('none') }, 191 * second],
	])('%s', async (_, world, most) => {
		for (const node of ['SmsSend', 'SmsBulkSend'] as const) {
			const { attempts } = await playOutage({ ...world, node, rows: [toRow('959791000000')] });
			expect(attempts.map(kindsOf)).toEqual([['outcomeUnknown']]);
			expect(tookMs(attempts[0])).toBeLessThanOrEqual(most);
		}
	});
});

test.each(['SmsSend', 'SmsBulkSend'] as const)(
	'%s in the editor looks three times for what was lost, and sends nothing more',
	async (node) => {
		const { requests } = await playOutage({
			...{ node, isManual: true, rows: numbers(2).map(toRow) },
			sends: [{ ...ofSends(503)[0], response: 'cut' }],
			options: { parallelRequests: 1, ...(node === 'SmsBulkSend' && { recipientsPerRequest: 1 }) },
		});
		const [{ endedAt = 0 }, ...looks] = requests;
		const [first, ...later] = looks.map(({ at }) => Math.round((at - endedAt) / 100) / 10);
		expect([first, ...later]).toEqual([0.5, 1.6, 3.5]);
	},
);

test.each(['SmsSend', 'SmsBulkSend'] as const)(
	'%s of 10,000 ends within two minutes of the first failure, and returns what was accepted',
	async (node) => {
		const works = { ...plainSend, times: node === 'SmsSend' ? 200 : 20 };
		const sends = [works, ...ofSends(503)];
		const { attempts, requests, stored } = await playOutage({
			...{ node, sends, rows: numbers(10_000).map(toRow) },
		});
		const failedAt = requests.find(({ got }) => got === 503)?.endedAt ?? 0;
		const kinds = kindsOf(attempts[0]);
		const count = (kind: string) => kinds.filter((one) => one === kind).length;
		expect(Number(attempts[0].endedAt) - failedAt).toBeLessThanOrEqual(2 * minute);
		expect(count('accepted')).toBe(stored.length);
		expect(count('outcomeUnknown')).toBeLessThanOrEqual(node === 'SmsSend' ? 20 : 1_500);
		expect(count('accepted') + count('outcomeUnknown') + count('unavailable')).toBe(10_000);
	},
	minute,
);

test.each(['SmsSend', 'SmsBulkSend'] as const)(
	'%s of 1,000 whose requests hang ends within four minutes of the first time-out',
	async (node) => {
		const { attempts, requests } = await playOutage({
			...{ node, sends: ofSends('none'), rows: numbers(1_000).map(toRow) },
		});
		const failedAt = requests.find((one) => isSend(one))?.endedAt ?? 0;
		expect(Number(attempts[0].endedAt) - failedAt).toBeLessThanOrEqual(4 * minute);
		expect(kindsOf(attempts[0])).toHaveLength(1_000);
	},
	minute,
);

test('Retry On Fail costs seconds while it lasts', async () => {
	const { attempts } = await playOutage({
		...{ sends: ofSends(503), reads: ofReads(503), tries: 3, rows: [toRow('959791000000')] },
		executions: [0, 40 * second, 80 * second].map(startAt),
	});
	const [last] = attempts.slice(-1);
	expect(last.try).toBe(3);
	expect(Math.max(...attempts.slice(-3).map(tookMs))).toBeLessThanOrEqual(20 * second);
});

test('a run that a rejected credential ends waits for nothing else', async () => {
	const sends = [
		{ ...ofSends(503)[0], times: 3 },
		{ ...ofSends(503)[0], response: 401 as const },
	];
	const { attempts } = await playOutage({
		...{ sends, rows: numbers(100).map(toRow), onError: 'stopWorkflow' },
	});
	expect(attempts[0].error?.message).toMatch(/rejected the credential/);
	// A minute for the three in doubt.
	expect(tookMs(attempts[0])).toBeLessThanOrEqual(90 * second);
});

test('a retry in another process brings what is in doubt at the same pace', async () => {
	const sends = [{ ...ofSends(503)[0], response: 500 as const }];
	const { attempts } = await playOutage({
		...{ node: 'SmsBulkSend', sends, rows: numbers(40).map(toRow), onError: 'stopWorkflow' },
		options: { recipientsPerRequest: 2 },
		executions: [{ ...plainStart, retries: [{ ...plainRetry, process: 2 }] }],
	});
	const [first, retry] = attempts.map(({ requests }) => requests.filter(isSend).length);
	expect(retry).toBeLessThanOrEqual(first);
});

test('responses that cannot be read do not let thousands go out in vain', async () => {
	const sends = [{ ...ofSends(503)[0], response: 'garbage' as const }];
	const { requests } = await playOutage({
		...{ node: 'SmsSend', sends, rows: numbers(200).map(toRow) },
		options: { whenOutcomeUnknown: 'report' },
	});
	expect(requests.filter(isSend).length).toBeLessThanOrEqual(17);
});

test('a service that responds to sends without JSON works, as its history shows', async () => {
	const sends = [{ ...plainSend, times, response: 'text', latencyMs: 2_000 } as const];
	const { attempts } = await playOutage({
		...{ node: 'SmsSend', sends, rows: numbers(300).map(toRow) },
		options: { whenOutcomeUnknown: 'report' },
	});
	expect(new Set(kindsOf(attempts[0]))).toEqual(new Set(['accepted']));
});

const allOf = (count: number) => Array<string>(count).fill('accepted');

test.each<['SmsSend' | 'SmsBulkSend', number]>([
	['SmsSend', 60],
	['SmsSend', 600],
	['SmsBulkSend', 2_000],
])('the first run of %s after an outage sends all %d', async (node, count) => {
	const { attempts } = await playOutage({
		...{ node, rows: numbers(count).map(toRow) },
		outages: [{ fromMs: 0, forMs: 80 * second, of: 'all', response: 503 }],
		// Three that meet it, and one after it.
		executions: [0, 1, 2, 80].map((at) => startAt(at * second)),
		options: { whenOutcomeUnknown: 'report' },
	});
	expect(kindsOf(attempts.at(-1)!)).toEqual(allOf(count));
	expect(tookMs(attempts.at(-1)!)).toBeLessThanOrEqual(minute);
});

test.each([
	['sends', 20 * second],
	['all', 5 * second],
] as const)('a run goes on after %s have failed for %d ms', async (of, forMs) => {
	const { attempts, stored } = await playOutage({
		...{ node: 'SmsSend', rows: numbers(600).map(toRow) },
		outages: [{ fromMs: 3 * second, forMs, of, response: 503 }],
	});
	expect([kindsOf(attempts[0]).filter((kind) => kind !== 'accepted'), stored.length]).toEqual([
		[],
		600,
	]);
});

test.each<['SmsSend' | 'SmsBulkSend', number]>([
	['SmsSend', 45],
	['SmsBulkSend', 1_000],
])(
	'%s of %d to a service that accepts each and responds after the time-out',
	async (node, count) => {
		const { attempts, stored } = await playOutage({
			...{ node, rows: numbers(count).map(toRow) },
			sends: [{ ...plainSend, times, response: 'none', acceptsAfterMs: 31 * second }],
		});
		expect(kindsOf(attempts[0])).toEqual(allOf(count));
		expect(new Set(stored.map(({ to }) => to)).size).toBe(count);
		expect(stored).toHaveLength(count);
	},
);

test('what is left of a run is not sent once a service accepts nothing, and the error says why', async () => {
	for (const whenOutcomeUnknown of ['sendAgain', 'report']) {
		const { attempts, requests } = await playOutage({
			...{ node: 'SmsSend', sends: ofSends(503), rows: numbers(200).map(toRow) },
			options: { whenOutcomeUnknown },
		});
		const { json } = attempts[0].items.at(-1)!;
		expect(json.error).toMatch(/^Not sent: the service did not accept the last \d+ requests/);
		expect((json.details as { description: string }).description).toMatch(
			/^Nothing was charged\. The service is unavailable \(HTTP 503\)\. /,
		);
		const sends = requests.filter(isSend).length;
		expect(kindsOf(attempts[0]).filter((kind) => kind === 'outcomeUnknown').length).toBe(
			whenOutcomeUnknown === 'report' ? sends : sends - 1,
		);
	}
});

test('four executions at once in an outage end as one does', async () => {
	const { attempts } = await playOutage({
		...{ node: 'SmsSend', sends: ofSends(503), reads: ofReads(503) },
		...{ rows: [toRow('959791000000')], executions: [0, 0, 0, 0].map(startAt) },
	});
	expect(attempts.map(kindsOf)).toEqual(Array(4).fill(['outcomeUnknown']));
	expect(Math.max(...attempts.map(tookMs))).toBeLessThanOrEqual(20 * second);
});

test('a campaign that is started twice in an outage is sent to everybody once', async () => {
	const { attempts, stored } = await playOutage({
		...{ node: 'SmsBulkSend', rows: numbers(500).map(toRow) },
		outages: [{ fromMs: 0, forMs: 30 * second, of: 'sends', response: 503 }],
		executions: [0, 5 * second].map(startAt),
		options: { skipIfAlreadySent: true, lookBackHours: 20 },
	});
	expect(attempts.map(kindsOf)).toEqual([allOf(500), allOf(500)]);
	expect(stored).toHaveLength(500);
});
