import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { check } from './check';

type Report = Awaited<ReturnType<typeof check>>;
const worlds = JSON.parse(readFileSync(join(__dirname, 'worlds.json'), 'utf8')) as Array<{
	name: string;
}>;

/** A process of its own: a promise that nobody handles would end jest. */
describe('the simulator', () => {
	let report: Report;
	beforeAll(async () => {
		const program = join(__dirname, 'main.ts');
		const { stdout } = await promisify(execFile)(
			process.execPath,
			['--import', 'tsx', program, '--check'],
			{ cwd: join(__dirname, '../..'), maxBuffer: 2 ** 26 },
		);
		report = JSON.parse(stdout) as Report;
	}, 300_000);

	test.each(worlds)('$name', ({ name }) => {
		expect(report.wrong[name] ?? '').toBe('');
	});

	test('finds nothing in the fixed seeds that is not known', () => {
		expect(report.unknown).toEqual([]);
	});

	test('has the same story each time a seed is played', () => {
		expect(report.different).toEqual([]);
	});

	test('takes less than a minute of processor time', () => {
		expect(report.processorMs).toBeLessThan(60_000);
	});
});
