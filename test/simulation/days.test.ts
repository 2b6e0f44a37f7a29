import { play } from './play';
import { complete, plainStart } from './world';

const day = 24 * 60 * 60_000;
const numbers = Array.from({ length: 50 }, (_, n) => String(959791000000 + n));

/** What somebody sends each morning, to a list that n8n does not remember: it is restarted each night. */
test.each([12, 20])(
	'a daily list is sent each day with a Look Back of %d hours, and once if it is started twice',
	async (lookBackHours) => {
		const executions = [0, 1, 2].flatMap((process) =>
			[0, 120_000].map((lateMs) => ({ ...plainStart, atMs: process * day + lateMs, process })),
		);
		const { attempts, stored } = await play(
			complete({
				node: 'SmsBulkSend',
				rows: numbers.map((to) => ({ to, numbers: [to], text: 'Hello' })),
				options: { skipIfAlreadySent: true, lookBackHours },
				executions,
			}),
		);
		expect(stored).toHaveLength(150);
		const repeats = attempts.map(
			({ items }) => items.filter(({ json }) => json.alreadySent).length,
		);
		expect(repeats).toEqual([0, 50, 0, 50, 0, 50]);
	},
);
