import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import manifest from '../../package.json';
import { projectFolder } from '../../scripts/n8n/paths';
import { loadNode, nodeFolders } from '../support/unit/loadNode';

/** The server through which models build workflows. */
const folder = join(projectFolder, 'test/n8nMcp/node_modules/n8n-mcp');
const isInstalled = existsSync(folder);
if (!isInstalled)
	process.stdout.write('Skipped: n8n-mcp is not installed (npm test -- --all does)\n');

interface Validator {
	validateWorkflow(
		workflow: object,
		options: object,
	): Promise<{ errors: Array<{ nodeName?: string; message: string }> }>;
}

const load = (path: string) =>
	jest.requireActual<Record<string, unknown>>(join(folder, 'dist', path)) as Record<string, never>;

const files = ['examples', 'test/builderTasks'].flatMap((path) =>
	readdirSync(join(projectFolder, path))
		.filter((file) => file.endsWith('.json'))
		.map((file) => `${path}/${file}`),
);

(isInstalled ? describe : describe.skip)('n8n-mcp', () => {
	let copy: string;
	/** Node's own SQLite does what it asks of its native driver. */
	let database: DatabaseSync;
	beforeAll(() => {
		copy = mkdtempSync(join(tmpdir(), 'n8n-mcp-'));
		copyFileSync(join(folder, 'data/nodes.db'), join(copy, 'nodes.db'));
		database = new DatabaseSync(join(copy, 'nodes.db'));
	});
	afterAll(() => {
		database.close();
		rmSync(copy, { recursive: true });
	});

	describe('its validator', () => {
		let validator: Validator;
		beforeAll(() => {
			const { NodeRepository } = load('database/node-repository.js');
			const { WorkflowValidator } = load('services/workflow-validator.js');
			const { EnhancedConfigValidator } = load('services/enhanced-config-validator.js');
			const Repository = NodeRepository as new (database: object) => object;
			const Workflows = WorkflowValidator as new (nodes: object, configs: object) => Validator;
			// It would compare our types, which it does not know, with all of its 2,000 to suggest another.
			const repository = Object.assign(new Repository(database), { getAllNodes: () => [] });
			validator = new Workflows(repository, EnhancedConfigValidator);
		});
		const validate = async (workflow: object) => {
			const { errors } = await validator.validateWorkflow(workflow, { profile: 'runtime' });
			return errors.map(({ nodeName, message }) => `${nodeName}: ${message}`);
		};

		test.each(files)('finds no error in %s', async (file) => {
			const read = JSON.parse(readFileSync(join(projectFolder, file), 'utf8')) as {
				workflow?: object;
			};
			expect(await validate(read.workflow ?? read)).toEqual([]);
		});

		test('finds one where a connection leads nowhere', async () => {
			const read = readFileSync(join(projectFolder, 'test/builderTasks/02-which-day.json'), 'utf8');
			const { workflow } = JSON.parse(read.replaceAll('"node":', '"node": "Nowhere", "was":')) as {
				workflow: object;
			};
			expect(await validate(workflow)).not.toEqual([]);
		});
	});

	test('stores the whole README, with the page for AI builders', () => {
		const { normalizeRegistryReadme } = load('community/npm-readme.js') as unknown as {
			normalizeRegistryReadme(readme: string): string | null;
		};
		const { NodeRepository } = load('database/node-repository.js');
		const Repository = NodeRepository as new (database: object) => {
			updateNodeReadme(type: string, readme: string): void;
			getNodeByType(type: string): { npmReadme: string } | null;
		};
		const repository = new Repository(database);
		const readme = readFileSync(join(projectFolder, 'README.md'), 'utf8');
		database.exec('BEGIN');
		const type = `${manifest.name}.smsSend`;
		database
			.prepare(
				`INSERT INTO nodes (node_type, package_name, display_name, development_style, is_community)
				VALUES (?, ?, 'smsSend', 'declarative', 1)`,
			)
			.run(type, manifest.name);
		repository.updateNodeReadme(type, String(normalizeRegistryReadme(readme)));
		const stored = repository.getNodeByType(type)?.npmReadme;
		database.exec('ROLLBACK');
		expect(stored).toBe(readme);
		expect(stored).toContain('(docs/ai-builders.md)');
		// What it reads of a package at most.
		expect(readme.length).toBeLessThan(64 * 1024);
	});

	const ours = nodeFolders.map((folder) => loadNode(folder).description);
	/** Both words of the last are in hundreds of descriptions. */
	const words: Array<[typed: string, among: number]> = [
		['otp', 20],
		['2fa', 20],
		['bulk sms', 20],
		['verify phone number', 20],
		['sms approval', 20],
		['text message', 60],
	];

	/** As its search ranks what its community index stores of a package. */
	describe.each([
		['that n8n has not verified', ({ name }) => [name, manifest.description]],
		['that n8n has verified', ({ displayName, description }) => [displayName, description]],
	] as Array<[string, (one: (typeof ours)[number]) => [string, string]]>)(
		'its search of a package %s',
		(_, toStored) => {
			beforeAll(() => {
				database.exec('BEGIN');
				const insert = database.prepare(
					`INSERT INTO nodes (node_type, package_name, display_name, description, development_style)
					VALUES (?, ?, ?, ?, 'declarative')`,
				);
				for (const one of ours)
					insert.run(`${manifest.name}.${one.name}`, manifest.name, ...toStored(one));
			});
			afterAll(() => database.exec('ROLLBACK'));

			test.each(words)('finds us by "%s" among the first %d', (typed, among) => {
				const search = database.prepare(
					`SELECT n.package_name FROM nodes n JOIN nodes_fts ON n.rowid = nodes_fts.rowid
					WHERE nodes_fts MATCH ? ORDER BY n.display_name LIKE ? DESC, rank LIMIT ?`,
				);
				const found = search.all(typed.replaceAll(' ', ' OR '), `%${typed}%`, among);
				expect(found.map((row) => row.package_name)).toContain(manifest.name);
			});
		},
	);
});
