import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { nodeBinary, projectFolder } from '../../scripts/n8n/paths';

/** Redis is on PATH or nowhere. */
describe('npm test where there is no Redis', () => {
	let folder: string;
	beforeAll(() => {
		folder = mkdtempSync(join(tmpdir(), 'no-redis-'));
		mkdirSync(join(folder, 'bin'));
		for (const name of ['npm', 'sh', 'id'].filter(() => process.platform !== 'win32')) {
			const found = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' });
			symlinkSync(found.stdout.trim(), join(folder, 'bin', name));
		}
	});
	afterAll(() => rmSync(folder, { recursive: true }));

	const runQueueStep = (...options: string[]) => {
		const script = join(projectFolder, 'scripts/test.mjs');
		const path = [join(folder, 'bin'), dirname(nodeBinary)].join(
			process.platform === 'win32' ? ';' : ':',
		);
		const { status, stdout } = spawnSync(
			nodeBinary,
			[script, '--only', 'queue', 'queueMode', ...options],
			{
				encoding: 'utf8',
				// The run that this is part of has a step of the same name under way.
				env: { ...process.env, PATH: path, TEST_LOG_FOLDER: join(folder, 'logs') },
			},
		);
		const lines = stdout.trimEnd().split('\n');
		return { status, lines: lines.filter((line) => !line.startsWith('  ...')) };
	};

	test('says that queue mode was skipped, why, and how many tests that are', () => {
		const { status, lines } = runQueueStep();
		expect(status).toBe(0);
		expect(lines.at(-1)).toMatch(/^0 passed, 0 failed, [1-9]\d* skipped$/);
		expect(lines[0]).toMatch(/^ {2}skipped Queue mode/);
		expect(lines[1]).toContain('this machine has no redis-server');
	});

	test('fails where queue mode has to run', () => {
		const { status, lines } = runQueueStep('--must-run', 'queue');
		expect(status).toBe(1);
		expect(lines.at(-1)).toMatch(/^0 passed, [1-9]\d* failed, 0 skipped$/);
	});
});
