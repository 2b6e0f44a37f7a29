import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { nodeBinary, projectFolder } from '../../../scripts/n8n/paths';

/** The value of an expression about `m`, a script: these are ES modules of Node, which jest does not load. */
export function callScript(name: string, expression: string): unknown {
	const script = JSON.stringify(`file://${join(projectFolder, 'scripts', name)}`);
	const program = `import(${script}).then((m) => console.log(JSON.stringify(${expression})))`;
	return JSON.parse(spawnSync(nodeBinary, ['-e', program], { encoding: 'utf8' }).stdout);
}

export function isAlive(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}
