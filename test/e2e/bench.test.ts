import { formatRows } from '../../tools/bench/measure';
import { runBench } from '../../tools/bench/runBench';
import { connectToSharedN8n } from '../../tools/harness';

/** No time is judged here: what the bench is for is measured with `npm run bench` on a quiet machine. */
test('the bench runs small, with as many requests as the work needs', async () => {
	const { api } = await connectToSharedN8n();
	const only = ['bulk', 'send', 'history', 'receipts'] as const;
	const rows = await runBench({ api, items: 200, rounds: 1, only: [...only] });
	console.info(formatRows(rows));

	expect(rows.every(({ ratio }) => Number.isFinite(ratio) && ratio > 0)).toBe(true);
	const trafficOf = (start: string) => {
		const { requests, peakInFlight = 0 } = rows.find(({ work }) => work.startsWith(start)) ?? {};
		return { requests, isBounded: peakInFlight > 0 && peakInFlight <= 5 };
	};
	expect(trafficOf('SMS Bulk Send')).toEqual({ requests: 2, isBounded: true });
	expect(trafficOf('SMS Send, 5 parallel')).toEqual({ requests: 20, isBounded: true });
	expect(trafficOf('SMS History')).toEqual({ requests: 1, isBounded: true });
});
