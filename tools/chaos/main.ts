import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildPackage, packPackage } from '../../scripts/n8n/packageInstall';
import { stateFolder } from '../../scripts/n8n/paths';
import { startN8n } from '../../test/e2e/harness/n8n';
import { contenders } from './contenders';
import { isExactlyOnce, runChaos, type ChaosReport } from './runChaos';
import { formatReports } from './table';

const help = `Sends messages through a real n8n while up to 30 % of all requests fail, and counts what arrived.

  npm run chaos
  npm run chaos -- --count 1000    so many messages for each node (10000)
`;

function readCount(): number {
	const options = {
		count: { type: 'string', default: '10000' },
		help: { type: 'boolean', default: false },
	} as const;
	const { values } = parseArgs({ options });
	if (values.help) {
		console.log(help);
		process.exit(0);
	}
	const count = Number(values.count);
	if (Number.isInteger(count) && count > 0) return count;
	throw new Error(`--count must be a whole number from 1.\n\n${help}`);
}

async function main(): Promise<void> {
	const count = readCount();
	console.log('Building and packing the package, starting n8n ...');
	await buildPackage();
	const tarball = await packPackage(join(stateFolder, 'chaos'));
	// What a large execution holds has to fit into one saved row, and into memory.
	const n8n = await startN8n({ tarball, env: { NODE_OPTIONS: '--max-old-space-size=6144' } });
	const reports: ChaosReport[] = [];
	try {
		console.log(`${count} messages for each node, Retry On Fail with 5 tries`);
		for (const contender of contenders) {
			const report = await runChaos(n8n.api, contender, count);
			console.log(`  ${report.label} has ended after ${report.seconds.toFixed(0)} s`);
			reports.push(report);
		}
		const isFine = reports.every((report) => !report.isOurs || isExactlyOnce(report));
		console.log(isFine ? 'Each message exactly once.' : 'NOT each message exactly once.');
		process.exitCode = isFine ? 0 : 1;
	} finally {
		if (reports.length > 0) console.log(`\n${formatReports(reports)}`);
		await n8n.close();
	}
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
