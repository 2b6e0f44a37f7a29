import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import type { INodeType } from 'n8n-workflow';

export const nodesFolder = join(__dirname, '../../../nodes');

/** A folder for each node. */
export const nodeFolders = readdirSync(nodesFolder)
	.filter((name) => name !== 'shared')
	.sort();

/** A new instance, as n8n makes it. */
export function loadNode(folder: string): INodeType {
	const path = join(nodesFolder, folder, `${folder}.node`);
	return new (jest.requireActual<Record<string, new () => INodeType>>(path)[folder])();
}
