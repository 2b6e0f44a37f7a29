import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { projectFolder } from '../../scripts/n8n/paths';

/** Where n8n-mcp is installed, the server through which models build workflows: its 68 MB are not a dependency. */
const folder = process.env.N8N_MCP ?? join(projectFolder, 'node_modules/n8n-mcp');

interface Validator {
	validateWorkflow(
		workflow: object,
		options: object,
	): Promise<{ errors: Array<{ nodeName?: string; message: string }> }>;
}

const load = (path: string) =>
	jest.requireActual<Record<string, unknown>>(join(folder, 'dist', path)) as Record<string, never>;

async function openValidator(): Promise<Validator> {
	const { createDatabaseAdapter } = load('database/database-adapter.js');
	const { NodeRepository } = load('database/node-repository.js');
	const { WorkflowValidator } = load('services/workflow-validator.js');
	const { EnhancedConfigValidator } = load('services/enhanced-config-validator.js');
	const open = createDatabaseAdapter as (path: string) => Promise<object>;
	const database = await open(join(folder, 'data/nodes.db'));
	const Repository = NodeRepository as new (database: object) => object;
	const Workflows = WorkflowValidator as new (nodes: object, configs: object) => Validator;
	return new Workflows(new Repository(database), EnhancedConfigValidator);
}

const files = ['examples', 'test/builderTasks'].flatMap((path) =>
	readdirSync(join(projectFolder, path))
		.filter((file) => file.endsWith('.json'))
		.map((file) => `${path}/${file}`),
);

(existsSync(folder) ? describe : describe.skip)("n8n-mcp's validator", () => {
	let validator: Validator;
	beforeAll(async () => (validator = await openValidator()));

	test.each(files)('finds no error in %s', async (file) => {
		const read = JSON.parse(readFileSync(join(projectFolder, file), 'utf8')) as {
			workflow?: object;
		};
		const { errors } = await validator.validateWorkflow(read.workflow ?? read, {
			profile: 'runtime',
		});
		expect(errors.map(({ nodeName, message }) => `${nodeName}: ${message}`)).toEqual([]);
	});
});
