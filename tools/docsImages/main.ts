import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startSandbox } from '../../sandbox';
import { connectToN8n } from '../harness/N8nApi';
import { startN8nProcess } from '../../scripts/n8n/n8nProcess';
import { buildPackage, installPackage, packPackage } from '../../scripts/n8n/packageInstall';
import { logFolder, projectFolder, stateFolder } from '../../scripts/n8n/paths';
import { openStage } from './openStage';
import { playAll } from './scenes';

const owner = { email: 'owner@example.com', password: 'Docs-images-1' };
/** Those of `npm start`, since the pictures show them: stop it first. */
const n8nPort = 5678;
const sandboxPort = 4010;
const pictureFolder = join(projectFolder, 'docs/images');

/** n8n with the package as users install it, and nothing of an earlier run. */
async function startFreshN8n(userFolder: string) {
	console.log('Building the package and starting n8n ...');
	await buildPackage();
	await installPackage(await packPackage(join(stateFolder, 'docsImages')), userFolder);
	const logFile = join(logFolder, 'docsImages.log');
	return await startN8nProcess({ userFolder, port: n8nPort, logFile });
}

async function takePictures(url: string): Promise<void> {
	const api = await connectToN8n(url, owner);
	const sandbox = await startSandbox({ pace: 300, port: sandboxPort });
	const stage = await openStage({ api, owner, sandbox, pictureFolder });
	try {
		await playAll(stage);
		for (const { file, size } of stage.camera?.taken ?? []) {
			console.log(`${String(Math.ceil(size / 1024)).padStart(4)} kB  docs/images/${file}`);
		}
	} finally {
		await stage.close();
		await sandbox.close();
	}
}

/** Takes the pictures of the README again: `npm run docs:images`. */
async function main(): Promise<void> {
	const userFolder = mkdtempSync(join(tmpdir(), 'n8n-docs-'));
	const n8n = await startFreshN8n(userFolder);
	try {
		rmSync(pictureFolder, { recursive: true, force: true });
		await takePictures(n8n.url);
	} finally {
		await n8n.stop();
		rmSync(userFolder, { recursive: true, force: true, maxRetries: 3 });
	}
}

function fail(reason: unknown): void {
	console.error(reason);
	process.exitCode = 1;
}

if (process.argv.length > 2) {
	fail('npm run docs:images takes no options. It takes all pictures again; stop npm start first.');
} else {
	void main().catch(fail);
}
