import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

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

async function scanPacked() {
	const folder = mkdtempSync(join(tmpdir(), 'scan-'));
	try {
		const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
		const shell = process.platform === 'win32';
		const printed = execFileSync('npm', pack, { encoding: 'utf8', shell });
		const [{ filename }] = JSON.parse(printed);
		execFileSync('tar', ['-xzf', filename], { cwd: folder });
		await scan('package', join(folder, 'package'));
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

const given = process.argv.slice(2);
if (given.length === 0) await scanPacked();
while (given.length > 0) await scan(...given.splice(0, 2));
