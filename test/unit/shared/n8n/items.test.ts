import { ServiceError } from '../../../../nodes/shared/client/failure';
import { finishRun, ItemResults, runPerItem } from '../../../../nodes/shared/n8n/items';
import { nowhere, openContext } from '../../../support/workflow/openContext';

const items = [{ n: 0 }, { n: 1 }, { n: 2 }];
const goesOn = { onError: 'continueRegularOutput' } as const;
const failAt = (failing: number) => async (item: number) => {
	if (item === failing) throw new Error('broken');
};

describe('the memory of a run', () => {
	const finish = async (work: (item: number, results: ItemResults) => Promise<void>) => {
		let forgotten = 0;
		const context = openContext(nowhere, { items, settings: goesOn });
		const results = await runPerItem(context, { work });
		await finishRun(results, async () => ({ forgetRun: () => (forgotten += 1) }));
		return forgotten;
	};

	test('goes when n8n will not run the node again', async () => {
		expect(await finish(async () => undefined)).toBe(1);
	});

	test('stays after a failure, and when the first item of the output has an error', async () => {
		expect(await finish(failAt(2))).toBe(0);
		expect(await finish(async (n, all) => void all.add(n, { error: 'of the service' }))).toBe(0);
	});
});

test('no item is begun once the execution is stopped', async () => {
	const stop = new AbortController();
	let begun = 0;
	const work = async () => {
		begun += 1;
		stop.abort();
	};
	await runPerItem(openContext(nowhere, { items, signal: stop.signal }), { work });
	expect(begun).toBe(1);
});

test.each([
	['the one for good', 'rejected', 'item 3'],
	['that of the first item, where all may be gone at the next attempt', 'unavailable', 'item 2'],
] as const)('of several failures, %s is shown', (_, kind, shown) => {
	const results = new ItemResults(openContext(nowhere, { items }));
	results.fail(2, new ServiceError(kind, { status: 503 }));
	results.fail(1, new ServiceError('unavailable', { status: 503 }));
	expect(results.isStopped).toBe(kind === 'rejected');
	expect(() => results.finish()).toThrow(shown);
});
