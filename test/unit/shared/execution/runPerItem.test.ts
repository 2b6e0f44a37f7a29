import { finishRun, runAndFinish, runPerItem } from '../../../../nodes/shared/execution/runPerItem';
import { openContext, newExecution } from '../../../support/workflow/openContext';
import { openOnce } from '../../../../nodes/shared/execution/openOnce';
import { RunMemory } from '../../../../nodes/shared/execution/runMemory';

const service = { baseUrl: 'http://127.0.0.1:1/api', apiKey: 'key', apiSecret: 'secret' };

const items = [{ n: 0 }, { n: 1 }, { n: 2 }];
const goesOn = { onError: 'continueRegularOutput' } as const;
const failAt = (failing: number) => async (item: number) => {
	if (item === failing) throw new Error('broken');
};

describe('the loop over the items', () => {
	test('does one after the other', async () => {
		const seen: string[] = [];
		await runAndFinish(openContext(service, { items }), {
			work: async (item) => {
				seen.push(`${item} begins`);
				await new Promise((resolve) => setImmediate(resolve));
				seen.push(`${item} ends`);
			},
		});
		expect(seen).toEqual(items.flatMap(({ n }) => [`${n} begins`, `${n} ends`]));
	});

	test('begins none after a failure for good', async () => {
		let begun = 0;
		const results = await runPerItem(openContext(service, { items }), {
			work: async (item) => {
				begun += 1;
				await failAt(1)(item);
			},
		});
		expect(begun).toBe(2);
		expect(() => results.finish()).toThrow('broken (item 2 of 3)');
	});

	test('begins none once the execution is stopped', async () => {
		const stop = new AbortController();
		let begun = 0;
		await runPerItem(openContext(service, { items, signal: stop.signal }), {
			work: async () => {
				begun += 1;
				stop.abort();
			},
		});
		expect(begun).toBe(1);
	});

	test('puts what was thrown in the place of its item when the user chose to continue', async () => {
		const context = openContext(service, { items, settings: goesOn });
		const [output] = await runAndFinish(context, {
			work: async (item, report) => {
				await failAt(1)(item);
				report.add({ item });
			},
		});
		expect(output.map(({ json }) => json.item ?? json.error)).toEqual([
			0,
			'broken (item 2 of 3)',
			2,
		]);
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual(items.map(({ n }) => ({ item: n })));
	});
});

describe('the memory of a run', () => {
	const finish = async (
		work: (item: number, report: { add(json: object): void }) => Promise<void>,
	) => {
		let forgotten = 0;
		const context = openContext(service, { items, settings: goesOn });
		const results = await runPerItem(context, { work });
		await finishRun(results, async () => ({ forgetRun: () => (forgotten += 1) }));
		return forgotten;
	};

	test('goes when n8n will not run the node again', async () => {
		expect(await finish(async () => undefined)).toBe(1);
	});

	test('stays after a failure, and when the first item of the output has an error', async () => {
		expect(await finish(failAt(2))).toBe(0);
		expect(await finish(async (_, report) => report.add({ error: 'of the service' }))).toBe(0);
	});
});

describe('openOnce', () => {
	describe('openOnce', () => {
		test('opens at the first call only, also for those that come meanwhile', async () => {
			let opened = 0;
			const open = openOnce(async () => (opened += 1));
			expect(opened).toBe(0);
			expect(await Promise.all([open(), open()])).toEqual([1, 1]);
			expect(await open()).toBe(1);
		});

		test('fails everybody who needs it', async () => {
			const open = openOnce(async () => {
				throw new Error('no credential');
			});
			await expect(open()).rejects.toThrow('no credential');
			await expect(open()).rejects.toThrow('no credential');
		});
	});
});

describe('runMemory', () => {
	const service = { baseUrl: 'http://127.0.0.1:1/api', apiKey: 'key', apiSecret: 'secret' };

	describe('the memory of a run', () => {
		test('is there in the next attempt of the same run, under its own name', () => {
			const execution = newExecution();
			const open = (name: string, runIndex = 0) =>
				RunMemory.open<string>(openContext(service, { execution, runIndex }), name);
			open('codes').keep(3, 'kept');
			expect(open('codes').find(3)).toBe('kept');
			expect(open('codes').find(2)).toBeUndefined();
			expect(open('checks').find(3)).toBeUndefined();
			expect(open('codes', 1).find(3)).toBeUndefined();
		});

		test('forgets an item, and all of a run', () => {
			const execution = newExecution();
			const open = () => RunMemory.open<string>(openContext(service, { execution }), 'codes');
			open().keep(0, 'a');
			open().keep(1, 'b');
			open().forget(0);
			expect([open().find(0), open().find(1)]).toEqual([undefined, 'b']);
			open().forgetRun();
			expect(open().find(1)).toBeUndefined();
		});
	});
});
