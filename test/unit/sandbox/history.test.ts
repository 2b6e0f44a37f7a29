import { startSandbox } from '../../../sandbox';
import { callSandbox, list, requestCode, send } from '../../support/sandbox/callSandbox';
import { useSandbox } from '../../support/workflow/useSandbox';

describe('message history', () => {
	const sandbox = useSandbox({ methods: 'any' });

	const readTexts = async (query: Record<string, string>) => {
		const { data } = await list(sandbox, query);
		return data.messages.map(({ message }: { message: string }) => message) as string[];
	};

	test('lists the newest first, with the time of delivery', async () => {
		await send(sandbox, { message: 'first' });
		await send(sandbox, { message: 'second' });
		const { data } = await list(sandbox);
		expect(data.messages.map(({ message }: { message: string }) => message)).toEqual([
			'second',
			'first',
		]);
		expect(data.messages[0].finishedAt).toBeNull();
		sandbox.advance(10_000);
		const [delivered] = (await list(sandbox)).data.messages;
		expect(delivered).toMatchObject({ status: 'Delivered' });
		expect(delivered.finishedAt).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
	});

	test('is empty, with links to page 1, when nothing was sent', async () => {
		const { data } = await list(sandbox);
		const page = `${sandbox.baseUrl}/rest/messages/index?page=1`;
		expect(data).toEqual({
			messages: [],
			links: { self: page, first: page, last: page },
			limit: 20,
			records: 0,
			start: 0,
		});
	});

	test.each(['20', '50', '100', '500', '1000'])('a limit of %s is a page size', async (limit) => {
		sandbox.seedMessages(1001);
		const { data } = await list(sandbox, { limit });
		expect([data.messages.length, data.limit]).toEqual([Number(limit), Number(limit)]);
	});

	test.each(['0', '10', '21', '1001', '-20', '20.0', 'all', '1e2'])(
		'a limit of %s is rejected',
		async (limit) => {
			const { status, data } = await list(sandbox, { limit });
			expect([status, data.status]).toEqual([422, 422]);
		},
	);

	test.each(['0', '-1', 'x', '1.5'])('a page of %s is rejected', async (page) => {
		expect((await list(sandbox, { page })).status).toBe(422);
	});

	test('the pages together hold every message once', async () => {
		sandbox.seedMessages(152);
		const pages = await Promise.all(
			Array.from({ length: 9 }, (_, index) => list(sandbox, { page: String(index + 1) })),
		);
		expect(pages.map(({ data }) => data.messages.length)).toEqual([
			20, 20, 20, 20, 20, 20, 20, 12, 0,
		]);
		expect(pages.map(({ data }) => data.start)).toEqual([0, 20, 40, 60, 80, 100, 120, 140, 160]);
		const ids = pages.flatMap(({ data }) =>
			data.messages.map((m: { messageId: string }) => m.messageId),
		);
		expect(new Set(ids).size).toBe(152);
	});

	test('the last page has no next link; links have another path, without the filters', async () => {
		sandbox.seedMessages(152);
		const { data } = await list(sandbox, { page: '8', from: 'Sandbox' });
		expect(data.links).toEqual({
			self: `${sandbox.baseUrl}/rest/messages/index?page=8`,
			first: `${sandbox.baseUrl}/rest/messages/index?page=1`,
			last: `${sandbox.baseUrl}/rest/messages/index?page=8`,
		});
	});

	test('links name the host by which the client came', async () => {
		const open = await startSandbox({ pace: 0, host: '0.0.0.0', allowedHosts: ['sandbox'] });
		const { port } = new URL(open.url);
		for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, 'sandbox:4010']) {
			const call = { method: 'GET', path: '/rest/messages', headers: { Host: host } };
			const { data } = await callSandbox(
				{ ...open, baseUrl: `http://127.0.0.1:${port}/api` },
				call,
			);
			expect(data.links.self).toBe(`http://${host}/api/rest/messages/index?page=1`);
		}
		await open.close();
	});

	test('links can name another host', async () => {
		sandbox.configure({ linksBaseUrl: 'https://other.example' });
		const { data } = await list(sandbox);
		expect(data.links.self).toBe('https://other.example/rest/messages/index?page=1');
	});

	test('filters by sender ID, number and text', async () => {
		await send(sandbox, { message: 'Sale today', from: 'Shop' });
		await send(sandbox, { message: 'Sale tomorrow', from: 'shop' });
		await send(sandbox, { message: 'Hello', from: 'Shop', to: '09254123456' });
		expect(await readTexts({ from: 'Shop' })).toEqual(['Hello', 'Sale today']);
		expect(await readTexts({ to: '959254123456' })).toEqual(['Hello']);
		expect(await readTexts({ message: 'Sale' })).toEqual(['Sale tomorrow', 'Sale today']);
		expect(await readTexts({ message: 'Sale', from: 'shop' })).toEqual(['Sale tomorrow']);
	});

	test.each(['09254123456', '+959254123456', '6591234567', '95abc'])(
		'a number filter of %s is rejected',
		async (to) => {
			expect((await list(sandbox, { to })).status).toBe(422);
		},
	);

	test('filters by days in GMT+6:30, both inclusive', async () => {
		const days = ['2026-10-01 23:59:59', '2026-10-02 00:00:00', '2026-10-03 23:59:59'];
		sandbox.seedMessages(3, (index) => ({
			message: days[index],
			createdAt: days[index],
			createdAtMs: Date.parse(`${days[index]!.replace(' ', 'T')}+06:30`),
		}));
		const between = { filterByCreatedDateFrom: '2026-10-02', filterByCreatedDateTo: '2026-10-03' };
		expect(await readTexts(between)).toEqual([days[2], days[1]]);
		expect(await readTexts({ filterByCreatedDateTo: '2026-10-01' })).toEqual([days[0]]);
	});

	test.each(['2026-2-1', '2026-02-30', '01-10-2026', '2026-10-02 00:00:00'])(
		'a day of %s is rejected',
		async (day) => {
			expect((await list(sandbox, { filterByCreatedDateFrom: day })).status).toBe(422);
			expect((await list(sandbox, { filterByCreatedDateTo: day })).status).toBe(422);
		},
	);

	test('a message appears only after the lag', async () => {
		sandbox.configure({ historyLagMs: 5000 });
		await send(sandbox);
		expect((await list(sandbox)).data.records).toBe(0);
		sandbox.advance(5000);
		expect((await list(sandbox)).data.records).toBe(1);
	});

	describe('that lags', () => {
		const appearances = () => sandbox.messages().map((m) => m.listedFromMs - m.createdAtMs);
		const sendBulk = (count: number) => {
			const to = Array.from({ length: count }, (_, index) => `097791234${index + 10}`);
			const body = { messages: [{ to, message: 'x', from: 'Shop' }] };
			return callSandbox(sandbox, { method: 'POST', path: '/rest/send/bulk', body });
		};

		test('takes a random time more for each message, the same for the same seed', async () => {
			const draw = async () => {
				sandbox.reset();
				sandbox.configure({ historyLagMs: 5000, historyLagJitterMs: 3000, randomSeed: 3 });
				for (let i = 0; i < 20; i += 1) await send(sandbox);
				return appearances();
			};
			const lags = await draw();
			expect(Math.min(...lags)).toBeGreaterThanOrEqual(5000);
			expect(Math.max(...lags)).toBeLessThan(8000);
			expect(Math.max(...lags) - Math.min(...lags)).toBeGreaterThan(1500);
			expect(await draw()).toEqual(lags);
			expect((await list(sandbox)).data.records).toBe(0);
			sandbox.advance(8000);
			expect((await list(sandbox)).data.records).toBe(20);
		});

		test('shows half the messages of a bulk request later, and other sends at once', async () => {
			sandbox.configure({ bulkLagMs: 10_000 });
			await sendBulk(5);
			await send(sandbox, { message: 'single' });
			expect((await list(sandbox)).data.records).toBe(4);
			sandbox.advance(9_000);
			expect((await list(sandbox)).data.records).toBe(4);
			sandbox.advance(1_000);
			expect((await list(sandbox)).data.records).toBe(6);
		});

		test('can hide scheduled messages until their time has come', async () => {
			const scheduledAt = '2099-12-31 10:00:00';
			await send(sandbox, { scheduledAt });
			expect((await list(sandbox)).data.records).toBe(1);
			sandbox.reset();
			sandbox.configure({ unlistedScheduled: true });
			await send(sandbox, { scheduledAt });
			await send(sandbox, { message: 'at once' });
			expect(await readTexts({})).toEqual(['at once']);
			sandbox.advance(Date.parse('2099-12-31T10:00:00+06:30') - Date.now() + 1000);
			expect((await list(sandbox)).data.records).toBe(2);
		});
	});

	test('can show another sender ID than the one asked for, and filters by what it shows', async () => {
		sandbox.configure({ historySender: 'INFO' });
		const { data } = await send(sandbox, { from: 'Shop' });
		expect(data.messages[0].from).toBe('Shop');
		const listed = await list(sandbox, { from: 'INFO' });
		expect(listed.data.messages.map(({ from }: { from: string }) => from)).toEqual(['INFO']);
		expect((await list(sandbox, { from: 'Shop' })).data.records).toBe(0);
	});

	test('codes are not messages', async () => {
		await requestCode(sandbox);
		expect((await list(sandbox)).data.records).toBe(0);
	});

	test('only the newest messages are kept', async () => {
		await send(sandbox);
		sandbox.configure({ maxMessagesKept: 1000 });
		sandbox.seedMessages(5000, (index) => ({ messageId: `seed-${index}` }));
		const { data } = await list(sandbox);
		expect(data.records).toBeLessThanOrEqual(1_100);
		expect(data.messages[0].message).toBe('Hello');
		expect(data.messages[1].message).toBe('Seeded message 5000');
		await expect(sandbox.setStatus('seed-0', 'Failed')).rejects.toThrow(/no message/);
	});

	test('the last of 50,000 messages is found', async () => {
		sandbox.seedMessages(50_000);
		const { data } = await list(sandbox, { limit: '1000', page: '50', from: 'Sandbox' });
		expect([data.records, data.messages.length]).toEqual([50_000, 1000]);
		expect(data.messages.at(-1).message).toBe('Seeded message 1');
	});
});
