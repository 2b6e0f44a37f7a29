import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INodeType } from 'n8n-workflow';

import { projectFolder } from '../n8n/paths';
import { describeNodes, type BuilderNode, type Schema } from './describeNodes';
import { exampleParameters } from './examples';

const nodesFolder = join(projectFolder, 'nodes');
const page = join(projectFolder, 'docs/ai-builders.md');
const packageName = 'n8n-nodes-messaging-service';

async function readNode(folder: string): Promise<BuilderNode> {
	const path = join(nodesFolder, folder);
	const loaded = (await import(join(path, `${folder}.node.ts`))) as Record<
		string,
		new () => INodeType
	>;
	const { description } = new loaded[folder]();
	const version = Number(description.version);
	const ofOperation = join(path, '__schema__', `v${version}.0.0`, 'sendAndWait.json');
	const ofNode = join(path, '__schema__', `v${version}.0.0.json`);
	const schema = existsSync(ofOperation) ? ofOperation : ofNode;
	return {
		description: { ...description, name: `${packageName}.${description.name}` },
		version,
		output: JSON.parse(readFileSync(schema, 'utf8')) as Schema,
		example: exampleParameters[description.name],
	};
}

/** Writes what the nodes declare into the page for AI builders. */
async function main() {
	const folders = readdirSync(nodesFolder).filter((name) => name !== 'shared');
	const nodes = await Promise.all(folders.map(readNode));
	const text = readFileSync(page, 'utf8');
	const block = `## Nodes\n\n\`\`\`jsonl\n${describeNodes(nodes)}\n\`\`\``;
	writeFileSync(
		page,
		text.replace(/## Nodes\n\n```jsonl\n[\s\S]*?\n```/, () => block),
	);
}

void main();
