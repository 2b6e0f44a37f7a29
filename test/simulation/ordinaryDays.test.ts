import { play } from './play';
import { complete, plainRead, plainRetry, plainSend, plainStart } from './world';

const numbers = Array.from({ length: 50 }, (_, n) => String(959791000000 + n));

/** The service accepts some of a bulk request, then the credit ends; somebody adds balance, and retries. */
test.each(['sendAgain', 'report'])(
	'what credit was missing for is sent by the retry, with %s',
	async (whenOutcomeUnknown) => {
		const { attempts, stored } = await play(
			complete({
				node: 'SmsBulkSend',
				rows: numbers.map((to) => ({ to, numbers: [to], text: 'Hello' })),
				options: { whenOutcomeUnknown },
				sends: [{ ...plainSend, accepts: 'some', response: 402 }],
				executions: [{ ...plainStart, retries: [{ ...plainRetry, waitMs: 120_000 }] }],
			}),
		);
		const [first, retry] = attempts;
		expect(first.state).toBe('threw');
		expect(retry.items.filter(({ json }) => json.messageId)).toHaveLength(50);
		expect(new Set(stored.map(({ to }) => to)).size).toBe(50);
		expect(stored).toHaveLength(50);
	},
);

test('a lookup counts from its beginning, however slow the response is', async () => {
	const { attempts, stored } = await play(
		complete({
			rows: [{ to: numbers[0], numbers: [numbers[0]], text: 'Hello' }],
			sends: [{ ...plainSend, response: 'cut', listsAfterMs: 58_000 }],
			reads: [{ ...plainRead, latencyMs: 10_000, times: 100 }],
		}),
	);
	expect(attempts[0].items.map(({ json }) => json.messageId)).toEqual(['m-1']);
	expect(stored).toHaveLength(1);
});
