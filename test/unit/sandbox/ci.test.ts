import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { httpClient } from '../../../scripts/http';
import { type Sandbox, startSandbox } from '../../../sandbox';
import { findFreePort } from '../../../scripts/n8n/freePort';
import { callSandbox, control, list, send } from '../../support/sandbox/callSandbox';
import { run, waitForOutput } from '../../support/sandbox/runSandbox';
import { useSandbox } from '../../support/workflow/useSandbox';
import { processorMs } from '../../support/unit/processorTime';

describe('the sandbox in CI', () => {
	const folder = mkdtempSync(join(tmpdir(), 'sandbox-ci-'));
	const sandbox = useSandbox({ methods: 'any' });
	afterAll(() => rmSync(folder, { recursive: true }));

	test('writes one line of JSON when it is ready, with --json', async () => {
		const started = run('--port', '0', '--json');
		const [line] = await waitForOutput(started, /^.*\n/);
		const ready = JSON.parse(line) as Record<string, unknown>;
		expect(ready).toEqual({
			url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
			baseUrl: `${String(ready.url)}/api`,
			inbox: `${String(ready.url)}/_sandbox`,
			...{ key: 'demo-key', secret: 'demo-secret', pid: started.process.pid },
		});
		const headers = { Authorization: `Bearer ${btoa('demo-key:demo-secret')}` };
		const url = `${String(ready.baseUrl)}/rest/account/get-balance`;
		expect((await httpClient.get(url, { headers })).status).toBe(201);
		started.process.kill();
		await started.ended;
		expect(started.output()).toBe(line);
	}, 60_000);

	test('starts with 300 ms of processor time, eight at once, each on a port of its own', async () => {
		const all: Sandbox[] = [];
		const startAll = async () => {
			const starts = Array.from({ length: 8 }, () => startSandbox({ pace: 0 }));
			all.push(...(await Promise.all(starts)));
		};
		expect((await processorMs(startAll)) / 8).toBeLessThan(300);
		expect(new Set(all.map(({ url }) => url)).size).toBe(8);
		await send(all[0]!);
		expect(all.map((one) => one.messages().length)).toEqual([1, 0, 0, 0, 0, 0, 0, 0]);
		await Promise.all(all.map((one) => one.close()));
	});

	describe('verifies requests', () => {
		const count = async (query: Record<string, string>) => {
			const text = new URLSearchParams(query).toString();
			const { data } = await control(sandbox, 'GET', `/requests/count?${text}`);
			const all = await control(sandbox, 'GET', `/requests?${text}`);
			expect(all.data).toHaveLength(data.count as number);
			return data.count as number;
		};

		test('by method, path, status, text and time, in any combination', async () => {
			await send(sandbox, { message: 'မင်္ဂလာပါ "quoted"' });
			await send(sandbox, { to: '12' });
			await list(sandbox, { message: 'quoted' });
			expect(await count({})).toBe(3);
			expect(await count({ method: 'post' })).toBe(2);
			expect(await count({ path: '/rest/send' })).toBe(2);
			expect(await count({ path: '/api/rest/*' })).toBe(3);
			expect(await count({ status: '201' })).toBe(2);
			expect(await count({ status: '422', path: '/rest/send' })).toBe(1);
			expect(await count({ text: 'မင်္ဂလာပါ "quoted"' })).toBe(1);
			expect(await count({ text: 'quoted' })).toBe(2);
			expect(await count({ until: String(Date.now() - 60_000) })).toBe(0);
			expect(await count({ from: new Date(Date.now() - 60_000).toISOString() })).toBe(3);
			expect(await count({ to: '09779123456', method: 'POST' })).toBe(1);
			expect(sandbox.requests({ status: '422' })).toHaveLength(1);
			expect(sandbox.countRequests({ method: 'GET' })).toBe(1);
		});

		test.each([
			['status=', 0, 200],
			['from=yesterday', undefined, 400],
			['from=2026-11-23T12:00:00', undefined, 400],
			['until=2026-11-23', undefined, 400],
			['from=2000-01-01T12:00:00Z', 0, 200],
			['from=2000-01-01T12:00%2B06:30', 0, 200],
			['metod=POST', undefined, 400],
		])('%s is %p, %p', async (query, length, status) => {
			const answer = await control(sandbox, 'GET', `/requests?${query}`);
			expect([answer.status, answer.data.length]).toEqual([status, length]);
		});
	});

	describe('with a seed file', () => {
		const write = (seed: unknown) => {
			const file = join(folder, 'seed.json');
			writeFileSync(file, typeof seed === 'string' ? seed : JSON.stringify(seed));
			return file;
		};
		const seed = {
			$schema: './seed.schema.json',
			balance: 77,
			numbers: { 959779000001: { statuses: ['Sent', 'Failed'] } },
			messages: [{ to: '959779123456', message: 'first' }, { message: 'second' }],
			faults: [{ match: { path: '/rest/account/*' }, effect: { status: 503 } }],
		};

		test('starts with what it says, and a reset comes back to it', async () => {
			const seeded = await startSandbox({ pace: 0, seedFile: write(seed) });
			const check = async () => {
				expect(seeded.balance().balance).toBe(77);
				expect(seeded.messages().map(({ message }) => message)).toEqual(['first', 'second']);
				expect((await list(seeded)).data.records).toBe(2);
				const path = '/rest/account/get-balance';
				expect((await callSandbox(seeded, { method: 'GET', path })).status).toBe(503);
			};
			await check();
			await send(seeded, { to: '09779000001' });
			seeded.advance(60_000);
			expect(seeded.messages().at(-1)!.status).toBe('Failed');
			seeded.reset();
			await check();
			await seeded.close();
		});

		test('is read by the command line', async () => {
			const started = run('--port', '0', '--json', '--seed', write(seed));
			const [line] = await waitForOutput(started, /^\{.+\n/);
			const { url } = JSON.parse(line) as { url: string };
			const api = httpClient.create({ baseURL: `${url}/_sandbox/api` });
			expect((await api.get('/messages')).data).toHaveLength(2);
			expect((await api.get('/balance')).data.balance).toBe(77);
			started.process.kill();
			await started.ended;
		}, 60_000);

		test.each([
			['{', /^The seed file \S+ cannot be used: .*JSON/],
			[{ balance: -1 }, /cannot be used: balance must be a number from 0, not -1\.$/],
			[{ mesages: [] }, /cannot be used: Unknown fields: mesages$/],
			[{ messages: [{}, { to: 5 }] }, /cannot be used: messages\[1\]\.to must be a text, not 5\.$/],
		])('that is wrong is named, with what is wrong: %j', async (wrong, words) => {
			await expect(startSandbox({ seedFile: write(wrong) })).rejects.toThrow(words);
		});

		test('that holds a message nobody could send ends the start, and leaves nothing open', async () => {
			const file = write({ messages: [{ message: 'first' }, { to: '12' }] });
			const port = String(await findFreePort());
			const dataFolder = join(folder, 'data');
			const started = run('--port', port, '--seed', file, '--json', '--data', dataFolder);
			expect(await started.ended).toBe(1);
			const why = 'Seeded message 2: To is not a valid mobile number.';
			expect(started.output()).toBe(`The seed file ${file} cannot be used: ${why}\n`);
			// In the same process, port and folder are free again.
			const options = { port: Number(port), dataFolder, pace: 0 };
			await expect(startSandbox({ ...options, seedFile: file })).rejects.toThrow(why);
			const next = await startSandbox(options);
			expect(next.messages()).toEqual([]);
			await next.close();
		}, 60_000);
	});
});
