import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { projectFolder } from './project.mjs';

/* Loads everything that n8n loads from `dist`, on the Node that runs this. */
const manifest = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8'));
const require = createRequire(join(projectFolder, 'package.json'));
const files = [...manifest.n8n.nodes, ...manifest.n8n.credentials];
for (const file of files) {
	for (const Loaded of Object.values(require(`./${file}`))) new Loaded();
}
console.log(`${files.length} files load on Node ${process.versions.node}.`);
