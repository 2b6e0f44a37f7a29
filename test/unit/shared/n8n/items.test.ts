import type { INode } from 'n8n-workflow';

import { ServiceError } from '../../../../nodes/shared/client/failure';
import {
	finishRun,
	ItemResults,
	openOnce,
	runAndFinish,
	runPerItem,
} from '../../../../nodes/shared/n8n/items';
import { InputError } from '../../../../nodes/shared/input/InputError';
import { nowhere, openContext } from '../../../support/workflow/openContext';

const items = [{ n: 0 }, { n: 1 }, { n: 2 }];
const goesOn = { onError: 'continueRegularOutput' } as const;
const failAt = (failing: number) => async (item: number) => {
	if (item === failing) throw new Error('broken');
};

describe('the loop over the items', () => {
	test('does one after the other', async () => {
		const seen: string[] = [];
		await runAndFinish(openContext(nowhere, { items }), {
			work: async (item) => {
				seen.push(`${item} begins`);
				await new Promise((resolve) => setImmediate(resolve));
				seen.push(`${item} ends`);
			},
		});
		expect(seen).toEqual(items.flatMap(({ n }) => [`${n} begins`, `${n} ends`]));
	});

	test('begins none once the execution is stopped', async () => {
		const stop = new AbortController();
		let begun = 0;
		await runPerItem(openContext(nowhere, { items, signal: stop.signal }), {
			work: async () => {
				begun += 1;
				stop.abort();
			},
		});
		expect(begun).toBe(1);
	});
});

describe('the memory of a run', () => {
	const finish = async (
		work: (item: number, report: { add(json: object): void }) => Promise<void>,
	) => {
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
		expect(await finish(async (_, report) => report.add({ error: 'of the service' }))).toBe(0);
	});
});

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

const open = (onError?: INode['onError'], outputs = 1) =>
	new ItemResults(
		openContext(nowhere, { items: Array.from({ length: 5 }, () => ({})), settings: { onError } }),
		outputs,
	);
const wrong = new InputError('to', 'To is empty', 'Fill it in.');
const passing = new ServiceError('unavailable', { status: 503 });

describe('the results of the items', () => {
	test('come out in the order of the input, paired, on the output they were put on', () => {
		const results = open(undefined, 2);
		results.add(1, { n: 1 }, 1);
		results.add(0, { n: 0 });
		results.add(1, { n: 2 });
		expect(results.finish()).toEqual([
			[
				{ json: { n: 0 }, pairedItem: { item: 0 } },
				{ json: { n: 2 }, pairedItem: { item: 1 } },
			],
			[{ json: { n: 1 }, pairedItem: { item: 1 } }],
		]);
	});

	test('stop at a failure for good, which is the one that is shown', () => {
		const results = open();
		results.fail(0, passing);
		expect(results.isStopped).toBe(false);
		results.fail(4, wrong);
		expect(results.isStopped).toBe(true);
		expect(() => results.finish()).toThrow('To is empty (item 5 of 5)');
	});

	test('show the failure of the first item where all may be gone at the next attempt', () => {
		const results = open();
		results.fail(2, passing);
		results.fail(1, passing);
		expect(() => results.finish()).toThrow('(item 2 of ');
	});

	test('mark a failure for the error output, with a mark that does not move with the item', () => {
		const results = open('continueErrorOutput', 2);
		results.fail(0, wrong);
		const [[item]] = results.finish();
		expect(item.error?.message).toBe('To is empty (item 1 of 5)');
		expect({ ...item }).toEqual({ json: expect.anything(), pairedItem: { item: 0 } });
	});

	test('leave it unmarked if it stays on its output, where n8n would read what it says', () => {
		const results = open('continueRegularOutput', 2);
		results.fail(0, wrong);
		expect(results.finish()[0][0].error).toBeUndefined();
	});
});
