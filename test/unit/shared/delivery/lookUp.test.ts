import { MessagingServiceClient } from '../../../../nodes/shared/client/MessagingServiceClient';
import { filtersSince, groupBy, lookUp } from '../../../../nodes/shared/delivery/history';
import { openContext } from '../../../support/workflow/openContext';
import { useSandbox } from '../../../support/workflow/useSandbox';

const hour = 3_600_000;
const numberOf = (index: number) => `95977910${String(10_000 + index)}`;
const numbers = (count: number) => new Set(Array.from({ length: count }, (_, n) => numberOf(n)));

test('the filter begins a day early, and is none without a moment', () => {
	expect(filtersSince(Date.UTC(2026, 10, 20, 9))).toEqual({
		filterByCreatedDateFrom: '2026-11-19',
	});
	expect(filtersSince(-Infinity)).toEqual({});
});

test('values are grouped in their order', () => {
	expect([...groupBy(['a1', 'b1', 'a2'], ([letter]) => letter)]).toEqual([
		['a', ['a1', 'a2']],
		['b', ['b1']],
	]);
});

describe('a look into history', () => {
	const sandbox = useSandbox({ maxMessagesKept: 1_000_000 });
	const look = async (wanted: Set<string>, since = -Infinity, signal?: AbortSignal) => {
		const limits = { parallelRequests: 5, timeout: 30_000 };
		const client = await MessagingServiceClient.open(openContext(sandbox, { signal }), limits);
		const found = await lookUp(client, wanted, { since, now: Date.now });
		const near = [...wanted].map((to) => [to, found.near(to)] as const);
		return new Map(near.filter(([, records]) => records.length > 0));
	};
	/** The n-th is n minutes old. */
	const seed = (count: number, spread = 60_000) => {
		const now = Date.now();
		sandbox.seedMessages(count, (index) => {
			const createdAtMs = now - index * spread;
			return { to: numberOf(index), createdAtMs, listedFromMs: createdAtMs };
		});
	};
	const queries = () => sandbox.requests().map(({ query }) => query);

	test.each([false, true])(
		'asks for each of five domestic numbers, masked: %p',
		async (isMasked) => {
			if (isMasked) sandbox.configure({ deviate: ['history-number:masked'] });
			seed(10);
			const found = await look(numbers(5));
			expect([...found.keys()].sort()).toEqual([...numbers(5)]);
			expect(queries().map(({ to }) => to)).toEqual([...numbers(5)]);
		},
	);

	test('reads the list once if the service ignores the filter by number', async () => {
		sandbox.configure({ deviate: ['history-filters:ignored'] });
		seed(10);
		const found = await look(numbers(5));
		expect([...found.keys()].sort()).toEqual([...numbers(5)]);
		expect(queries().map(({ to }) => to)).toEqual([numberOf(0)]);
	});

	test('reads the whole list once for more, since a moment', async () => {
		seed(10);
		const found = await look(numbers(6), Date.now() - hour);
		expect([...found.keys()].sort()).toEqual([...numbers(6)]);
		expect(queries()).toHaveLength(1);
		expect(queries()[0]).toHaveProperty('filterByCreatedDateFrom');
		expect(queries()[0]).not.toHaveProperty('to');
	});

	test('reads the whole list for a number abroad, by which the service cannot filter', async () => {
		seed(10);
		sandbox.seedMessages(1, () => ({ to: '+6591234567' }));
		const found = await look(new Set(['6591234567', numberOf(0)]));
		expect([...found.keys()]).toEqual(['6591234567', numberOf(0)]);
		expect(queries()).toHaveLength(1);
		expect(queries()[0]).not.toHaveProperty('to');
	});

	test('in all of history goes the way with fewer requests', async () => {
		seed(7000);
		expect((await look(numbers(6))).size).toBe(6);
		// One request tells how many records there are.
		expect(queries()).toHaveLength(7);
		expect((await look(numbers(8))).size).toBe(8);
		expect(queries()).toHaveLength(7 + 1 + 7);
	});

	test('ends with the first page that lies before the moment', async () => {
		seed(5000);
		const found = await look(numbers(6), Date.now() - 5 * 60_000);
		expect(found.size).toBe(6);
		expect(queries()).toHaveLength(2);
	});

	test('returns all records of a number, the newest first, and none of others', async () => {
		const [wanted] = numbers(1);
		const now = Date.now();
		sandbox.seedMessages(30, (index) => ({
			to: index % 2 === 0 ? wanted : numberOf(index),
			createdAtMs: now - index * 1000,
			listedFromMs: now,
		}));
		const found = await look(new Set([wanted, ...numbers(7)].slice(0, 7)), now - hour);
		const times = (found.get(wanted) ?? []).map(({ createdAt }) => String(createdAt));
		expect(times).toHaveLength(15);
		expect(times).toEqual([...times].sort().reverse());
	});

	test('is rejected where history cannot be read', async () => {
		sandbox.addFault({ match: { path: '/rest/messages' }, effect: { status: 403 } });
		await expect(look(numbers(1))).rejects.toMatchObject({ kind: 'forbidden' });
	});

	test('knows the clock of the service', async () => {
		seed(1);
		const limits = { parallelRequests: 5, timeout: 5000 };
		const client = await MessagingServiceClient.open(openContext(sandbox), limits);
		const lookup = await lookUp(client, numbers(1), { since: -Infinity, now: Date.now });
		const [record] = lookup.near(numberOf(0));
		const window = { from: Date.now() - 2000, to: Date.now() };
		expect(lookup.times.place(record, window)).toBe('inside');
	});
});
