import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** npm is a script on Windows. */
const shell = process.platform === 'win32';
const pack = (destination, cwd) => {
	const given = ['pack', '--json', '--ignore-scripts', '--pack-destination', destination];
	return JSON.parse(execFileSync('npm', given, { cwd, encoding: 'utf8', shell }))[0].filename;
};

/** Calls `use` with the unpacked package, as `npm pack` makes it. */
export async function withPacked(use) {
	const folder = mkdtempSync(join(tmpdir(), 'packed-'));
	try {
		execFileSync('tar', ['-xzf', pack(folder)], { cwd: folder });
		await use(join(folder, 'package'));
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/**
 * Packs the built package with the time of its commit in the version (0.1.0-20261129064700, in UTC), so that
 * two files can be told apart, also by npm, which does not replace a version by itself.
 */
async function packWithTime() {
	const format = ['log', '-1', '--format=%cd', '--date=format-local:%Y%m%d%H%M%S'];
	const env = { ...process.env, TZ: 'UTC' };
	const time = execFileSync('git', format, { encoding: 'utf8', env }).trim();
	await withPacked((folder) => {
		const file = join(folder, 'package.json');
		const manifest = JSON.parse(readFileSync(file, 'utf8'));
		manifest.version += `-${time}`;
		writeFileSync(file, JSON.stringify(manifest, undefined, '\t'));
		console.log(`\nThe package is in ${pack(process.cwd(), folder)}`);
	});
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await packWithTime();
