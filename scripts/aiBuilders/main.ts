import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { projectFolder } from '../n8n/paths';
import { describeNodes } from './describeNodes';
import { readNodes } from './readNodes';

/** Writes what the nodes declare into the page for AI builders. */
const page = join(projectFolder, 'docs/ai-builders.md');
const text = readFileSync(page, 'utf8');
const block = `## Nodes\n\n\`\`\`jsonl\n${describeNodes(readNodes())}\n\`\`\``;
writeFileSync(
	page,
	text.replace(/## Nodes\n\n```jsonl\n[\s\S]*?\n```/, () => block),
);
