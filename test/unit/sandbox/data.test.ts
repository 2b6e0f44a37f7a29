import { execFileSync } from 'node:child_process';
import {
	appendFileSync,
	cpSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	truncateSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axios from 'axios';
import { type Sandbox, startSandbox, type StartOptions } from '../../../sandbox';
import { until } from '../../../scripts/n8n/until';
import { callSandbox, send } from './callSandbox';
import { run, runThrough, waitForOutput } from './runSandbox';
import { startReceiver } from './startReceiver';

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
	const requestCode = (sandbox: Sandbox) => {
		const query = { to: 'a@example.com', brand: 'B', from: 'B' };
		return callSandbox(sandbox, { method: 'POST', path: '/otp/request', query });
	};

	test('keeps messages, codes, balance and clock over a restart, and moves the messages on', async () => {
		const first = await start();
		await send(first);
		await requestCode(first);
		first.advance(2_000);
		await send(first, { encrypt: 1 });
		const withoutRequests = (sandbox: Sandbox) =>
			sandbox.messages().map((message) => ({ ...message, requestNumber: 0 }));
		const kept = [withoutRequests(first), first.codes(), first.balance(), first.mark()];
		expect(kept[0]).toMatchObject([{ status: 'Sent' }, { status: 'Accepted' }]);
		await first.close();
		const second = await start();
		expect([second.messages(), second.codes(), second.balance(), second.mark()]).toEqual(kept);
		await send(second);
		const [, before, after] = second.messages();
		expect(after!.createdAtMs).toBeGreaterThanOrEqual(before!.createdAtMs);
		second.advance(60_000);
		expect(second.messages().map(({ status }) => status)).toEqual(Array(3).fill('Delivered'));
	});

	test('keeps what became of a code', async () => {
		const first = await start();
		const { data } = await requestCode(first);
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
		await requestCode(first);
		await first.close();
		const second = await start();
		expect([second.messages(), second.codes().length]).toEqual([[], 1]);
		const spent = control === 'reset' ? 0 : 20;
		expect(second.balance().balance).toBe(1_000_000 - spent);
	});

	test('posts a receipt that was under way when it ended', async () => {
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

	test('has lost nothing that was answered, whenever the sandbox is killed', async () => {
		for (let round = 1; round <= 3; round += 1) {
			const started = run('--port', '0', '--pace', '5', '--data', dataFolder);
			const [, url] = await waitForOutput(started, /Base URL +(\S+)\/api/);
			const headers = { Authorization: `Bearer ${btoa('demo-key:demo-secret')}` };
			const answered: string[] = [];
			const sendAll = async () => {
				const body = { to: '09779123456', message: `round ${round}`, from: 'Shop' };
				for (;;) {
					const { data } = await axios.post(`${url}/api/rest/send`, body, {
						headers,
						proxy: false,
					});
					answered.push(data.messages[0].messageId as string);
				}
			};
			const sending = Promise.allSettled([sendAll(), sendAll(), sendAll(), sendAll()]);
			while (answered.length <= 20) await new Promise((resolve) => setTimeout(resolve, 5));
			await new Promise((resolve) => setTimeout(resolve, 170 * round));
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

	test('holds one generation of files once it was copied', async () => {
		const first = await start();
		first.seedMessages(3000);
		await first.close();
		const second = await start();
		while (readdirSync(dataFolder).length !== 2) {
			await new Promise((resolve) => setTimeout(resolve, 10));
		}
		const names = readdirSync(dataFolder);
		expect(names.map((name) => name.slice(0, 6))).toEqual(['000002', '000002']);
		await second.close();
		expect((await start()).messages()).toHaveLength(3000);
	});

	test('keeps what the service has still to act on, and acts once', async () => {
		const first = await start();
		first.addFault({ when: 'later', laterMs: 60_000, count: 1, effect: { status: 504 } });
		expect((await send(first, { message: 'late' })).status).toBe(504);
		await first.close();
		const second = await start();
		expect(second.messages()).toEqual([]);
		second.advance(60_000);
		await second.settle();
		expect(second.messages()).toMatchObject([{ message: 'late', requestNumber: 0 }]);
		await second.close();
		const third = await start();
		third.advance(60_000);
		await third.settle();
		expect(third.messages()).toHaveLength(1);
	});

	describe('with a request that the service acts on later', () => {
		/** What a kill at this moment would leave, but for the last `bytesCut` bytes of the log. */
		const copyFolder = (name: string, bytesCut = 0) => {
			const copy = join(folder, name);
			cpSync(dataFolder, copy, { recursive: true });
			const log = join(
				copy,
				readdirSync(copy)
					.filter((one) => one.includes('log'))
					.at(-1)!,
			);
			truncateSync(log, statSync(log).size - bytesCut);
			return copy;
		};
		const countMessages = async (copy: string) => {
			const again = await start({ dataFolder: copy, receiptRetryMs: 1 });
			again.advance(60_000);
			await again.settle();
			const { length } = again.messages();
			await again.close();
			return length;
		};

		test('acts once, wherever the line of it was cut off', async () => {
			const first = await start();
			first.addFault({ when: 'later', laterMs: 60_000, count: 1, effect: { status: 504 } });
			await send(first);
			const readLog = () => readFileSync(join(dataFolder, '000001.log.jsonl'), 'utf8');
			const before = readLog().length;
			first.advance(60_000);
			await first.settle();
			await first.close();
			const added = readLog().slice(before);
			const breaks = Array.from(added.matchAll(/\n/g), ({ index }) => added.length - index);
			const cuts = breaks.flatMap((bytes) => [bytes, bytes - 1, bytes + 20]);
			expect(cuts.length).toBeGreaterThan(2);
			for (const [index, cut] of cuts.entries()) {
				expect([cut, await countMessages(copyFolder(`cut-${index}`, cut))]).toEqual([cut, 1]);
			}
		}, 30_000);

		test('acts once when it is killed while receipts of it are on their way', async () => {
			const receiver = await startReceiver({ isSilent: true });
			const first = await start();
			first.addFault({ when: 'later', laterMs: 60_000, count: 1, effect: { status: 504 } });
			await send(first, { to: '09000000019', deliveryReceiptUrl: receiver.url });
			first.advance(60_000);
			while (receiver.calls.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
			const copy = copyFolder('killed');
			await receiver.close();
			expect(await countMessages(copy)).toBe(1);
		}, 30_000);
	});

	test('has a long request in lines of a bearable length, and reads in all of them or none', async () => {
		const first = await start();
		const to = Array.from({ length: 100 }, (_, index) => `0977${1_000_000 + index}`);
		const messages = [{ to, message: 'x'.repeat(50_000), from: 'Shop' }];
		await callSandbox(first, { method: 'POST', path: '/rest/send/bulk', body: { messages } });
		const copy = join(folder, 'copy');
		cpSync(dataFolder, copy, { recursive: true });
		const log = join(copy, '000001.log.jsonl');
		const lines = readFileSync(log, 'utf8').split('\n');
		expect(lines.length).toBeGreaterThan(10);
		expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(300_000);
		const read = async () => {
			const again = await start({ dataFolder: copy });
			const found = [again.messages().length, again.balance().balance];
			await again.close();
			rmSync(copy, { recursive: true });
			cpSync(dataFolder, copy, { recursive: true });
			return found;
		};
		const parts = 327;
		expect(await read()).toEqual([100, 1_000_000 - 100 * 20 * parts]);
		for (const kept of [lines.length - 2, 5, 2]) {
			writeFileSync(log, `${lines.slice(0, kept).join('\n')}\n`);
			expect([kept, ...(await read())]).toEqual([kept, 0, 1_000_000]);
		}
	}, 30_000);

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

	test('that is removed is written anew, with all that was in it', async () => {
		const said = jest.spyOn(console, 'error').mockReturnValue();
		const first = await start();
		await send(first, { message: 'before' });
		rmSync(dataFolder, { recursive: true });
		expect((await send(first, { message: 'after' })).status).toBe(201);
		expect(said.mock.calls).toEqual([
			[expect.stringMatching(/was removed\. It is written anew\.$/)],
		]);
		said.mockRestore();
		while (!readdirSync(dataFolder).some((name) => /base\.jsonl$/.test(name))) {
			await new Promise((resolve) => setTimeout(resolve, 10));
		}
		await first.close();
		expect((await start()).messages()).toMatchObject([{ message: 'before' }, { message: 'after' }]);
	});

	const onLinux = process.platform === 'linux' ? test : test.skip;
	onLinux(
		'that is full: nothing is answered as done, and nothing is lost',
		async () => {
			const limited = ['-c', 'trap "" XFSZ; ulimit -S -f 1024; exec "$@"', 'bash'];
			const started = runThrough(
				['bash', ...limited],
				...['--port', '0', '--pace', '0', '--data', dataFolder],
			);
			const [, url] = await waitForOutput(started, /Base URL +(\S+)\/api/);
			const messages = Array.from({ length: 90 }, (_, index) => {
				return { to: '09779123456', from: 'Shop', message: `${index % 10}`.repeat(8_000) };
			});
			const sendAll = async () => {
				const headers = { Authorization: `Bearer ${btoa('demo-key:demo-secret')}` };
				const config = { headers, proxy: false, validateStatus: () => true } as const;
				const { status, data } = await axios.post(
					`${url}/api/rest/send/bulk`,
					{ messages },
					config,
				);
				return [status, data.message as string];
			};
			expect((await sendAll())[0]).toBe(201);
			const words = /^The data folder \S+ cannot be written: EFBIG: .+ until it can\.$/;
			expect(await sendAll()).toEqual([503, expect.stringMatching(words)]);
			expect(await sendAll()).toEqual([503, expect.stringMatching(words)]);
			const page = await axios.get(`${url}/_sandbox`, { proxy: false });
			expect(page.data).toContain('cannot be written: EFBIG');
			execFileSync('prlimit', ['--fsize=unlimited:', '--pid', String(started.process.pid)]);
			expect((await sendAll())[0]).toBe(201);
			started.process.kill('SIGKILL');
			await started.ended;
			expect(started.output()).toMatch(/cannot be written: [^]+ is written again\.\n/);
			// The one that was refused first had been acted on, as an answer that is no answer leaves open.
			expect((await start()).messages()).toHaveLength(3 * 90);
		},
		60_000,
	);

	onLinux('that cannot be copied says so, and is written all the same', async () => {
		const said = jest.spyOn(console, 'error').mockReturnValue();
		mkdirSync(dataFolder, { recursive: true });
		symlinkSync('/dev/full', join(dataFolder, '000001.base.jsonl.new'));
		const first = await start();
		await until(async () => said.mock.calls.length > 0 || undefined, {
			...{ what: 'the copy to fail', timeoutMs: 10_000, everyMs: 5 },
		});
		expect((await send(first)).status).toBe(201);
		expect(said.mock.calls).toEqual([
			[
				expect.stringMatching(
					/^The data folder \S+ cannot be copied: .*ENOSPC.+ it is tried again when it has grown\.$/,
				),
			],
		]);
		said.mockRestore();
		await first.close();
		expect((await start()).messages()).toHaveLength(1);
	});

	test('is read although its last line was cut off', async () => {
		const first = await start();
		await send(first);
		await first.close();
		const log = readdirSync(dataFolder).find((name) => name.includes('log'))!;
		appendFileSync(join(dataFolder, log), '{"message":{"messageId":"12');
		expect((await start()).messages()).toHaveLength(1);
	});

	test.each([
		['a line that is no JSON', (text: string) => text.replace('"balance"', '"bal')],
		['a line that is no entry', (text: string) => `${text}{"foo":1}\n`],
	])('with %s is named, with the line', async (_case, damage) => {
		const first = await start();
		await send(first);
		await first.close();
		const log = join(dataFolder, readdirSync(dataFolder).find((name) => name.includes('log'))!);
		writeFileSync(log, damage(readFileSync(log, 'utf8')));
		await expect(start()).rejects.toThrow(
			/^Line \d+ of the data file \S+\.log\.jsonl cannot be read\. Delete/,
		);
	});

	test('of the version before, with an entry in each line, is read', async () => {
		mkdirSync(dataFolder, { recursive: true });
		const lines = ['{"format":2}', '{"balance":123}', '{"clock":0}'];
		writeFileSync(join(dataFolder, '000001.log.jsonl'), `${lines.join('\n')}\n`);
		expect((await start()).balance().balance).toBe(123);
	});

	test('of another version of the sandbox is named', async () => {
		await (await start()).close();
		const log = join(dataFolder, readdirSync(dataFolder).find((name) => name.includes('log'))!);
		writeFileSync(log, '{"format":1}\n');
		await expect(start()).rejects.toThrow(
			/log\.jsonl is of another version of the sandbox\. Delete/,
		);
	});

	test('cannot be a file', async () => {
		writeFileSync(join(folder, 'file'), '');
		await expect(start({ dataFolder: join(folder, 'file') })).rejects.toThrow(
			/is a file\. --data takes a folder\.$/,
		);
	});
});
