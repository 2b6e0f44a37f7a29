import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';
import { resolve } from 'node:path';

/*
 * n8n's own scanner without what it needs npm and GitHub for (it takes only what is published): the same
 * rules, with every comment that would switch one off ignored, on source folders and on unpacked
 * packages. `node scripts/scan.mjs source FOLDER package FOLDER ...`
 */
const patterns = { source: SOURCE_FILE_PATTERNS, package: ['**/*.js', 'package.json'] };
const given = process.argv.slice(2);
while (given.length > 0) {
	const [kind, folder] = given.splice(0, 2);
	const { passed, message, details = '' } = await analyzePackage(resolve(folder), patterns[kind]);
	console.log(passed ? `${kind}: passed` : `${kind}: ${message}\n${details}`);
	if (!passed) process.exitCode = 1;
}
