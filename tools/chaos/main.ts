import { join } from 'node:path';
import { buildPackage, packPackage } from '../../scripts/n8n/packageInstall';
import { stateFolder } from '../../scripts/n8n/paths';
import { startN8n, type OwnN8n } from '../harness/n8n';
import { isExactlyOnce } from './account';
import { help, readChaosOptions } from './chaosOptions';
import { contenders } from './contenders';
import { runChaos, type ChaosReport } from './runChaos';
import type { Scenario } from './scenarios';
import { formatReports } from './table';

/** @returns whether our nodes have brought each message exactly once */
async function runScenario(n8n: OwnN8n, scenario: Scenario): Promise<boolean> {
	const { name, what, count } = scenario;
	console.log(`\n${name}: ${what}\n${count} messages for each node, Retry On Fail with 5 tries`);
	const reports: ChaosReport[] = [];
	try {
		for (const contender of contenders) {
			const report = await runChaos(n8n, scenario, contender);
			console.log(`  ${report.label} has ended after ${report.seconds.toFixed(0)} s`);
			reports.push(report);
		}
	} finally {
		if (reports.length > 0) console.log(`\n${formatReports(reports)}`);
	}
	return reports.every((report) => !report.isOurs || isExactlyOnce(report));
}

async function main(): Promise<void> {
	const scenarios = readChaosOptions(process.argv.slice(2));
	if (!scenarios) return console.log(help);
	console.log('Building and packing the package, starting n8n ...');
	await buildPackage();
	const tarball = await packPackage(join(stateFolder, 'chaos'));
	// What a large execution holds has to fit into one saved row, and into memory.
	const n8n = await startN8n({ tarball, env: { NODE_OPTIONS: '--max-old-space-size=6144' } });
	const failed: string[] = [];
	try {
		for (const scenario of scenarios) {
			if (!(await runScenario(n8n, scenario))) failed.push(scenario.name);
		}
	} finally {
		await n8n.close();
	}
	const isFine = failed.length === 0;
	console.log(
		isFine
			? '\nOur nodes have brought each message exactly once.'
			: `\nOur nodes have NOT brought each message exactly once: ${failed.join(', ')}.`,
	);
	process.exitCode = isFine ? 0 : 1;
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
