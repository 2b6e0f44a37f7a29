import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const projectFolder = resolve(__dirname, '../..');
export const stateFolder = join(projectFolder, '.state');
export const logFolder = join(stateFolder, 'logs');

/** The n8n of the tests that run with another line of n8n than the default (see project.mjs). */
export const hostFolder = join(projectFolder, process.env.E2E_N8N_HOST_FOLDER ?? 'n8n-host');
export const n8nProgram = join(hostFolder, 'node_modules/n8n/bin/n8n');

/** Whether that n8n is of line 1. */
export function isN8n1(): boolean {
	const { dependencies } = JSON.parse(readFileSync(join(hostFolder, 'package.json'), 'utf8')) as {
		dependencies: { n8n: string };
	};
	return dependencies.n8n.startsWith('1.');
}

/** The project's own Node 24 (the npm package `node`), which n8n needs. */
export const nodeBinary = join(
	projectFolder,
	'node_modules/node/bin',
	process.platform === 'win32' ? 'node.exe' : 'node',
);
