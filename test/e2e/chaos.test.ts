import { contenders } from '../../tools/chaos/contenders';
import { runChaos, type ChaosReport } from '../../tools/chaos/runChaos';
import { connectToSharedN8n } from './harness';

const count = 200;

describe('200 messages in a real n8n while 30 % of all requests fail', () => {
	let reports: Record<string, ChaosReport>;

	beforeAll(async () => {
		const { api } = await connectToSharedN8n();
		const all = await Promise.all(
			contenders.map(async (contender) => await runChaos(api, contender, count)),
		);
		reports = Object.fromEntries(all.map((report) => [report.label, report]));
	}, 240_000);

	test.each(['SMS Send', 'SMS Bulk Send'])('%s brings each of them exactly once', (label) => {
		expect(reports[label]).toMatchObject({
			once: count,
			extra: 0,
			missing: 0,
			unreported: 0,
			status: 'success',
		});
	});

	test('HTTP Request with Retry On Fail does not, so the faults are faults', () => {
		expect(reports['HTTP Request'].extra).toBeGreaterThan(0);
	});
});
