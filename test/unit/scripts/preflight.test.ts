import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { findFreePort } from '../../../scripts/n8n/freePort';
import { nodeBinary, projectFolder } from '../../../scripts/n8n/paths';
import { callScript } from '../../support/unit/processes';

function judge(differences: object): string[] {
	const fine = {
		...{ system: 'linux-x64', node: '24.21.0', pinnedNode: '24.21.0', hasPinnedNode: true },
		...{ folder: '/home/aye/project', isWritable: true, neededBytes: 3.5e9, freeBytes: 9e9 },
	};
	const machine = JSON.stringify({ ...fine, ...differences });
	return callScript('preflight.mjs', `m.findObstacles(${machine})`) as string[];
}

describe('what is checked before anything is installed', () => {
	test('lets a machine pass that has everything', () => {
		expect(judge({})).toEqual([]);
	});

	test.each([
		[
			{ system: 'darwin-arm64', node: '22.20.0', hasPinnedNode: false },
			"The project includes no Node for darwin-arm64, and n8n can't run on Node 22.20.0. Install Node 24.",
		],
		[{ isWritable: false }, 'The folder /home/aye/project is not writable.'],
		[{ freeBytes: 1.2e9 }, 'has 1.2 GB free, but 3.5 GB is needed'],
	])('stops at %j', (differences, sentence) => {
		expect(judge(differences)).toEqual([expect.stringContaining(sentence)]);
	});

	test.each([
		['16.20.2', 'Node 16.20.2 is too old: install 20.19 or later.'],
		['20.18.0', 'Node 20.18.0 is too old: install 20.19 or later.'],
		['20.19.0', ''],
		['22.0.0', ''],
	])('judges Node %s first', (node, sentence) => {
		expect(callScript('project.mjs', `m.explainOldNode('${node}')`)).toBe(sentence);
	});

	test.each(['24.0.0', '24.21.0'])(
		'uses Node %s of the machine if none comes with the project',
		(node) => {
			expect(judge({ node, hasPinnedNode: false })).toEqual([]);
		},
	);
});

describe.each(['start', 'test'])('npm %s on a machine where it cannot work', (name) => {
	let folder: string;

	beforeAll(() => {
		folder = join(mkdtempSync(join(tmpdir(), 'preflight-')), 'project');
		mkdirSync(join(folder, 'n8n-host'), { recursive: true });
		const parts = ['scripts', 'package.json', 'package-lock.json', '.npmrc'];
		for (const part of [...parts, 'n8n-host/package.json', 'n8n-host/package-lock.json']) {
			const filter = (path: string) => !path.includes('node_modules');
			cpSync(join(projectFolder, part), join(folder, part), { recursive: true, filter });
		}
		// A Node that neither comes with the project nor is on the machine.
		const manifest = JSON.stringify({ devDependencies: { node: '99.0.0' } });
		writeFileSync(join(folder, 'package.json'), manifest);
		writeFileSync(join(folder, 'scripts/node/package-lock.json'), '{ "packages": {} }');
	});
	afterAll(() => rmSync(join(folder, '..'), { recursive: true }));

	test('says so before it downloads anything', async () => {
		const [n8nPort, sandboxPort] = [await findFreePort(), await findFreePort()].map(String);
		const ports = ['--n8n-port', n8nPort, '--sandbox-port', sandboxPort];
		const args = [join(folder, `scripts/${name}.mjs`), ...(name === 'start' ? ports : [])];
		const options = { cwd: folder, encoding: 'utf8', timeout: 40_000 } as const;
		const { status, stdout, stderr } = spawnSync(nodeBinary, args, options);
		expect(status).toBe(1);
		expect(stderr).toContain("The installation can't start yet:");
		expect(stderr).toContain('Install Node 99.');
		expect(stdout + stderr).not.toContain('Installing');
	}, 60_000);
});
