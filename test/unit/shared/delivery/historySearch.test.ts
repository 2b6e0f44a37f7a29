import { MessagingServiceClient } from '../../../../nodes/shared/client/MessagingServiceClient';
import {
	filtersFor,
	isLastPage,
	readAllSince,
	RecentHistory,
	searchHistory,
} from '../../../../nodes/shared/delivery/historySearch';
import { KnownAccount } from '../../../../nodes/shared/delivery/KnownAccount';
import { openContext } from '../../../workflow/openContext';
import { useSandbox } from '../../../workflow/useSandbox';

const hour = 3_600_000;

test.each([
	[{ to: '959779100001' }, { to: '959779100001' }],
	[{ to: '6591234567' }, {}],
	[
		{ to: '959779100001', since: Date.UTC(2026, 10, 20, 9) },
		{ to: '959779100001', filterByCreatedDateFrom: '2026-11-19' },
	],
])('looks for %j with %j', (wanted, filters) => expect(filtersFor(wanted)).toEqual(filters));

test.each([
	[{ messages: [], limit: 20, records: 40 }, 1, false],
	[{ messages: [], limit: 20, records: 40 }, 2, true],
	[{ messages: [{}], limit: 2 }, 1, true],
	[{ messages: [{}, {}], limit: 2 }, 1, false],
])('the page %j with number %i is the last: %p', (page, number, expected) => {
	expect(isLastPage(page, number)).toBe(expected);
});

describe('a search of history', () => {
	const sandbox = useSandbox();
	const open = async () => {
		const options = { parallelRequests: 5, timeout: 5000 };
		const client = await MessagingServiceClient.open(openContext(sandbox), options);
		return { client, known: new KnownAccount() };
	};
	const seed = (count: number) =>
		sandbox.seedMessages(count, (index) => ({ to: `95977910${String(1000 + index)}` }));

	test('reads on until it has enough', async () => {
		seed(2500);
		const { client, known } = await open();
		const some = await searchHistory(client, {}, known.clock, () => true);
		expect(some).toHaveLength(1000);
		expect(await searchHistory(client, {}, known.clock)).toHaveLength(2500);
		expect(sandbox.requests()).toHaveLength(4);
	});

	test('for many messages at once shares its readings', async () => {
		seed(10);
		const { client, known } = await open();
		const history = new RecentHistory(client, known);
		const numbers = Array.from({ length: 10 }, (_, index) => `95977910${1000 + index}`);
		const all = await Promise.all(
			numbers.map(async (number) => await history.search([number], Date.now() - hour)),
		);
		numbers.forEach((number, n) => expect(all[n].get(number)).toHaveLength(1));
		expect(sandbox.requests()).toHaveLength(1);
	});

	test('for few domestic numbers asks for each of them', async () => {
		seed(10);
		const { client, known } = await open();
		const found = await new RecentHistory(client, known).search(
			['959779101003'],
			Date.now() - hour,
		);
		expect([...found.keys()]).toEqual(['959779101003']);
		expect(sandbox.requests()[0].query).toMatchObject({ to: '959779101003' });
	});

	test('gives everything since a moment', async () => {
		seed(1200);
		const { client, known } = await open();
		expect(await readAllSince(client, Date.now() - 24 * hour, known)).toHaveLength(1200);
	});
});
