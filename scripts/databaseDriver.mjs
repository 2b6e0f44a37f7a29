import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
	environmentWithPinnedNode,
	findHostFolder,
	findNodeHeaders,
	nodeBinary,
	system,
} from './project.mjs';

/*
 * n8n's database driver. Its makers publish compiled copies on GitHub, without a hash in any lockfile:
 * the hashes stand here. Where there is no copy, or not the one that is known, it is compiled from its
 * source, which the lockfile pins, as it does the compiler's tools and the headers of Node.
 */

export const driverVersion = '5.1.7';
/** SHA-256 of the archive, or of the one file in it. */
const knownCopies = {
	'darwin-arm64': { archive: '84a34404b12ff212adbca70eff76c2e4dd83b91245eed0b4569438f928567afc' },
	'linux-arm64': { archive: '0f112c63a74bebdffce298792c264b3af4b85d7fe1975a4bca1227438f531dbb' },
	'linux-x64': { archive: '6d1f7a95e5aca90db1fd6a2839380a021d5ee23d46f2d7c520ded094da813fed' },
	'win32-x64': { driver: 'f806f89dc41dde00ca7124dc1e649bdc9b08ff2eff5c891b764f3e5aefa9548c' },
};

const hash = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');

/** Runs one of n8n's tools in the folder of the driver. @returns {number} its exit code */
function runTool(folder, tool, args, extraEnv = {}) {
	const env = environmentWithPinnedNode(extraEnv);
	const program = join(folder, '..', tool);
	return (
		spawnSync(nodeBinary, [program, ...args], { cwd: folder, stdio: 'inherit', env }).status ?? 1
	);
}

/**
 * Downloads the compiled copy into the folder of the driver. Nothing of it runs before its hash is found right.
 * @returns {boolean} whether it is there
 */
export function downloadCopy(folder, known = knownCopies[system]) {
	if (!known) return false;
	const cache = mkdtempSync(join(tmpdir(), 'driver-'));
	const downloads = join(cache, '_prebuilds');
	const built = join(folder, 'build');
	try {
		const args = ['--runtime', 'napi', '--verbose'];
		const code = runTool(folder, 'prebuild-install/bin.js', args, { npm_config_cache: cache });
		if (code !== 0) return false;
		const file = known.archive
			? join(downloads, readdirSync(downloads)[0])
			: join(built, 'Release/node_sqlite3.node');
		const wanted = known.archive ?? known.driver;
		if (hash(file) === wanted) return true;
		console.log(`Rejected: the download has the hash ${hash(file)}, not ${wanted}.`);
		rmSync(built, { recursive: true });
		return false;
	} finally {
		rmSync(cache, { recursive: true });
	}
}

function compile(folder) {
	const headers = findNodeHeaders();
	if (headers)
		return runTool(folder, 'node-gyp/bin/node-gyp.js', ['rebuild', `--nodedir=${headers}`]);
	console.log("It can't be compiled either: this Node comes without headers.");
	return 1;
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
	const folder = join(findHostFolder(), 'node_modules/sqlite3');
	process.exitCode = downloadCopy(folder) ? 0 : compile(folder);
}
