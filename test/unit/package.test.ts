import 'reflect-metadata';
import { execFileSync, type StdioOptions } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

import { preProcessFile } from 'typescript';

import manifest from '../../package.json';
import { buildPackage } from '../../scripts/n8n/packageInstall';

const root = resolve(__dirname, '../..');

function listFiles(folder: string, ending: string): string[] {
	return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((path) => path.endsWith(ending))
		.map((path) => join(folder, path).replaceAll('\\', '/'));
}

/** The code without its comments; a `//` inside of an address stays. */
const readCode = (path: string) =>
	readFileSync(join(root, path), 'utf8').replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '');

const importsOf = (path: string) =>
	preProcessFile(readFileSync(join(root, path), 'utf8')).importedFiles.map(({ fileName: name }) =>
		name.startsWith('.')
			? relative(root, resolve(root, dirname(path), name)).replaceAll('\\', '/')
			: name,
	);

const shipped = [...listFiles('nodes', '.ts'), ...listFiles('credentials', '.ts')];

/** Who may import whom: the first rule whose folder a file is in says where its imports may lead. */
const rules: Array<[from: RegExp, to: RegExp]> = [
	[/^nodes\/shared\/input\//, /^nodes\/shared\/input\/|^luxon$|^n8n-workflow$/],
	[/^nodes\/shared\/client\//, /^nodes\/shared\/(client|input)\/|^n8n-workflow$|^node:crypto$/],
	[
		/^nodes\/shared\/receipt\//,
		/^nodes\/shared\/(receipt|input)\/|^nodes\/shared\/client\/(json|status)$|^n8n-workflow$|^node:crypto$/,
	],
	[
		/^nodes\/shared\/delivery\//,
		/^nodes\/shared\/(delivery|client|input)\/|^nodes\/shared\/n8n\/(Expiring|causedByReceipt|memory|tool)$|^n8n-workflow$|^node:crypto$/,
	],
	[/^nodes\/shared\/n8n\//, /^nodes\/shared\/(n8n|client|input)\/|^n8n-workflow$|^node:crypto$/],
	[/^nodes\/shared\/options\//, /^nodes\/shared\/(options|n8n|client|input)\/|^n8n-workflow$/],
	[
		/^nodes\/shared\/sending\//,
		/^nodes\/shared\/(sending|options|n8n|delivery|client|input)\/|^luxon$|^n8n-workflow$/,
	],
	[/^credentials\//, /^nodes\/shared\/client\/(address|credential)$|^n8n-workflow$/],
];

function isAllowed(path: string, imported: string): boolean {
	const rule = rules.find(([from]) => from.test(path));
	if (rule) return rule[1].test(imported);
	const ownFolder = `${dirname(path)}/`;
	const isOwn = imported.startsWith(ownFolder) && !imported.endsWith('.node');
	return isOwn || /^nodes\/shared\/|^luxon$|^n8n-workflow$|^node:crypto$/.test(imported);
}

describe('who may import whom', () => {
	test.each(shipped)('%s imports only what is below it', (path) => {
		expect(importsOf(path).filter((imported) => !isAllowed(path, imported))).toEqual([]);
	});

	test('the sandbox shares no code with the nodes', () => {
		const imported = listFiles('sandbox', '.ts').flatMap(importsOf);
		expect(imported.filter((name) => /^(nodes|credentials|test)\//.test(name))).toEqual([]);
	});
});

describe('only here', () => {
	const filesWith = (pattern: RegExp) =>
		shipped.filter((path) => pattern.test(readCode(path))).sort();

	test('the transport and the test of the credential use HTTP', () => {
		expect(filesWith(/\bhelpers\b|\bhttpRequest|\bfetch\(|node:https?\b/)).toEqual([
			'nodes/shared/client/credentialTest.ts',
			'nodes/shared/client/transport.ts',
		]);
	});

	test('operations, the nodes that are called and the fast reader read parameters', () => {
		const others = filesWith(/\bgetNodeParameter\b/).filter(
			(path) => !path.endsWith('.operation.ts'),
		);
		expect(others).toEqual([
			'nodes/SmsReceiptTrigger/triggerOptions.ts',
			'nodes/shared/options/fields.ts',
		]);
	});

	test("toNodeError makes n8n's errors", () => {
		expect(filesWith(/\bnew Node(Api|Operation)?Error\b/)).toEqual(['nodes/shared/n8n/errors.ts']);
	});

	test('what an item throws is caught in one place, and otherwise only what a call cannot say otherwise', () => {
		expect(filesWith(/\bcatch\s*(\([^)]*\)\s*)?\{/)).toEqual([
			'nodes/SmsReceiptTrigger/receive.ts',
			'nodes/shared/client/json.ts',
			'nodes/shared/input/InputError.ts',
			'nodes/shared/n8n/items.ts',
		]);
	});

	test('the paths of the service are in the table of endpoints', () => {
		expect(filesWith(/'\/(send|messages|account|request|verify)\b(?!'\))/)).toEqual([
			'nodes/shared/client/endpoints.ts',
		]);
	});

	test('nothing that ships knows the process, the disk or a timer', () => {
		expect(
			filesWith(/\bprocess\.|\bset(Timeout|Interval|Immediate)\(|node:fs|\bconsole\./),
		).toEqual([]);
	});
});

/** Whether what was built is older than what it was built from. */
function isStale(): boolean {
	return shipped.some((path) => {
		const built = join(root, 'dist', path.replace(/\.ts$/, '.js'));
		return !existsSync(built) || statSync(built).mtimeMs < statSync(join(root, path)).mtimeMs;
	});
}

describe('what is packed', () => {
	interface Packed {
		size: number;
		files: Array<{ path: string }>;
	}
	let packed: Packed;

	beforeAll(async () => {
		if (isStale()) await buildPackage();
		const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
		const stdio: StdioOptions = ['ignore', 'pipe', 'ignore'];
		const shell = process.platform === 'win32';
		const options = { cwd: root, encoding: 'utf8', stdio, shell } as const;
		[packed] = JSON.parse(execFileSync('npm', args, options)) as [Packed];
	}, 60_000);

	test('is the built code, its icons, codex files and output previews, README and LICENSE', () => {
		const paths = packed.files.map(({ path }) => path);
		const kinds =
			/^(dist\/(nodes|credentials)\/.*(\.js|\.node\.json|\/__schema__\/v[\d.]+(\/\w+)?\.json)|dist\/icons\/\w+(\.dark)?\.svg)$/;
		expect(paths.filter((path) => !kinds.test(path)).sort()).toEqual([
			'LICENSE',
			'README.md',
			'package.json',
		]);
		const expected = shipped.map((path) => `dist/${path.replace(/\.ts$/, '.js')}`);
		const typesOnly = expected.filter((path) => !paths.includes(path));
		expect(typesOnly).toEqual([]);
		expect(paths).toEqual(
			expect.arrayContaining(listFiles('nodes', '.json').map((path) => `dist/${path}`)),
		);
	});

	test('has an output preview of every node, compared with real outputs in outputPreviews.test.ts', () => {
		// That of a node with an operation is looked for under its name.
		const previews = manifest.n8n.nodes.map((path) =>
			path.replace(
				/[^/]+$/,
				`__schema__/v${path.includes('Trigger') ? 2 : 1}.0.0${path.includes('ForResponse') ? '/sendAndWait' : ''}.json`,
			),
		);
		expect(packed.files.map(({ path }) => path)).toEqual(expect.arrayContaining(previews));
	});

	test('is smaller than 150 kB', () => expect(packed.size).toBeLessThan(150_000));

	test('loads without anything heavy', () => {
		const files = [...manifest.n8n.nodes, ...manifest.n8n.credentials];
		const script = `
			require('n8n-workflow');
			const begin = process.cpuUsage();
			for (const file of ${JSON.stringify(files)}) {
				for (const Loaded of Object.values(require('./' + file))) new Loaded();
			}
			const { user, system } = process.cpuUsage(begin);
			console.log((user + system) / 1000);`;
		const load = () =>
			Number(execFileSync(process.execPath, ['-e', script], { cwd: root, encoding: 'utf8' }));
		// The best of a few: other programs of the machine can only make it slower.
		expect(Math.min(load(), load(), load())).toBeLessThan(100);
	});

	test('declares the only node API that n8n 1, 2 and 3 all load', () => {
		expect(manifest.n8n.n8nNodesApiVersion).toBe(1);
	});

	test('has no dependency but n8n-workflow, which n8n itself brings', () => {
		expect(manifest).not.toHaveProperty('dependencies');
		expect(manifest).not.toHaveProperty('optionalDependencies');
		expect(manifest.peerDependencies).toEqual({ 'n8n-workflow': '*' });
		// Otherwise npm installs n8n-workflow with 160 packages, of which one needs Node 24.
		expect(manifest.peerDependenciesMeta).toEqual({ 'n8n-workflow': { optional: true } });
		expect(manifest).toMatchObject({
			name: 'n8n-nodes-messaging-service',
			license: 'MIT',
			files: ['dist'],
			keywords: expect.arrayContaining(['n8n-community-node-package']),
		});
	});
});
