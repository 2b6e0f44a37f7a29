import { contenders } from '../../tools/chaos/contenders';
import { runChaos, type ChaosReport, type Place } from '../../tools/chaos/runChaos';
import { scenarios } from '../../tools/chaos/scenarios';
import { connectToSharedN8n, startN8n } from '../../tools/harness';

/** Those that are quick; the others wait for a history that is late. */
const quick = [
	{ name: 'passing-faults', count: 200 },
	{ name: 'late-acceptance', count: 40 },
	{ name: 'kill', count: 200 },
];

async function runAll(place: Place, name: string, count: number): Promise<ChaosReport[]> {
	const scenario = scenarios.find((one) => one.name === name);
	if (!scenario) throw new Error(`There is no scenario ${name}.`);
	const run = async (index: number) => await runChaos(place, scenario, contenders[index], count);
	if (scenario.killedAfter === undefined) {
		return await Promise.all(contenders.map(async (_, index) => await run(index)));
	}
	// A kill is meant for one of them.
	return [await run(0), await run(1), await run(2)];
}

describe.each(quick)('chaos in a real n8n: $name, with $count messages', ({ name, count }) => {
	let reports: Record<string, ChaosReport>;

	beforeAll(async () => {
		const own = name === 'kill' ? await startN8n() : undefined;
		try {
			const all = await runAll(own ?? (await connectToSharedN8n()), name, count);
			reports = Object.fromEntries(all.map((report) => [report.label, report]));
		} finally {
			await own?.close();
		}
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

	test('HTTP Request with Retry On Fail does not, so what goes wrong does go wrong', () => {
		expect(reports['HTTP Request'].extra).toBeGreaterThan(0);
	});
});
