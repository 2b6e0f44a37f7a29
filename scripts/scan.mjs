import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';
import { resolve } from 'node:path';
import { withPacked } from './package.mjs';

/*
 * n8n's own scanner without what it needs npm and GitHub for (it takes only what is published): the same
 * rules, with every comment that would switch one off ignored, on source folders and on unpacked
 * packages. Needs no network. `node scripts/scan.mjs source FOLDER package FOLDER ...`; without arguments, the
 * package as `npm pack` makes it.
 */
const patterns = { source: SOURCE_FILE_PATTERNS, package: ['**/*.js', 'package.json'] };

async function scan(kind, folder) {
	const { passed, message, details = '' } = await analyzePackage(resolve(folder), patterns[kind]);
	console.log(passed ? `${kind}: passed` : `${kind}: ${message}\n${details}`);
	if (!passed) process.exitCode = 1;
}

const given = process.argv.slice(2);
if (given.length === 0) await withPacked((folder) => scan('package', folder));
while (given.length > 0) await scan(...given.splice(0, 2));
