import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(__dirname, '..', '..', '..');

interface Usage {
	status: number | null;
	/** The most that the part for what is new took, in MB. */
	youngMb: number;
	/** The same of the rest, where garbage stays for longer. */
	oldMb: number;
}

/** As in a busy minute: much that is new for a moment, and some of it for a little longer. */
const beBusy = `
	const { getHeapSpaceStatistics } = require('node:v8');
	const most = { youngMb: 0, oldMb: 0 };
	let kept = [];
	const work = () => {
		for (let index = 0; index < 60_000; index += 1) kept.push({ index, text: 'x' + index });
		if (kept.length > 300_000) kept = [];
		const young = getHeapSpaceStatistics().find((one) => one.space_name === 'new_space');
		const oldSize = process.memoryUsage().heapTotal - young.space_size;
		most.youngMb = Math.max(most.youngMb, young.space_size / 2 ** 20);
		most.oldMb = Math.max(most.oldMb, oldSize / 2 ** 20);
	};
	const timer = setInterval(work, 10);
	setTimeout(() => {
		clearInterval(timer);
		process.stdout.write(JSON.stringify(most));
	}, 4_000);
`;

/** In a process of its own, since it is about all of its memory. */
function run(code: string): Usage {
	const program = ['--import', 'tsx', '--eval', code];
	const options = { cwd: root, encoding: 'utf8', timeout: 20_000 } as const;
	const { status, stdout } = spawnSync(process.execPath, program, options);
	return { status, ...(JSON.parse(stdout) as Omit<Usage, 'status'>) };
}

describe('the memory of the sandbox', () => {
	let free: Usage;
	let spared: Usage;

	beforeAll(() => {
		free = run(beBusy);
		spared = run(`require('./sandbox/memory.ts').spareMemory(); ${beBusy}`);
	}, 60_000);

	test('has a bounded part for what is new', () => {
		expect(free.youngMb).toBeGreaterThan(60);
		expect(spared.youngMb).toBeLessThan(40);
	});

	test('is cleaned up before it grows', () => {
		expect(spared.oldMb).toBeLessThan(0.75 * free.oldMb);
	});

	test('is looked after without keeping the program alive', () => {
		expect([free.status, spared.status]).toEqual([0, 0]);
	});
});
