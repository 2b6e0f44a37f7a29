import { writeFileSync } from 'node:fs';
import { findFreePort } from '../../../scripts/n8n/freePort';
import { useFolder, useSandbox, useStarts } from '../../support/sandbox/harness';
import { run, waitForJson } from '../../support/sandbox/runSandbox';

describe('a seeded message', () => {
	const sandbox = useSandbox();

	const seed = async (message: object) => {
		expect((await sandbox.control('POST', '/seed', { count: 1, message })).status).toBe(201);
		return (await sandbox.list()).data.messages[0] as Record<string, unknown>;
	};

	test('has the number, text and parts of the same message sent', async () => {
		const fields = { to: '09254123456', message: 'မင်္ဂလာပါ'.repeat(9), from: 'Shop' };
		const seeded = await seed(fields);
		const { data } = await sandbox.send(fields);
		const { messageId, createdAt, status, ...sent } = data.messages[0] as Record<string, unknown>;
		expect([messageId, createdAt, status]).toEqual(Array(3).fill(expect.any(String)));
		expect(seeded).toMatchObject(sent);
		expect(sandbox.messages()[0]).toMatchObject({ encoding: 'UCS-2', messageCount: 2 });
		expect((await sandbox.list({ to: '959254123456' })).data.records).toBe(2);
		expect((await sandbox.latestMessage({ to: '09254123456' }))!.to).toBe('959254123456');
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
		await sandbox.send();
		const newest = await seed({ message: 'old', createdAt: '2020-02-01 10:00:00' });
		expect(newest.message).toBe('Hello');
		const createdAtMs = Date.UTC(2020, 1, 1, 3, 30);
		const old = { message: 'old', createdAtMs, finishedAt: '2020-02-01 10:00:03' };
		expect(sandbox.messages()).toMatchObject([old, { message: 'Hello' }]);
	});

	test.each([
		[{ to: '12345' }, 'To is not a valid mobile number.'],
		[
			{ createdAt: 'yesterday' },
			'The format of Created At is invalid: it must be YYYY-MM-DD HH:MM:SS.',
		],
		[
			{ createdAt: '2026-01-02 00:00:00', scheduledAt: '2026-01-01 00:00:00' },
			'Scheduled At must be in the future.',
		],
	])('is rejected with %j', async (message, words) => {
		const { data } = await sandbox.control('POST', '/seed', { count: 2, message });
		expect(data).toMatchObject({ status: 400, message: `Seeded message 1: ${words}` });
		expect(() => sandbox.seedMessages(2, (index) => (index === 1 ? message : {}))).toThrow(
			`Seeded message 2: ${words}`,
		);
		expect(sandbox.messages()).toEqual([]);
	});
});

describe('a seed file', () => {
	const start = useStarts();
	const at = useFolder();
	const write = (seed: unknown) => {
		writeFileSync(at('seed.json'), typeof seed === 'string' ? seed : JSON.stringify(seed));
		return at('seed.json');
	};
	const dates = ['2026-03-01 00:00:00', '2025-01-01 00:00:00'];
	const seed = {
		...{ $schema: './seed.schema.json', balance: 77 },
		numbers: { 959779000001: { statuses: ['Sent', 'Failed'] } },
		messages: dates.map((createdAt) => ({ to: '+959779123456', createdAt })),
		faults: [{ match: { path: '/rest/account/*' }, effect: { status: 503 } }],
	};

	test('is what the sandbox starts with, and a reset comes back to it', async () => {
		const seeded = await start({ seedFile: write(seed) });
		const check = async () => {
			expect(seeded.balance().balance).toBe(77);
			const { messages } = (await seeded.list()).data;
			expect(messages).toMatchObject(
				dates.map((createdAt) => ({ createdAt, to: '959779123456', network: 'Telenor' })),
			);
			expect((await seeded.readBalance()).status).toBe(503);
		};
		await check();
		await seeded.send({ to: '09779000001' });
		seeded.advance(60_000);
		expect(seeded.messages().at(-1)!.status).toBe('Failed');
		seeded.reset();
		await check();
	});

	test('is read by the command line', async () => {
		const { url } = await waitForJson(run('--port', '0', '--json', '--seed', write(seed)));
		const read = async (path: string) => (await fetch(`${url}/_sandbox/api${path}`)).json();
		expect(await read('/messages')).toHaveLength(2);
		expect(await read('/balance')).toMatchObject({ balance: 77 });
	});

	test.each([
		['{', /^The seed file \S+ cannot be used: .*JSON/],
		[{ balance: -1 }, /cannot be used: balance must be a number from 0, not -1\.$/],
		[{ mesages: [] }, /cannot be used: Unknown fields: mesages$/],
		[{ messages: [{}, { to: 5 }] }, /cannot be used: messages\[1\]\.to must be a text, not 5\.$/],
	])('that is wrong is named, with what is wrong: %j', async (wrong, words) => {
		await expect(start({ seedFile: write(wrong) })).rejects.toThrow(words);
	});

	test('with a message nobody could send ends the start, and leaves nothing open', async () => {
		const seedFile = write({ messages: [{ message: 'first' }, { to: '12' }] });
		const options = { port: await findFreePort() };
		const started = run('--port', String(options.port), '--seed', seedFile, '--json');
		expect(await started.ended).toBe(1);
		const why = 'Seeded message 2: To is not a valid mobile number.';
		expect(started.output()).toBe(`The seed file ${seedFile} cannot be used: ${why}\n`);
		// In the same process, the port is free again.
		await expect(start({ ...options, seedFile })).rejects.toThrow(why);
		expect((await start(options)).messages()).toEqual([]);
	});
});
