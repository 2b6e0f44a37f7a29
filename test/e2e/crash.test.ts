import { contenders } from '../../tools/chaos/contenders';
import { runChaos, type ChaosReport, type Place } from '../../tools/chaos/runChaos';
import { scenarios, type Scenario } from '../../tools/chaos/scenarios';
import { connectToSharedN8n, startN8n } from '../../tools/harness';

/** Those that end in about two minutes, which is how long a request without an answer is in doubt. */
const quick = [
	{ name: 'passing-faults', count: 200 },
	{ name: 'late-acceptance', count: 40 },
	{ name: 'kill', count: 200 },
];

async function runTogether(scenario: Scenario, count: number): Promise<ChaosReport[]> {
	const { api } = await connectToSharedN8n();
	return await Promise.all(
		contenders.map(async (contender) => await runChaos({ api }, scenario, contender, count)),
	);
}

/** A kill is meant for one of them. */
async function runInTurn(place: Place, scenario: Scenario, count: number): Promise<ChaosReport[]> {
	const reports: ChaosReport[] = [];
	for (const contender of contenders) {
		reports.push(await runChaos(place, scenario, contender, count));
	}
	return reports;
}

async function run(name: string, count: number): Promise<Record<string, ChaosReport>> {
	const scenario = scenarios.find((one) => one.name === name);
	if (!scenario) throw new Error(`There is no scenario ${name}.`);
	const own = scenario.killedAfter === undefined ? undefined : await startN8n();
	try {
		const reports = own
			? await runInTurn(own, scenario, count)
			: await runTogether(scenario, count);
		return Object.fromEntries(reports.map((report) => [report.label, report]));
	} finally {
		await own?.close();
	}
}

describe('chaos in a real n8n', () => {
	let reports: Record<string, Record<string, ChaosReport>>;

	// All at the same time: nearly all of it is waiting.
	beforeAll(async () => {
		const all = quick.map(async ({ name, count }) => [name, await run(name, count)] as const);
		reports = Object.fromEntries(await Promise.all(all));
	}, 400_000);

	describe.each(quick)('$name', ({ name, count }) => {
		test.each(['SMS Send', 'SMS Bulk Send'])('%s brings each message exactly once', (label) => {
			expect(reports[name][label]).toMatchObject({
				once: count,
				extra: 0,
				missing: 0,
				unreported: 0,
				status: 'success',
			});
		});

		test('HTTP Request with Retry On Fail does not, so what goes wrong does go wrong', () => {
			expect(reports[name]['HTTP Request'].extra).toBeGreaterThan(0);
		});
	});
});
