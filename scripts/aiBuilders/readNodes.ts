import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import type { INodeType } from 'n8n-workflow';

import { projectFolder } from '../n8n/paths';
import type { BuilderNode, Schema } from './describeNodes';
import { exampleParameters } from './examples';

const nodesFolder = join(projectFolder, 'nodes');
const load = createRequire(__filename);

function readNode(folder: string): BuilderNode {
	const path = join(nodesFolder, folder);
	const loaded = load(join(path, `${folder}.node.ts`)) as Record<string, new () => INodeType>;
	const { description } = new loaded[folder]();
	const version = Number(description.version);
	const ofOperation = join(path, '__schema__', `v${version}.0.0`, 'sendAndWait.json');
	const ofNode = join(path, '__schema__', `v${version}.0.0.json`);
	const schema = existsSync(ofOperation) ? ofOperation : ofNode;
	return {
		description: { ...description, name: `n8n-nodes-messaging-service.${description.name}` },
		version,
		output: JSON.parse(readFileSync(schema, 'utf8')) as Schema,
		example: exampleParameters[description.name],
	};
}

const order = Object.keys(exampleParameters).map((name) => name.toLowerCase());
const placeOf = (folder: string) => order.indexOf(folder.toLowerCase());

/** SMS Send comes first: the other nodes refer to it. */
export const readNodes = () =>
	readdirSync(nodesFolder)
		.filter((name) => name !== 'shared')
		.sort((a, b) => placeOf(a) - placeOf(b))
		.map(readNode);
