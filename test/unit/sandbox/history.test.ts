import { numbers, useSandbox, useStarts } from '../../support/sandbox/harness';

const sandbox = useSandbox();
const start = useStarts();

type Messages = Array<{ message: string; messageId: string; from: string }>;
const textsOf = (messages: Array<{ message: string }>) => messages.map(({ message }) => message);
const readTexts = async (query: Record<string, string> = {}) =>
	textsOf((await sandbox.list(query)).data.messages as Messages);
const count = async (query = {}) => (await sandbox.list(query)).data.records as number;

describe('message history', () => {
	test('lists the newest first, with the time of delivery', async () => {
		await sandbox.send({ message: 'first' });
		await sandbox.send({ message: 'second' });
		const { data } = await sandbox.list();
		expect(textsOf(data.messages)).toEqual(['second', 'first']);
		expect(data.messages[0].finishedAt).toBeNull();
		sandbox.advance(10_000);
		const [delivered] = (await sandbox.list()).data.messages;
		expect(delivered).toMatchObject({ status: 'Delivered' });
		expect(delivered.finishedAt).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
	});

	test('is empty, with links to page 1, when nothing was sent', async () => {
		await sandbox.requestCode();
		const page = `${sandbox.baseUrl}/rest/messages/index?page=1`;
		const links = { self: page, first: page, last: page };
		const { data } = await sandbox.list();
		expect(data).toEqual({ messages: [], links, limit: 20, records: 0, start: 0 });
	});

	test.each([
		['limit', ['0', '10', '21', '1001', '-20', '20.0', 'all', '1e2']],
		['page', ['0', '-1', 'x', '1.5']],
		['to', ['09254123456', '+959254123456', '6591234567', '95abc']],
		...['filterByCreatedDateFrom', 'filterByCreatedDateTo'].map((name): [string, string[]] => {
			return [name, ['2026-2-1', '2026-02-30', '01-10-2026', '2026-10-02 00:00:00']];
		}),
	])('%s is rejected as %j', async (name, values) => {
		for (const value of values) {
			const { status, data } = await sandbox.list({ [name]: value });
			expect([value, status, data.status]).toEqual([value, 422, 422]);
		}
	});

	test('the last page has no next link; links have another path, without the filters', async () => {
		sandbox.seedMessages(152);
		const { data } = await sandbox.list({ page: '8', from: 'Sandbox' });
		const link = (page: number) => `${sandbox.baseUrl}/rest/messages/index?page=${page}`;
		expect(data.links).toEqual({ self: link(8), first: link(1), last: link(8) });
		const headers = { Authorization: `Bearer ${sandbox.token}` };
		const followed = await fetch(data.links.self as string, { headers });
		expect(await followed.json()).toMatchObject({ records: 152, start: 140 });
		expect((await sandbox.list({ page: '9' })).data.messages).toEqual([]);
	});

	test('links name the host by which the client came', async () => {
		const open = await start({ host: '0.0.0.0', allowedHosts: ['sandbox'] });
		const { port } = new URL(open.url);
		open.baseUrl = `http://127.0.0.1:${port}/api`;
		for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, 'sandbox:4010']) {
			const call = { method: 'GET', path: '/rest/messages', headers: { Host: host } };
			const { data } = await open.call(call);
			expect(data.links.self).toBe(`http://${host}/api/rest/messages/index?page=1`);
		}
		open.configure({ linksBaseUrl: 'https://sms.example.com/api' });
		const { data } = await open.list();
		expect(data.links.self).toBe('https://sms.example.com/api/rest/messages/index?page=1');
	});

	test('filters by sender ID, number and text', async () => {
		await sandbox.send({ message: 'Sale today', from: 'Shop' });
		await sandbox.send({ message: 'Sale tomorrow', from: 'shop' });
		await sandbox.send({ message: 'Hello', from: 'Shop', to: '09254123456' });
		expect(await readTexts({ from: 'Shop' })).toEqual(['Hello', 'Sale today']);
		expect(await readTexts({ to: '959254123456' })).toEqual(['Hello']);
		expect(await readTexts({ message: 'Sale' })).toEqual(['Sale tomorrow', 'Sale today']);
		expect(await readTexts({ message: 'Sale', from: 'shop' })).toEqual(['Sale tomorrow']);
	});

	test('filters by days in GMT+6:30, both inclusive', async () => {
		const days = ['2026-10-01 23:59:59', '2026-10-02 00:00:00', '2026-10-03 23:59:59'];
		sandbox.seedMessages(3, (index) => ({ message: days[index], createdAt: days[index] }));
		const between = { filterByCreatedDateFrom: '2026-10-02', filterByCreatedDateTo: '2026-10-03' };
		expect(await readTexts(between)).toEqual([days[2], days[1]]);
		expect(await readTexts({ filterByCreatedDateTo: '2026-10-01' })).toEqual([days[0]]);
	});

	test('can show half the messages of a bulk request later, and other sends at once', async () => {
		sandbox.configure({ bulkLagMs: 10_000 });
		await sandbox.sendBulk([{ to: numbers(5), message: 'x', from: 'Shop' }]);
		await sandbox.send({ message: 'single' });
		const counts = [await count()];
		for (const ms of [9_000, 1_000]) {
			sandbox.advance(ms);
			counts.push(await count());
		}
		expect(counts).toEqual([4, 4, 6]);
	});

	test('can hide scheduled messages until their time has come', async () => {
		const scheduledAt = '2099-12-31 10:00:00';
		await sandbox.send({ scheduledAt });
		expect(await count()).toBe(1);
		sandbox.reset();
		sandbox.configure({ unlistedScheduled: true });
		await sandbox.send({ scheduledAt });
		await sandbox.send({ message: 'at once' });
		expect(await readTexts()).toEqual(['at once']);
		sandbox.advance(Date.parse('2099-12-31T10:00:00+06:30') - Date.now() + 1000);
		expect(await count()).toBe(2);
	});

	test('can show another sender ID than the one asked for, and filters by what it shows', async () => {
		sandbox.configure({ historySender: 'INFO' });
		const { data } = await sandbox.send({ from: 'Shop' });
		expect(data.messages[0].from).toBe('Shop');
		const { messages } = (await sandbox.list({ from: 'INFO' })).data as { messages: Messages };
		expect(messages.map(({ from }) => from)).toEqual(['INFO']);
		expect(await count({ from: 'Shop' })).toBe(0);
	});

	test('only the newest messages are kept', async () => {
		await sandbox.send();
		sandbox.configure({ maxMessagesKept: 1000 });
		sandbox.seedMessages(5000, (index) => ({ messageId: `seed-${index}` }));
		expect(await count()).toBeLessThanOrEqual(1_100);
		expect((await readTexts()).slice(0, 2)).toEqual(['Hello', 'Seeded message 5000']);
		await expect(sandbox.setStatus('seed-0', 'Failed')).rejects.toThrow(/no message/);
	});

	test('the last of 50,000 messages is found', async () => {
		sandbox.seedMessages(50_000);
		const query = { limit: '1000', page: '50', from: 'Sandbox' };
		const texts = await readTexts(query);
		expect([await count(query), texts.length]).toEqual([50_000, 1000]);
		expect(texts.at(-1)).toBe('Seeded message 1');
	});
});

/** Messages go by their arrival; their time is only a filter. */
describe('after the clock was moved back', () => {
	const hour = 3_600_000;
	beforeEach(async () => {
		await sandbox.send({ message: 'first' });
		sandbox.advance(-hour);
		await sandbox.send({ message: 'second' });
	});

	test('what was sent last is the latest, and the first in history and inbox', async () => {
		expect((await sandbox.control('GET', '/messages/latest')).data.message).toBe('second');
		expect(textsOf(sandbox.messages())).toEqual(['first', 'second']);
		expect(textsOf(sandbox.messages({ newest: 1 }))).toEqual(['second']);
		sandbox.advance(2 * hour);
		expect(await readTexts()).toEqual(['second', 'first']);
		const shown = (await sandbox.readPage()).match(/>(first|second)</g);
		expect(shown).toEqual(['>second<', '>first<']);
	});

	test('the oldest are dropped first', async () => {
		sandbox.configure({ maxMessagesKept: 100 });
		await sandbox.sendBulk([{ to: numbers(250), message: 'third', from: 'Shop' }]);
		expect(new Set(textsOf(sandbox.messages()))).toEqual(new Set(['third']));
		expect(sandbox.messages().at(-1)!.to).toBe('959771000249');
	});
});
