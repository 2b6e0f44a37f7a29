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
			30 * second,
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
	'%s of 1,000 whose requests hang ends about three minutes after the first time-out',
	async (node) => {
		const { attempts, requests } = await playOutage({
			...{ node, sends: ofSends('none'), rows: numbers(1_000).map(toRow) },
		});
		const failedAt = requests.find((one) => isSend(one))?.endedAt ?? 0;
		expect(Number(attempts[0].endedAt) - failedAt).toBeLessThanOrEqual(3.25 * minute);
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

test('a run that a rejected credential ends waits for no probe', async () => {
	const sends = [
		{ ...ofSends(503)[0], times: 3 },
		{ ...ofSends(503)[0], response: 401 as const },
	];
	const { attempts } = await playOutage({
		...{ sends, rows: numbers(100).map(toRow), onError: 'stopWorkflow' },
	});
	expect(attempts[0].error?.message).toMatch(/rejected the credential/);
	// A minute for the three in doubt, which are then probes.
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

test('a page with a 200, as of a proxy, does not let thousands go out in vain', async () => {
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
