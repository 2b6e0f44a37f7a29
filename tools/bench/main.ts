import { join } from 'node:path';
import { buildPackage, packPackage } from '../../scripts/n8n/packageInstall';
import { stateFolder } from '../../scripts/n8n/paths';
import { startN8n } from '../harness';
import { help, readBenchOptions, type BenchOptions } from './benchOptions';
import { runBench, type BenchResult } from './runBench';
import { formatLoad, loadSandbox } from './sandboxLoad';
import { formatScaling, measureScaling } from './scaling/measureScaling';
import { formatGrowth, formatRows } from './table';

/** Memory can be read, a body with all items is taken, and the bench has a node of its own. */
const env = {
	N8N_METRICS: 'true',
	N8N_PAYLOAD_SIZE_MAX: '64',
	N8N_CUSTOM_EXTENSIONS: join(__dirname, 'extension'),
};

/** With the time, to see what takes long. */
function report(progress: string): void {
	process.stderr.write(`${new Date().toTimeString().slice(0, 8)}  ${progress}\n`);
}

async function build(): Promise<string> {
	report('Building the package');
	await buildPackage();
	return await packPackage(join(stateFolder, 'bench'));
}

async function measure(options: BenchOptions, tarball: string): Promise<BenchResult> {
	report('Starting n8n');
	const n8n = await startN8n({ tarball, env: { ...env, ...options.env } });
	try {
		return await runBench({ ...options, api: n8n.api, tarball, own: n8n, report });
	} finally {
		await n8n.close();
	}
}

async function main(): Promise<void> {
	const options = readBenchOptions(process.argv.slice(2));
	if (!options) return void process.stdout.write(help);
	if (options.only.includes('sandbox')) {
		report('Loading the sandbox with 250,000 sends, which takes two minutes');
		process.stdout.write(`${formatLoad(await loadSandbox(250_000))}\n\n`);
		if (options.only.length === 1) return;
	}
	const tarball = await build();
	if (options.only.includes('scaling')) {
		const measured = await measureScaling({ ...options, tarball, report });
		if (measured.length > 0) process.stdout.write(`${formatScaling(measured)}\n\n`);
	}
	if (options.only.every((part) => part === 'sandbox' || part === 'scaling')) return;
	const { rows, growth } = await measure(options, tarball);
	if (options.json) return void process.stdout.write(`${JSON.stringify({ rows, growth })}\n`);
	const tables = [rows.length > 0 && formatRows(rows), growth.length > 0 && formatGrowth(growth)];
	process.stdout.write(`${tables.filter(Boolean).join('\n\n')}\n`);
}

main().catch((error: unknown) => {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	process.exitCode = 1;
});
