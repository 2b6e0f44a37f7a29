import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { hostFolder, nodeBinary, projectFolder } from '../../scripts/n8n/paths';

const runFile = promisify(execFile);
const script = JSON.stringify(`file://${join(projectFolder, 'scripts/databaseDriver.mjs')}`);
const driverFile = 'build/Release/node_sqlite3.node';
const readHash = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');

describe("a compiled copy of n8n's database driver", () => {
	let folder: string;
	let driver: string;
	let archive: string;
	let server: Server;
	const asked: string[] = [];

	beforeAll(async () => {
		folder = mkdtempSync(join(tmpdir(), 'driver-'));
		driver = join(folder, 'node_modules/sqlite3');
		mkdirSync(driver, { recursive: true });
		const installed = join(hostFolder, 'node_modules');
		cpSync(join(installed, 'sqlite3/package.json'), join(driver, 'package.json'));
		const link = join(folder, 'node_modules/prebuild-install');
		symlinkSync(join(installed, 'prebuild-install'), link, 'junction');
		archive = join(folder, 'driver.tar.gz');
		await runFile('tar', ['-czf', archive, '-C', join(installed, 'sqlite3'), driverFile]);
		server = createServer(({ url = '' }, response) => {
			asked.push(url);
			response.end(readFileSync(archive));
		}).listen(0, '127.0.0.1');
		await once(server, 'listening');
	});
	afterAll(() => {
		server.close();
		rmSync(folder, { recursive: true });
	});

	async function download(known: object) {
		const { port } = server.address() as AddressInfo;
		const env = { ...process.env, npm_config_sqlite3_binary_host: `http://127.0.0.1:${port}` };
		const args = [driver, known].map((value) => JSON.stringify(value)).join();
		const program = `import(${script}).then((m) => console.log('taken:', m.downloadCopy(${args})))`;
		const { stdout } = await runFile(nodeBinary, ['-e', program], { env });
		return stdout;
	}

	test('is used if it has the known hash', async () => {
		expect(await download({ archive: readHash(archive) })).toContain('taken: true');
		expect(asked).toEqual([expect.stringMatching(/sqlite3-v5\.1\.7-napi-v6-.+\.tar\.gz$/)]);
		const own = readHash(join(driver, driverFile));
		expect(await download({ driver: own })).toContain('taken: true');
	});

	test.each(['archive', 'driver'])(
		'is rejected and removed when its %s has another',
		async (part) => {
			const wrong = '0'.repeat(64);
			const printed = await download({ [part]: wrong });
			expect(printed).toMatch(/Rejected: the download has the hash [0-9a-f]{64}, not 0{64}\./);
			expect(printed).toContain('taken: false');
			expect(existsSync(join(driver, 'build'))).toBe(false);
		},
	);
});
