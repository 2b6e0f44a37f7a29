import { execFileSync } from 'node:child_process';
import { cpSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { httpClient } from '../../../scripts/http';
import {
	numbers,
	onPosix,
	type TestedSandbox,
	sleep,
	useFolder,
	useReceiver,
	useStarts,
} from '../../support/sandbox/harness';
import { run, runThrough, stop, waitForUrl } from '../../support/sandbox/runSandbox';

const byEmail = { to: 'a@example.com' };
const token = btoa('demo-key:demo-secret');
const config = { headers: { Authorization: `Bearer ${token}` } } as const;
const bulkTo = (to: string[]) => ({ messages: [{ to, message: 'x', from: 'Shop' }] });
const sendTo = async (url: string, message = 'x') => {
	const body = { to: '09779123456', message, from: 'Shop' };
	const { data } = await httpClient.post(`${url}/api/rest/send`, body, config);
	return data.messages[0].messageId as string;
};
const textsOf = (sandbox: TestedSandbox) => sandbox.messages().map(({ message }) => message);
const idsOf = (sandbox: TestedSandbox) => sandbox.messages().map(({ messageId }) => messageId);

describe('the data folder', () => {
	const receiver = useReceiver();
	const open = useStarts();
	const at = useFolder();
	const dataFolder = () => at('state', 'data');
	const start = (options = {}) => open({ dataFolder: dataFolder(), ...options });
	const runHere = (...options: string[]) => run('--port', '0', '--data', dataFolder(), ...options);
	const openDatabase = () => {
		const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
		return new DatabaseSync(at('state', 'data', 'sandbox.db'));
	};

	test('keeps messages, codes, balance and clock over a restart, and moves the messages on', async () => {
		const first = await start();
		await first.send();
		await first.requestCode(byEmail);
		const { requestId, code } = first.codes()[0]!;
		await first.verifyCode({ requestId: String(requestId), code });
		first.advance(2_000);
		await first.send({ encrypt: 1 });
		const read = (sandbox: TestedSandbox) => {
			const messages = sandbox.messages().map((message) => ({ ...message, requestNumber: 0 }));
			return [messages, sandbox.codes(), sandbox.balance(), sandbox.mark()];
		};
		const kept = read(first);
		const codes = [{ state: 'verified' }];
		expect(kept).toMatchObject([[{ status: 'Sent' }, { status: 'Accepted' }], codes, {}, 4]);
		await first.close();
		const second = await start();
		expect(read(second)).toEqual(kept);
		await second.send();
		const [, before, after] = second.messages();
		expect(after!.createdAtMs).toBeGreaterThanOrEqual(before!.createdAtMs);
		second.advance(60_000);
		expect(second.messages().map(({ status }) => status)).toEqual(Array(3).fill('Delivered'));
	});

	test.each(['reset', 'clear'] as const)('forgets what a %s forgot', async (control) => {
		const first = await start();
		await first.send();
		first.advance(60_000);
		first[control]();
		await first.requestCode(byEmail);
		await first.close();
		const second = await start();
		expect([second.messages(), second.codes().length]).toEqual([[], 1]);
		const spent = control === 'reset' ? 0 : 20;
		expect(second.balance().balance).toBe(1_000_000 - spent);
	});

	test('posts a receipt that was in flight when it ended', async () => {
		receiver.statuses.push(500);
		const first = await start({ receiptRetryMs: 60_000 });
		await first.send({ deliveryReceiptUrl: receiver.url });
		first.advance(60_000);
		while (receiver.calls.length === 0) await sleep(5);
		await first.close();
		await (await start()).settle();
		expect(receiver.calls.map(({ query }) => query.status)).toEqual(['Sent', 'Sent', 'Delivered']);
	});

	/** What makes history poor evidence, all at once, and a kill in the middle of it. */
	test('keeps what the service has still to act on and to list, and acts once', async () => {
		const settings = { historyLagMs: 10_000, bulkLagMs: 20_000, historySender: 'Other' };
		const others = { knownSenders: ['Shop'], shuffleBulk: true };
		/** As after a kill at this moment: everything that got a response is in the folder. */
		const restart = (from: string, to: string) => {
			cpSync(at(from), at(to), { recursive: true });
			return open({ ...settings, ...others, dataFolder: at(to) });
		};
		const listed = async (sandbox: TestedSandbox) =>
			(await sandbox.list({ from: 'Other' })).data.records as number;
		const first = await open({ ...settings, ...others, dataFolder: at('first') });
		first.addFault({ when: 'later', laterMs: 5_000, count: 1, effect: { status: 504 } });
		const to = ['09779123451', '09779123452', '09779123453', '09000000011'];
		const { status } = await first.sendBulk(bulkTo(to).messages);
		expect(status).toBe(504);

		const second = await restart('first', 'second');
		expect(second.messages()).toEqual([]);
		await second.pass(5_000);
		expect([textsOf(second), await listed(second)]).toEqual([['x', 'x', 'x'], 0]);

		const third = await restart('second', 'third');
		await third.pass(10_000);
		expect(await listed(third)).toBe(2);

		const fourth = await restart('third', 'fourth');
		expect(await listed(fourth)).toBe(2);
		await fourth.pass(20_000);
		expect(await listed(fourth)).toBe(3);
		expect(fourth.messages().map((one) => one.status)).toEqual(Array(3).fill('Delivered'));
		expect(fourth.balance().balance).toBe(1_000_000 - 3 * 20);
	});

	test('has all in order after a restart: seeds, which are older, and what came after the clock was moved back', async () => {
		const first = await start();
		await first.send({ message: 'sent' });
		first.seedMessages(2);
		first.advance(-3_600_000);
		await first.close();
		const second = await start();
		await second.send({ message: 'later' });
		expect(textsOf(second)).toEqual(['Seeded message 1', 'Seeded message 2', 'sent', 'later']);
	});

	test('has lost nothing with a response, whenever the sandbox is killed', async () => {
		for (let round = 1; round <= 5; round += 1) {
			const started = runHere('--pace', '5');
			const url = await waitForUrl(started);
			const answered: string[] = [];
			const sendAll = async () => {
				for (;;) answered.push(await sendTo(url, `round ${round}`));
			};
			const sending = Promise.allSettled([sendAll(), sendAll(), sendAll(), sendAll()]);
			while (answered.length <= 20) await sleep(5);
			await sleep(100 * round);
			await stop(started, 'SIGKILL');
			await sending;
			const again = await start();
			const ids = new Set(idsOf(again));
			expect(answered.filter((id) => !ids.has(id))).toEqual([]);
			expect(again.balance().balance).toBe(1_000_000 - 20 * ids.size);
			await again.close();
		}
	});

	describe('that another sandbox uses', () => {
		const words = /^The data folder \S+ is used by another sandbox\./;

		test('is rejected at once, and left as it is, by another process and by this one', async () => {
			const started = runHere('--pace', '0');
			const url = await waitForUrl(started);
			await expect(start()).rejects.toThrow(words);
			// Also where the port is taken, by the same sandbox for example.
			const second = runHere('--port', new URL(url).port);
			expect(await second.ended).toBe(1);
			expect(second.output()).toMatch(words);
			expect(second.output()).toContain(dataFolder());
			await sendTo(url);
			await stop(started, 'SIGKILL');
			const third = await start();
			expect(third.messages()).toHaveLength(1);
			await expect(start()).rejects.toThrow(words);
			await third.send();
			await third.close();
			expect((await start()).messages()).toHaveLength(2);
		});

		test('is unchanged by one whose port is in use', async () => {
			const first = await start();
			await first.send();
			await first.close();
			const other = await open();
			const port = Number(new URL(other.url).port);
			await expect(start({ port })).rejects.toThrow(/EADDRINUSE/);
			expect((await start()).messages()).toHaveLength(1);
		});

		test('never starts two at once, and loses nothing with a response, whichever is killed first', async () => {
			const answered: string[] = [];
			for (let round = 0; round < 8; round += 1) {
				const runs = [runHere(), runHere()];
				const outcomes = await Promise.all(runs.map((one) => waitForUrl(one).catch(one.output)));
				const [url = '', why] = [...outcomes].sort((one) => (one.startsWith('http') ? -1 : 1));
				expect([url, why]).toEqual([expect.stringMatching(/^http/), expect.stringMatching(words)]);
				for (let sent = 0; sent < 4; sent += 1) answered.push(await sendTo(url));
				for (const one of round % 2 === 0 ? runs : [...runs].reverse()) one.process.kill('SIGKILL');
				await Promise.all(runs.map(({ ended }) => ended));
			}
			expect(idsOf(await start())).toEqual(answered);
		});
	});

	test('has nothing of a bulk request that was killed while its messages were written', async () => {
		const balance = 1_000_000_000;
		const started = runHere('--balance', String(balance));
		const sending = httpClient
			.post(`${await waitForUrl(started)}/api/rest/send/bulk`, bulkTo(numbers(50_000)), config)
			.catch(() => 'killed');
		const written = () => statSync(at('state', 'data', 'sandbox.db-wal')).size;
		while (written() < 1_000_000) await sleep(1);
		await stop(started, 'SIGKILL');
		expect(await sending).toBe('killed');
		const database = openDatabase();
		const [{ count } = {}] = database.prepare('SELECT count(*) AS count FROM message').all();
		database.close();
		expect(count).toBeGreaterThan(0);
		const again = await start({ balance });
		expect([again.messages(), again.balance().balance]).toEqual([[], balance]);
		await again.close();
		const third = await start();
		third.seedMessages(1);
		expect(third.messages()).toHaveLength(1);
	});

	const onLinux = process.platform === 'linux' ? test : test.skip;
	onLinux('that is full: what gets 503 has done nothing', async () => {
		const limited = ['bash', '-c', 'trap "" XFSZ; exec "$@"', 'bash'];
		const started = runThrough(limited, '--port', '0', '--pace', '0', '--data', dataFolder());
		const service = httpClient.create({
			...{ ...config, baseURL: await waitForUrl(started), validateStatus: () => true },
		});
		const limit = (soft: string) => {
			const pid = String(started.process.pid);
			execFileSync('prlimit', [`--fsize=${soft}:unlimited`, '--pid', pid]);
		};
		const messages = Array.from({ length: 90 }, (_, index) => {
			return { to: '09779123456', from: 'Shop', message: `${index % 10}`.repeat(8_000) };
		});
		const sendAll = async () => {
			const { status, data } = await service.post('/api/rest/send/bulk', { messages });
			return [status, data.message as string];
		};
		const params = { accessToken: token, to: 'a@example.com', brand: 'B', from: 'B' };
		const code = await service.get('/api/otp/request', { params });
		const [first] = await sendAll();
		const words = /^The data folder \S+ cannot be written: .+ Nothing is done until it can\.$/;
		limit('0');
		expect([first, await sendAll()]).toEqual([201, [503, expect.stringMatching(words)]]);
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
		const large = await service.post('/api/rest/send/bulk', bulkTo(numbers(3_000)));
		expect([large.status, await readAll()]).toEqual([503, before]);
		expect((await service.get('/_sandbox')).data).toContain('cannot be written');
		limit('unlimited');
		expect((await sendAll())[0]).toBe(201);
		await stop(started, 'SIGKILL');
		expect(started.output()).toMatch(/cannot be written: [^]+ is written again\.\n/);
		expect((await start()).messages()).toHaveLength((before[0] as object[]).length + 90);
	});

	// Windows removes no file that is open.
	onPosix('that was removed responds 503 until the sandbox is restarted', async () => {
		const said = jest.spyOn(console, 'error').mockReturnValue();
		const first = await start();
		await first.send();
		rmSync(dataFolder(), { recursive: true });
		const { status, data } = await first.send();
		expect(status).toBe(503);
		expect(data.message).toContain('it was removed. Restart the sandbox');
		expect(first.messages()).toHaveLength(1);
		await first.close();
		said.mockRestore();
		expect((await start()).messages()).toEqual([]);
	});

	test.each<[string, () => void, string]>([
		[
			'damaged',
			() => writeFileSync(at('state', 'data', 'sandbox.db'), 'x'.repeat(9_000)),
			'it is damaged',
		],
		[
			'of another version',
			() => {
				const database = openDatabase();
				database.exec('PRAGMA user_version=99');
				database.close();
			},
			'it is of another version',
		],
	])('that is %s is named', async (_case, damage, words) => {
		await (await start()).close();
		damage();
		await expect(start()).rejects.toThrow(
			`The data folder ${dataFolder()} cannot be read: ${words}. Delete it`,
		);
	});

	test('that cannot be one ends the start in a sentence', async () => {
		writeFileSync(at('file'), '');
		await expect(start({ dataFolder: at('file') })).rejects.toThrow(
			/is a file\. --data takes a folder\.$/,
		);
		await expect(start({ dataFolder: at('file', 'data') })).rejects.toThrow(
			/^The data folder \S+ cannot be used: .*ENOTDIR/,
		);
	});
});
