import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { httpClient } from '../../../scripts/http';
import { type Sandbox, startSandbox, type StartOptions } from '../../../sandbox';
import { callSandbox, requestCode, send } from '../../support/sandbox/callSandbox';
import { run, runThrough, waitForUrl } from '../../support/sandbox/runSandbox';
import { startReceiver } from '../../support/sandbox/startReceiver';

const onPosix = process.platform === 'win32' ? test.skip : test;
const byEmail = { to: 'a@example.com' };
const token = btoa('demo-key:demo-secret');
const config = { headers: { Authorization: `Bearer ${token}` } } as const;
const sendTo = async (url: string, message = 'x') => {
	const body = { to: '09779123456', message, from: 'Shop' };
	const { data } = await httpClient.post(`${url}/api/rest/send`, body, config);
	return data.messages[0].messageId as string;
};

describe('the data folder', () => {
	let folder: string;
	let dataFolder: string;
	const open: Sandbox[] = [];

	beforeEach(() => {
		folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
		dataFolder = join(folder, 'state', 'data');
	});
	afterEach(async () => {
		await Promise.all(open.splice(0).map((sandbox) => sandbox.close()));
		rmSync(folder, { recursive: true });
	});

	const start = async (options: StartOptions = {}) => {
		const sandbox = await startSandbox({ pace: 0, dataFolder, ...options });
		open.push(sandbox);
		return sandbox;
	};

	test('keeps messages, codes, balance and clock over a restart, and moves the messages on', async () => {
		const first = await start();
		await send(first);
		await requestCode(first, byEmail);
		first.advance(2_000);
		await send(first, { encrypt: 1 });
		const withoutRequests = (sandbox: Sandbox) =>
			sandbox.messages().map((message) => ({ ...message, requestNumber: 0 }));
		const kept = [withoutRequests(first), first.codes(), first.balance(), first.mark()];
		expect(kept[0]).toMatchObject([{ status: 'Sent' }, { status: 'Accepted' }]);
		await first.close();
		const second = await start();
		expect([...[withoutRequests(second), second.codes(), second.balance(), second.mark()]]).toEqual(
			kept,
		);
		await send(second);
		const [, before, after] = second.messages();
		expect(after!.createdAtMs).toBeGreaterThanOrEqual(before!.createdAtMs);
		second.advance(60_000);
		expect(second.messages().map(({ status }) => status)).toEqual(Array(3).fill('Delivered'));
	});

	test('keeps the outcome of a code', async () => {
		const first = await start();
		const { data } = await requestCode(first, byEmail);
		const { code } = first.codes()[0]!;
		const query = { requestId: String(data.requestId), code };
		await callSandbox(first, { method: 'POST', path: '/otp/verify', query });
		await first.close();
		expect((await start()).codes()[0]!.state).toBe('verified');
	});

	test.each(['reset', 'clear'] as const)('forgets what a %s forgot', async (control) => {
		const first = await start();
		await send(first);
		first.advance(60_000);
		first[control]();
		await requestCode(first, byEmail);
		await first.close();
		const second = await start();
		expect([second.messages(), second.codes().length]).toEqual([[], 1]);
		const spent = control === 'reset' ? 0 : 20;
		expect(second.balance().balance).toBe(1_000_000 - spent);
	});

	test('posts a receipt that was in flight when it ended', async () => {
		const receiver = await startReceiver();
		receiver.statuses.push(500);
		const first = await start({ receiptRetryMs: 60_000 });
		await send(first, { deliveryReceiptUrl: receiver.url });
		first.advance(60_000);
		while (receiver.calls.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
		await first.close();
		const second = await start();
		await second.settle();
		expect(receiver.calls.map(({ query }) => query.status)).toEqual(['Sent', 'Sent', 'Delivered']);
		await receiver.close();
	});

	test('has lost nothing with a response, whenever the sandbox is killed', async () => {
		for (let round = 1; round <= 5; round += 1) {
			const started = run('--port', '0', '--pace', '5', '--data', dataFolder);
			const url = await waitForUrl(started);
			const answered: string[] = [];
			const sendAll = async () => {
				for (;;) answered.push(await sendTo(url, `round ${round}`));
			};
			const sending = Promise.allSettled([sendAll(), sendAll(), sendAll(), sendAll()]);
			while (answered.length <= 20) await new Promise((resolve) => setTimeout(resolve, 5));
			await new Promise((resolve) => setTimeout(resolve, 100 * round));
			started.process.kill('SIGKILL');
			await sending;
			await started.ended;
			const again = await start();
			const ids = new Set(again.messages().map(({ messageId }) => messageId));
			expect(answered.length).toBeGreaterThan(20);
			expect(answered.filter((id) => !ids.has(id))).toEqual([]);
			expect(again.balance().balance).toBe(1_000_000 - 20 * ids.size);
			await again.close();
		}
	}, 60_000);

	test('keeps what the service has still to act on, and acts once', async () => {
		const first = await start();
		first.addFault({ when: 'later', laterMs: 60_000, count: 1, effect: { status: 504 } });
		expect((await send(first, { message: 'late' })).status).toBe(504);
		await first.close();
		const second = await start();
		expect(second.messages()).toEqual([]);
		second.advance(60_000);
		await second.settle();
		expect(second.messages()).toMatchObject([{ message: 'late' }]);
		await second.close();
		const third = await start();
		third.advance(60_000);
		await third.settle();
		expect(third.messages()).toHaveLength(1);
	});

	test('has seeds, which are older than what was sent before them, in order after a restart', async () => {
		const first = await start();
		await send(first, { message: 'sent' });
		first.seedMessages(2);
		const order = first.messages().map(({ message }) => message);
		expect(order).toEqual(['Seeded message 1', 'Seeded message 2', 'sent']);
		await first.close();
		expect((await start()).messages().map(({ message }) => message)).toEqual(order);
	});

	test('keeps no more messages than the sandbox, however long the log is', async () => {
		const first = await start({ maxMessagesKept: 1_000 });
		first.seedMessages(5_000);
		await first.close();
		expect((await start({ maxMessagesKept: 1_000 })).messages().length).toBeLessThan(1_200);
	});

	test('that cannot be used ends the start in a sentence', async () => {
		writeFileSync(join(folder, 'file'), '');
		await expect(start({ dataFolder: join(folder, 'file', 'data') })).rejects.toThrow(
			/^The data folder \S+ cannot be used: .*ENOTDIR/,
		);
	});

	describe('that another sandbox uses', () => {
		const words = /^The data folder \S+ is used by another sandbox\./;

		test('is rejected at once, and left as it is, by another process and by this one', async () => {
			const started = run('--port', '0', '--pace', '0', '--data', dataFolder);
			const url = await waitForUrl(started);
			const { port } = new URL(url);
			await expect(start()).rejects.toThrow(words);
			// Also where the port is taken, by the same sandbox for example.
			const second = run('--port', port, '--data', dataFolder);
			expect(await second.ended).toBe(1);
			expect(second.output()).toMatch(words);
			expect(second.output()).toContain(dataFolder);
			await sendTo(url);
			started.process.kill('SIGKILL');
			await started.ended;
			const third = await start();
			expect(third.messages()).toHaveLength(1);
			await expect(start()).rejects.toThrow(words);
			await send(third);
			await third.close();
			expect((await start()).messages()).toHaveLength(2);
		}, 60_000);

		test('is unchanged by one whose port is in use', async () => {
			const first = await start();
			await send(first);
			await first.close();
			const other = await startSandbox({ pace: 0 });
			const port = Number(new URL(other.url).port);
			await expect(start({ port })).rejects.toThrow(/EADDRINUSE/);
			await other.close();
			expect((await start()).messages()).toHaveLength(1);
		});

		test('never starts two at once, and loses nothing with a response, whichever is killed first', async () => {
			const answered: string[] = [];
			for (let round = 0; round < 8; round += 1) {
				const runs = [1, 2].map(() => run('--port', '0', '--data', dataFolder));
				const outcomes = await Promise.all(runs.map((one) => waitForUrl(one).catch(one.output)));
				const [url = '', why] = [...outcomes].sort((one) => (one.startsWith('http') ? -1 : 1));
				expect([url, why]).toEqual([expect.stringMatching(/^http/), expect.stringMatching(words)]);
				for (let sent = 0; sent < 4; sent += 1) answered.push(await sendTo(url));
				for (const one of round % 2 === 0 ? runs : [...runs].reverse()) one.process.kill('SIGKILL');
				await Promise.all(runs.map(({ ended }) => ended));
			}
			const again = await start();
			expect(again.messages().map(({ messageId }) => messageId)).toEqual(answered);
		}, 60_000);
	});

	/** A sandbox in a process of its own, with balance for every bulk request. */
	async function runForBulk() {
		const started = run('--port', '0', '--balance', '1000000000', '--data', dataFolder);
		const url = await waitForUrl(started);
		const postBulk = async (recipients: number) => {
			const to = Array.from({ length: recipients }, (_, index) => `0977${1_000_000 + index}`);
			const body = { messages: [{ to, message: 'x', from: 'Shop' }] };
			return await httpClient.post(`${url}/api/rest/send/bulk`, body, config);
		};
		return { started, postBulk };
	}

	test('has a bulk request as a whole or not at all, with its price, when the sandbox is killed', async () => {
		for (let round = 0; round < 3; round += 1) {
			const { started, postBulk } = await runForBulk();
			const sending = Promise.allSettled([1, 2, 3].map(() => postBulk(5_000)));
			await new Promise((resolve) => setTimeout(resolve, 100 + 60 * round));
			started.process.kill('SIGKILL');
			await sending;
			await started.ended;
			const again = await start({ balance: 1_000_000_000 });
			const { length } = again.messages();
			expect(length % 5_000).toBe(0);
			expect(again.balance().balance).toBe(1_000_000_000 - 20 * length);
			await again.close();
		}
	}, 60_000);

	test('has nothing of a bulk request that was killed while its messages were written', async () => {
		const { started, postBulk } = await runForBulk();
		const sending = postBulk(50_000).catch(() => 'killed');
		const written = () => statSync(join(dataFolder, 'sandbox.db-wal')).size;
		while (written() < 1_000_000) await new Promise((resolve) => setTimeout(resolve, 1));
		started.process.kill('SIGKILL');
		expect(await sending).toBe('killed');
		await started.ended;
		const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
		const database = new DatabaseSync(join(dataFolder, 'sandbox.db'));
		const [{ count } = {}] = database.prepare('SELECT count(*) AS count FROM message').all();
		database.close();
		expect(count).toBeGreaterThan(0);
		const again = await start({ balance: 1_000_000_000 });
		expect([again.messages(), again.balance().balance]).toEqual([[], 1_000_000_000]);
		await again.close();
		const third = await start();
		third.seedMessages(1);
		expect(third.messages()).toHaveLength(1);
	}, 60_000);

	const onLinux = process.platform === 'linux' ? test : test.skip;
	onLinux(
		'that is full: gets no response of success, and what gets 503 has done nothing',
		async () => {
			const limited = ['-c', 'trap "" XFSZ; exec "$@"', 'bash'];
			const started = runThrough(
				['bash', ...limited],
				...['--port', '0', '--pace', '0', '--data', dataFolder],
			);
			const url = await waitForUrl(started);
			const messages = Array.from({ length: 90 }, (_, index) => {
				return { to: '09779123456', from: 'Shop', message: `${index % 10}`.repeat(8_000) };
			});
			const service = httpClient.create({
				...{ ...config, baseURL: url, validateStatus: () => true },
			});
			const sendAll = async () => {
				const { status, data } = await service.post('/api/rest/send/bulk', { messages });
				return [status, data.message as string];
			};
			const params = { accessToken: token, to: 'a@example.com', brand: 'B', from: 'B' };
			const code = await service.get('/api/otp/request', { params });
			const first = await sendAll();
			const words = /^The data folder \S+ cannot be written: .+ Nothing is done until it can\.$/;
			const limit = (soft: string) =>
				execFileSync('prlimit', [
					`--fsize=${soft}:unlimited`,
					'--pid',
					String(started.process.pid),
				]);
			limit('0');
			expect([first[0], await sendAll()]).toEqual([201, [503, expect.stringMatching(words)]]);
			const api = '/_sandbox/api';
			const readAll = async () => {
				const paths = ['/messages', '/codes', '/mails', '/balance', '/faults', '/mark'];
				return await Promise.all(paths.map(async (path) => (await service.get(api + path)).data));
			};
			const before = await readAll();
			const [{ messageId }] = before[0] as [{ messageId: string }];
			const mail = { from: '', to: 'a@example.com', subject: '', text: 'x'.repeat(500_000) };
			for (const [path, body] of [
				['/clear', {}],
				['/reset', {}],
				['/balance/top-up', { amount: 5 }],
				[`/messages/${messageId}/status`, { status: 'Failed' }],
				[`/codes/${code.data.requestId}/expire`, {}],
				['/mails', mail],
				['/advance', { ms: 60_000 }],
				['/seed', { count: 3_000 }],
			] as const) {
				const { status, data } = await service.post(api + path, body);
				expect([path, status, data.message]).toEqual([path, 503, expect.stringMatching(words)]);
				expect([path, await readAll()]).toEqual([path, before]);
			}
			expect((await service.put(`${api}/settings`, { balance: 5 })).status).toBe(503);
			const to = Array.from({ length: 3_000 }, (_, index) => `0977${1_000_000 + index}`);
			const bulk = { messages: [{ to, message: 'x', from: 'Shop' }] };
			expect((await service.post('/api/rest/send/bulk', bulk)).status).toBe(503);
			expect(await readAll()).toEqual(before);
			const page = await service.get('/_sandbox');
			expect(page.data).toContain('cannot be written');
			limit('unlimited');
			expect((await sendAll())[0]).toBe(201);
			started.process.kill('SIGKILL');
			await started.ended;
			expect(started.output()).toMatch(/cannot be written: [^]+ is written again\.\n/);
			expect((await start()).messages()).toHaveLength((before[0] as object[]).length + 90);
		},
		60_000,
	);

	// Windows removes no file that is open.
	onPosix('that was removed responds 503 until the sandbox is restarted', async () => {
		const said = jest.spyOn(console, 'error').mockReturnValue();
		const first = await start();
		await send(first);
		rmSync(dataFolder, { recursive: true });
		const { status, data } = await send(first);
		expect([status, data.message]).toEqual([
			503,
			expect.stringContaining('it was removed. Restart the sandbox'),
		]);
		expect(first.messages()).toHaveLength(1);
		await first.close();
		said.mockRestore();
		expect((await start()).messages()).toEqual([]);
	});

	test.each([
		[
			'damaged',
			'it is damaged',
			() => writeFileSync(join(dataFolder, 'sandbox.db'), 'x'.repeat(9_000)),
		],
		[
			'of another version',
			'it is of another version',
			() => {
				const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
				const database = new DatabaseSync(join(dataFolder, 'sandbox.db'));
				database.exec('PRAGMA user_version=99');
				database.close();
			},
		],
	])('that is %s is named', async (_case, words, damage) => {
		await (await start()).close();
		damage();
		await expect(start()).rejects.toThrow(
			`The data folder ${dataFolder} cannot be read: ${words}. Delete it`,
		);
	});

	test('cannot be a file', async () => {
		writeFileSync(join(folder, 'file'), '');
		await expect(start({ dataFolder: join(folder, 'file') })).rejects.toThrow(
			/is a file\. --data takes a folder\.$/,
		);
	});
});
