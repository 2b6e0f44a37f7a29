import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';
import { resolve } from 'node:path';

/*
 * n8n's own scanner without what it needs npm and GitHub for (it takes only what is published): the same
 * rules, with every comment that would switch one off ignored, on a source folder and on an unpacked
 * package. `node scripts/scan.mjs source FOLDER`, `node scripts/scan.mjs package FOLDER`.
 */
const patterns = { source: SOURCE_FILE_PATTERNS, package: ['**/*.js', 'package.json'] };
const [kind, folder] = process.argv.slice(2);
const result = await analyzePackage(resolve(folder), patterns[kind]);
console.log(
	result.passed ? `${kind}: passed` : `${kind}: ${result.message}\n${result.details ?? ''}`,
);
process.exitCode = result.passed ? 0 : 1;
