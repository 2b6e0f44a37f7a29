import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox } from '../../../sandbox';
import { callSandbox, control, list, send } from '../../support/sandbox/callSandbox';
import { useSandbox } from '../../support/workflow/useSandbox';

describe('a seeded message', () => {
	const sandbox = useSandbox({ methods: 'any' });

	const seed = async (message: object) => {
		expect((await control(sandbox, 'POST', '/seed', { count: 1, message })).status).toBe(201);
		return (await list(sandbox)).data.messages[0] as Record<string, unknown>;
	};

	test('has the number, text and parts of the same message sent', async () => {
		const fields = { to: '09254123456', message: 'မင်္ဂလာပါ'.repeat(9), from: 'Shop' };
		const seeded = await seed(fields);
		const { data } = await send(sandbox, fields);
		const { messageId, createdAt, status, ...sent } = data.messages[0] as Record<string, unknown>;
		expect([messageId, createdAt, status]).toEqual(Array(3).fill(expect.any(String)));
		expect(seeded).toMatchObject(sent);
		expect(sandbox.messages()[0]).toMatchObject({ encoding: 'UCS-2', messageCount: 2 });
		const found = await list(sandbox, { to: '959254123456' });
		expect(found.data.records).toBe(2);
		const { data: latest } = await control(sandbox, 'GET', '/messages/latest?to=09254123456');
		expect(latest.to).toBe('959254123456');
	});

	test.each([
		['6591234567', '6591234567'],
		['+6591234567', '6591234567'],
		['+959254123456', '959254123456'],
	])('to %s goes to %s, in the form of records', async (to, shown) => {
		expect((await seed({ to })).to).toBe(shown);
	});

	test.each([
		['Pending', ['Accepted', 'Pending'], false],
		['Accepted', ['Accepted'], false],
		['Failed', ['Accepted', 'Failed'], true],
	])('is finished as %s only if that is final', async (status, statuses, isFinished) => {
		expect((await seed({ status })).finishedAt !== null).toBe(isFinished);
		expect(sandbox.messages()[0]!.statuses.map((one) => one.status)).toEqual(statuses);
	});

	test('is as old as it says, and in its place', async () => {
		await send(sandbox);
		expect((await seed({ message: 'old', createdAt: '2020-02-01 10:00:00' })).message).toBe(
			'Hello',
		);
		const [old, sent] = sandbox.messages();
		expect([old!.message, sent!.message]).toEqual(['old', 'Hello']);
		expect(old).toMatchObject({
			createdAtMs: Date.UTC(2020, 1, 1, 3, 30),
			finishedAt: '2020-02-01 10:00:03',
		});
	});

	test.each([
		[{ to: '12345' }, 'To is not a valid mobile number.'],
		[{ from: '' }, 'From cannot be blank.'],
		[{ message: '' }, 'Message cannot be blank.'],
		[{ clientReference: 'x'.repeat(51) }, 'Client Reference should contain at most 50 characters.'],
		[
			{ createdAt: 'yesterday' },
			'The format of Created At is invalid: it must be YYYY-MM-DD HH:MM:SS.',
		],
		[
			{ createdAt: '2026-01-02 00:00:00', scheduledAt: '2026-01-01 00:00:00' },
			'Scheduled At must be in the future.',
		],
	])('is rejected with %j', async (message, words) => {
		const { status, data } = await control(sandbox, 'POST', '/seed', { count: 2, message });
		expect([status, data.message]).toEqual([400, `Seeded message 1: ${words}`]);
		expect(() => sandbox.seedMessages(2, (index) => (index === 1 ? message : {}))).toThrow(
			`Seeded message 2: ${words}`,
		);
		expect(sandbox.messages().map(({ to }) => to)).toEqual([]);
	});

	test('of a seed file is one that could have been sent', async () => {
		const folder = mkdtempSync(join(tmpdir(), 'sandbox-seed-'));
		const seedFile = join(folder, 'seed.json');
		const dates = ['2026-03-01 00:00:00', '2025-01-01 00:00:00'];
		writeFileSync(
			seedFile,
			JSON.stringify({ messages: dates.map((createdAt) => ({ to: '+959779123456', createdAt })) }),
		);
		const seeded = await startSandbox({ pace: 0, seedFile });
		const { data } = await callSandbox(seeded, { method: 'GET', path: '/rest/messages' });
		expect(data.messages.map((one: { createdAt: string }) => one.createdAt)).toEqual(dates);
		expect(data.messages[0]).toMatchObject({ to: '959779123456', network: 'Telenor' });
		await seeded.close();
		rmSync(folder, { recursive: true });
	});
});
