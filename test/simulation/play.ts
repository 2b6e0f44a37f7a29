import { stringify } from 'flatted';

import type { Book } from './book';
import { Chance } from './chance';
import { Clock } from './clock';
import { execute, type Ending, type Execution, type Stage } from './n8n';
import { Processes } from './process';
import { Service } from './service';
import { rowsOfPass, type Retry, type Row, type Start, type World } from './world';

/** A run that makes no request for so long waits for ever. */
const quietMs = 4 * 60_000;
/** Watchers of our code end within this time. */
const afterwardsMs = 60_000;

/** n8n logs a rejection that nobody handles, and goes on. */
const unhandled: string[] = [];
process.on('unhandledRejection', (error) => unhandled.push(String(error)));

/** Lets time pass until all lives have ended, or until `isLively` says that the others will not. */
async function passTime(
	clock: Clock,
	lives: Array<Promise<void>>,
	isLively: () => boolean,
): Promise<void> {
	let open = lives.length;
	// A mistake of the simulator itself must not look like a wait.
	const failed = Promise.all(lives.map(async (life) => await life.then(() => (open -= 1)))).then(
		() => undefined,
		(error: unknown) => ({ error }),
	);
	while (open > 0 && isLively() && (await clock.step()));
	const mistake = await Promise.race([failed, undefined]);
	if (mistake) throw mistake.error;
}

/** Plays a world from its beginning to its end. */
export async function play(world: World): Promise<Book> {
	unhandled.length = 0;
	const clock = new Clock(world.beginsAt);
	const chance = new Chance(world.seed);
	const service = new Service(world, clock);
	const book: Book = {
		attempts: [],
		requests: [],
		stored: service.records,
		timersLeft: 0,
		unhandled: [],
	};
	let executions = 0;
	const newExecutionId = () => String((executions += 1));
	const stage: Stage = { world, clock, service, book, newExecutionId };
	const processes = new Processes(clock, chance);

	for (const { atMs, aheadMs } of world.clock)
		clock.setTimer(() => void (clock.aheadMs = aheadMs), atMs);
	const lives = world.executions.map(
		async (start, family) => await liveThrough(stage, { start, family, processes }),
	);
	await passTime(clock, lives, () => isLively(stage));
	for (const attempt of book.attempts) {
		if (attempt.state === 'running') Object.assign(attempt, { state: 'hung', endedAt: clock.now });
	}
	const end = clock.now + afterwardsMs;
	while (await clock.step(end));
	book.timersLeft = clock.pending;
	book.unhandled = [...unhandled];
	return book;
}

function isLively({ book, clock }: Stage): boolean {
	const running = book.attempts.filter(({ state }) => state === 'running');
	if (running.length === 0) return true;
	const begun = running.map(({ begunAt }) => begunAt);
	return clock.now - Math.max(book.requests.at(-1)?.at ?? 0, ...begun) < quietMs;
}

interface Life {
	start: Start;
	family: number;
	processes: Processes;
}

/** An execution and its retries by hand. */
async function liveThrough(stage: Stage, { start, family, processes }: Life): Promise<void> {
	const { clock, world } = stage;
	await clock.sleep(start.atMs);
	const establishedAt = clock.now + clock.aheadMs;
	// A model calls its tool once, for one item.
	const rows = start.kind === 'tool' ? world.rows.slice(0, 1) : world.rows;
	const saved = { context: stringify({}), pass: 0, rows, hasRun: start.kind === 'tool' };
	const apiKey = 'key-of-the-account';
	const base = { start, family, establishedAt, apiKey, number: 0 };
	const first: Execution = {
		...base,
		process: processes.of(start.process),
		saved,
		hasMemory: true,
	};
	const original: Ending = start.failsBefore
		? { status: 'error', saved }
		: await execute(stage, first);
	let last = original;
	let running: Array<Promise<unknown>> = [];
	for (const [n, retry] of start.retries.entries()) {
		if (!retry.isAtOnce) {
			await Promise.all(running);
			running = [];
			await clock.sleep(retry.waitMs);
		}
		const target = retry.of === 'original' ? original : last;
		// n8n offers no retry of what has succeeded or was stopped.
		if (last.status === 'success' || last.status === 'canceled') break;
		const input = target.saved.hasRun
			? target.saved.rows
			: changeInput(rows, retry.input, world.passes);
		const execution: Execution = {
			...base,
			number: n + 1,
			process: processes.of(retry.process),
			...(retry.isOtherAccount && { apiKey: 'key-of-another-account' }),
			saved: { ...target.saved, rows: input },
			// What ran beside the target is not in its memory.
			hasMemory:
				target === last &&
				target.saved.hasRun &&
				target.status === 'error' &&
				!start.retries.slice(0, n + 1).some(({ isAtOnce }) => isAtOnce),
		};
		const ending = execute(stage, execution).then((one) => (last = one));
		running.push(ending);
	}
	await Promise.all(running);
}

/** Each message stays in its round of the loop: a round knows nothing of the others. */
function reverseRounds(rows: Row[], passes: number): Row[] {
	return Array.from({ length: passes }, (_, n) => rowsOfPass(rows, n, passes).reverse()).flat();
}

/** What the steps before give to a retry, if the node had not run. */
function changeInput(rows: Row[], input: Retry['input'], passes: number): Row[] {
	if (input !== 'same' && input !== 'otherTexts' && passes > 1) return reverseRounds(rows, passes);
	if (input === 'reordered') return [...rows].reverse();
	if (input === 'fewer') return rows.slice(1);
	if (input === 'otherTexts') return rows.map((row) => ({ ...row, text: `${row.text} (new)` }));
	const more = { to: '09770000001', numbers: ['959770000001'], text: 'One more', ref: 'more' };
	return input === 'more' ? [more, ...rows] : rows;
}
