import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { promisify } from 'node:util';
import { nodeBinary, projectFolder } from '../../../scripts/n8n/paths';
import { median, type Row } from '../measure';

const runFile = promisify(execFile);

const mostMs = 20;
const mostKilobytes = 100;

/** Loads every node and credential as n8n does, which has n8n-workflow in memory already. */
const loadAll = `
const { join } = require('node:path');
const folder = process.argv[1];
const { n8n } = require(join(folder, 'package.json'));
require(require.resolve('n8n-workflow', { paths: [folder] }));
const begin = performance.now();
for (const file of [...n8n.nodes, ...n8n.credentials]) {
	const [Class] = Object.values(require(join(folder, file)));
	new Class();
}
console.log(performance.now() - begin);
`;

async function timeLoading(): Promise<number> {
	const { stdout } = await runFile(nodeBinary, ['--eval', loadAll, projectFolder]);
	return Number(stdout);
}

/** What the package costs everybody who has installed it. */
export async function contestPackage(tarball: string, rounds: number): Promise<Row[]> {
	const times: number[] = [];
	for (let round = 0; round < rounds * 3; round += 1) times.push(await timeLoading());
	const ms = median(times);
	const kilobytes = statSync(tarball).size / 1000;
	return [
		{
			work: 'Loading all nodes and the credential',
			measured: `${ms.toFixed(1)} ms`,
			comparedTo: `${mostMs} ms`,
			ratio: ms / mostMs,
			reach: { atMost: 1 },
		},
		{
			work: 'Packed tarball',
			measured: `${kilobytes.toFixed(1)} kB`,
			comparedTo: `${mostKilobytes} kB`,
			ratio: kilobytes / mostKilobytes,
			reach: { atMost: 1 },
		},
	];
}
