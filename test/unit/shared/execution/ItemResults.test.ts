import type { INode } from 'n8n-workflow';

import { ServiceError } from '../../../../nodes/shared/client/ServiceError';
import { ItemResults } from '../../../../nodes/shared/execution/ItemResults';
import { InputError } from '../../../../nodes/shared/validation/InputError';
import { openContext } from '../../../support/workflow/openContext';

const service = { baseUrl: 'http://127.0.0.1:1/api', apiKey: 'key', apiSecret: 'secret' };

const items = Array.from({ length: 5 }, () => ({}));

const open = (onError?: INode['onError'], outputs = 1) =>
	new ItemResults(openContext(service, { items, settings: { onError } }), outputs);
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

	test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'hold a failure as an item on the first output, with On Error %s',
		(onError) => {
			const results = open(onError, 2);
			results.fail(0, wrong);
			expect([results.isStopped, results.failedItems]).toEqual([false, 1]);
			const [first, second] = results.finish();
			expect(second).toEqual([]);
			expect(Object.keys(first[0].json)).toEqual(['error', 'details']);
		},
	);

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
