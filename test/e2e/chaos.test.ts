import { startChaosSandbox, type ChaosSandbox } from '../../tools/chaos/chaosSandbox';
import { runChaos, type ChaosReport } from '../../tools/chaos/runChaos';
import { connectToSharedN8n } from './harness';

const count = 200;

describe('200 messages in a real n8n while 30 % of all requests fail', () => {
	let sandbox: ChaosSandbox;
	let reports: ChaosReport[];

	beforeAll(async () => {
		sandbox = await startChaosSandbox();
		const { api } = await connectToSharedN8n();
		reports = await runChaos(api, sandbox, count);
	});
	afterAll(async () => await sandbox?.close());

	test.each([
		['SMS Send', 0],
		['SMS Bulk Send', 1],
	])('%s brings each of them exactly once', (label, index) => {
		expect(reports[index]).toMatchObject({
			label,
			once: count,
			extra: 0,
			missing: 0,
			unreported: 0,
			status: 'success',
		});
	});

	test('HTTP Request with Retry On Fail does not, so the faults are faults', () => {
		expect(reports[2].extra).toBeGreaterThan(0);
	});
});
