import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Sandbox, startSandbox, type StartOptions } from '../../../sandbox';
import { list, sendBulk } from '../../support/sandbox/callSandbox';

/** What makes history poor evidence, all at once, and a kill in the middle of it. */
describe('a bulk request that is accepted late, listed later and in parts', () => {
	let folder: string;
	const open: Sandbox[] = [];
	const settings: StartOptions = {
		pace: 0,
		historyLagMs: 10_000,
		bulkLagMs: 20_000,
		historySender: 'Other',
		knownSenders: ['Shop'],
		shuffleBulk: true,
	};

	beforeEach(() => {
		folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
	});
	afterEach(async () => {
		await Promise.all(open.splice(0).map((sandbox) => sandbox.close()));
		rmSync(folder, { recursive: true });
	});

	const start = async (name: string) => {
		const sandbox = await startSandbox({ ...settings, dataFolder: join(folder, name) });
		open.push(sandbox);
		return sandbox;
	};
	/** As after a kill at this moment: everything that was answered is in the folder. */
	const restart = async (from: string, to: string) => {
		cpSync(join(folder, from), join(folder, to), { recursive: true });
		return await start(to);
	};
	const countListed = async (sandbox: Sandbox) => {
		const { data } = await list(sandbox, { from: 'Other' });
		return data.records as number;
	};

	test('is acted on once, and listed at the same times as if nothing had happened', async () => {
		const first = await start('first');
		first.addFault({ when: 'later', laterMs: 5_000, count: 1, effect: { status: 504 } });
		const to = ['09779123451', '09779123452', '09779123453', '09000000011'];
		const { status } = await sendBulk(first, [{ to, message: 'Hello', from: 'Shop' }]);
		expect(status).toBe(504);

		const second = await restart('first', 'second');
		second.advance(5_000);
		await second.settle();
		expect(second.messages().map(({ from }) => from)).toEqual(['Shop', 'Shop', 'Shop']);
		expect(second.balance().balance).toBe(1_000_000 - 3 * 20);
		expect(await countListed(second)).toBe(0);

		const third = await restart('second', 'third');
		third.advance(10_000);
		await third.settle();
		expect(await countListed(third)).toBe(2);

		const fourth = await restart('third', 'fourth');
		expect(await countListed(fourth)).toBe(2);
		fourth.advance(20_000);
		await fourth.settle();
		expect(await countListed(fourth)).toBe(3);
		expect(fourth.messages().map(({ status }) => status)).toEqual(Array(3).fill('Delivered'));
		expect(fourth.balance().balance).toBe(1_000_000 - 3 * 20);
	}, 30_000);
});
