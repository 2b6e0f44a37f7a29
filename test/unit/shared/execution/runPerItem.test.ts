import { finishRun, runAndFinish, runPerItem } from '../../../../nodes/shared/execution/runPerItem';
import { openContext } from '../../../support/workflow/openContext';

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
