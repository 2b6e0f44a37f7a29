import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { npmCommand, projectFolder } from './project.mjs';

const folder = join(projectFolder, 'sandbox');

function run({ command, args, shell = false }) {
	const { status } = spawnSync(command, args, { cwd: folder, shell, stdio: 'inherit' });
	if (status !== 0) process.exit(status ?? 1);
}

/** The sandbox is a package of its own: what it is built with is there with the rest, or installed alone. */
const hasTools = [folder, projectFolder].some((place) =>
	['esbuild', 'zod'].every((name) => existsSync(join(place, 'node_modules', name))),
);
if (!hasTools) {
	console.log('Installing the build tools of the sandbox (only once, a few seconds) ...');
	run(npmCommand(['ci', '--silent', '--ignore-scripts']));
}
run({ command: process.execPath, args: ['build.mjs', '--program'] });
process.argv[1] = join(folder, 'dist', 'sandbox.js');
createRequire(import.meta.url)(process.argv[1]);
