import { execFile } from 'node:child_process';
import {
	chmodSync,
	copyFileSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { nodeBinary, projectFolder } from '../../scripts/n8n/paths';
import { connectToSharedN8n, type OwnN8n, startN8n } from '../../tools/harness/n8n';

const runFile = promisify(execFile);
const name = 'n8n-nodes-messaging-service';
const older = '0.0.10';
const read = (file: string) => readFileSync(file, 'utf8');
const manifest = JSON.parse(read(join(projectFolder, 'package.json'))) as {
	version: string;
	n8n: { nodes: string[] };
};
const { version } = manifest;
const ownNodes = manifest.n8n.nodes;

/** `dist/nodes/SmsSend/SmsSend.node.js` is the node type smsSend. */
function typeOf(file: string): string {
	const className = basename(file, '.node.js');
	return `${name}.${className[0]?.toLowerCase()}${className.slice(1)}`;
}

/** The commands of a section, word for word, of n8n started with npm or in Docker. */
function listCommands(heading: string, program: 'npm' | 'docker'): string[] {
	const page = read(join(projectFolder, 'docs/installation.md'));
	const [, section = ''] = page.split(`\n## ${heading}\n`);
	const [text = ''] = section.split('\n## ');
	const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block = '']) => block);
	const lines = blocks.flatMap((block) => block.trim().split('\n'));
	return lines.filter((line) => line.startsWith(program));
}

/** A container whose file system is a folder. */
const docker = `#!/bin/sh
command=$1
shift
inside() { echo "$1" | sed -E "s#^(n8n:)?(/tmp|/home)#$IMAGE\\2#"; }
case $command in
	cp) cp "$1" "$(inside "$2")" ;;
	exec)
		shift
		for word; do
			shift
			set -- "$@" "$(inside "$word")"
		done
		exec "$@" ;;
	*) exit 64 ;;
esac
`;

const describeInShell = process.platform === 'win32' ? describe.skip : describe;

describeInShell('docs/installation.md, word for word, beside another package', () => {
	let home: string;
	beforeEach(async () => {
		home = mkdtempSync(join(tmpdir(), 'installation-'));
		mkdirSync(join(home, 'bin'));
		mkdirSync(join(home, 'image/tmp'), { recursive: true });
		mkdirSync(join(home, 'image/home/node'), { recursive: true });
		writeFileSync(join(home, 'bin/docker'), docker);
		chmodSync(join(home, 'bin/docker'), 0o755);
		const { tarball } = await connectToSharedN8n();
		copyFileSync(tarball, join(home, `${name}-${version}.tgz`));
		copyFileSync(
			join(projectFolder, `test/fixtures/${name}-${older}.tgz`),
			join(home, `${name}-${older}.tgz`),
		);
	});
	afterEach(() => rmSync(home, { recursive: true, force: true }));

	const run = async (commands: string[], wanted = version) => {
		expect(commands.length).toBeGreaterThan(0);
		const path = [join(home, 'bin'), dirname(nodeBinary), process.env.PATH].join(delimiter);
		const env = { ...process.env, HOME: home, IMAGE: join(home, 'image'), PATH: path };
		for (const command of commands) {
			const line = command.replaceAll('FILE.tgz', `${name}-${wanted}.tgz`);
			await runFile('sh', ['-c', line], { cwd: home, env });
		}
	};
	/** As `npm run package` makes it of what is built. */
	const packWithTime = async () => {
		const script = join(projectFolder, 'scripts/package.mjs');
		const { stdout } = await runFile(nodeBinary, [script], { cwd: projectFolder });
		const [file = '', stamped = ''] = /n8n-nodes-messaging-service-(0.*)\.tgz/.exec(stdout) ?? [];
		renameSync(join(projectFolder, file), join(home, file));
		return stamped;
	};
	/** Another community package, with the peer that most of them have. */
	const addOther = async (folder: string) => {
		const other = join(home, 'other');
		const nodes = join(home, folder, 'nodes');
		for (const path of [other, nodes]) mkdirSync(path, { recursive: true });
		const peerDependencies = { 'n8n-workflow': '*' };
		const manifest = { name: 'n8n-nodes-other', version: '1.0.0', peerDependencies };
		writeFileSync(join(other, 'package.json'), JSON.stringify(manifest));
		writeFileSync(join(nodes, 'package.json'), JSON.stringify({ private: true }));
		await runFile('npm', ['pack', '--pack-destination', home], { cwd: other });
		const file = join(home, 'n8n-nodes-other-1.0.0.tgz');
		await runFile('npm', ['install', '--legacy-peer-deps', '--offline', '--prefix', nodes, file]);
	};
	/** What stands beside the package: npm can add a second n8n for the other one. */
	const listBeside = (folder: string) =>
		readdirSync(join(home, folder, 'nodes/node_modules'))
			.filter((found) => !found.startsWith('.') && found !== name)
			.sort();
	const versionIn = (folder: string) => {
		const file = join(home, folder, 'nodes/node_modules', name, 'package.json');
		if (!existsSync(file)) return undefined;
		return (JSON.parse(read(file)) as { version: string }).version;
	};

	test('in a Docker container: installs, updates and uninstalls', async () => {
		const folder = 'image/home/node/.n8n';
		await addOther(folder);
		await run(listCommands('Install', 'docker'), older);
		expect(versionIn(folder)).toBe(older);
		await run(listCommands('Install', 'docker'));
		expect(versionIn(folder)).toBe(version);
		const stamped = await packWithTime();
		expect(stamped).toMatch(new RegExp(`^${version}-20\\d{12}$`));
		await run(listCommands('Install', 'docker'), stamped);
		expect(versionIn(folder)).toBe(stamped);
		await run(listCommands('Uninstall', 'docker'));
		expect(versionIn(folder)).toBeUndefined();
		expect(listBeside(folder)).toEqual(['n8n-nodes-other']);
	});

	describe('with npm', () => {
		let n8n: OwnN8n;
		afterEach(async () => await n8n.close());

		const listTypes = async () =>
			(await n8n.api.nodeTypes()).filter(({ name: type }) => type.startsWith(`${name}.`));

		test('installs, updates and uninstalls in a real n8n', async () => {
			await addOther('.n8n');
			await run(listCommands('Install', 'npm'), older);
			expect(versionIn('.n8n')).toBe(older);
			await run(listCommands('Install', 'npm'));
			expect(versionIn('.n8n')).toBe(version);
			n8n = await startN8n({ tarball: '', userFolder: home, withEditor: true });
			const types = new Set((await listTypes()).map(({ name: type }) => type));
			for (const file of ownNodes) expect(types).toContain(typeOf(file));

			await run(listCommands('Uninstall', 'npm'));
			expect(versionIn('.n8n')).toBeUndefined();
			expect(listBeside('.n8n')).toEqual(['n8n-nodes-other']);
		});
	});
});
