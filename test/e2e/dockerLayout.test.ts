import { execFile } from 'node:child_process';
import {
	cpSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { hostFolder, nodeBinary, projectFolder } from '../../scripts/n8n/paths';

const runFile = promisify(execFile);
const name = 'n8n-nodes-messaging-service';
const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as unknown;
const { dependencies } = readJson(join(hostFolder, 'node_modules/n8n/package.json')) as {
	dependencies: Record<string, string>;
};
const { n8n } = readJson(join(projectFolder, 'package.json')) as { n8n: { nodes: string[] } };

/** As n8n does before it loads packages. */
const load = `
	const { Module } = require('node:module');
	process.env.NODE_PATH = module.paths.join(require('node:path').delimiter);
	Module._initPaths();
	const loaded = process.argv.slice(2).map((file) => Object.keys(require(file))[0]);
	process.stdout.write(loaded.join(' '));
`;

/**
 * In the image, n8n has only its direct dependencies in its own node_modules, and a package lies in the data folder of
 * the user, without any of them.
 */
describe("in the layout of n8n's Docker image", () => {
	let image: string;
	beforeAll(() => {
		image = mkdtempSync(join(tmpdir(), 'image-'));
		const own = join(image, 'usr/local/lib/node_modules/n8n');
		for (const dependency of Object.keys(dependencies)) {
			const link = join(own, 'node_modules', dependency);
			mkdirSync(dirname(link), { recursive: true });
			symlinkSync(join(hostFolder, 'node_modules', dependency), link, 'junction');
		}
		mkdirSync(join(own, 'dist'), { recursive: true });
		const installed = join(image, 'home/node/.n8n/nodes/node_modules', name);
		cpSync(join(projectFolder, 'dist'), join(installed, 'dist'), { recursive: true });
	});
	afterAll(() => rmSync(image, { recursive: true, force: true }));

	test('every node finds what n8n brings: luxon and n8n-workflow', async () => {
		const installed = join(image, 'home/node/.n8n/nodes/node_modules', name);
		const files = n8n.nodes.map((file) => join(installed, file));
		const script = join(image, 'usr/local/lib/node_modules/n8n/dist/load.js');
		writeFileSync(script, load);
		const { stdout } = await runFile(nodeBinary, [script, ...files], { cwd: image });
		expect(stdout.split(' ')).toHaveLength(n8n.nodes.length);
	});
});
