import { join, resolve } from 'node:path';

export const projectFolder = resolve(__dirname, '../..');
export const stateFolder = join(projectFolder, '.state');
export const logFolder = join(stateFolder, 'logs');
export const n8nProgram = join(projectFolder, 'n8n-host/node_modules/n8n/bin/n8n');

/** The project's own Node 24 (the npm package `node`), which n8n needs. */
export const nodeBinary = join(
	projectFolder,
	'node_modules/node/bin',
	process.platform === 'win32' ? 'node.exe' : 'node',
);
