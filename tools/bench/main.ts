import { join } from 'node:path';
import { buildPackage, packPackage } from '../../scripts/n8n/packageInstall';
import { stateFolder } from '../../scripts/n8n/paths';
import { startN8n } from '../harness';
import { help, readBenchOptions } from './benchOptions';
import { formatRows } from './measure';
import { runBench } from './runBench';
import { formatScaling, measureScaling } from './scaling/measureScaling';

/** With the time, to see what takes long. */
function report(progress: string): void {
	process.stderr.write(`${new Date().toTimeString().slice(0, 8)}  ${progress}\n`);
}

async function main(): Promise<void> {
	const options = readBenchOptions(process.argv.slice(2));
	if (!options) return void process.stdout.write(help);
	report('Building the package');
	await buildPackage();
	const tarball = await packPackage(join(stateFolder, 'bench'));
	if (options.only.includes('scaling')) {
		const measured = await measureScaling({ ...options, tarball, report });
		if (measured.length > 0) process.stdout.write(`${formatScaling(measured)}\n\n`);
	}
	if (options.only.every((part) => part === 'scaling')) return;
	report('Starting n8n');
	// A body with all items is accepted.
	const n8n = await startN8n({ tarball, env: { N8N_PAYLOAD_SIZE_MAX: '64', ...options.env } });
	try {
		const rows = await runBench({ ...options, api: n8n.api, report });
		process.stdout.write(`${formatRows(rows)}\n`);
	} finally {
		await n8n.close();
	}
}

main().catch((error: unknown) => {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	process.exitCode = 1;
});
