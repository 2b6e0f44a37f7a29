/** In milliseconds of the processor, which other programs do not take. */
export interface Turns {
	longestMs: number;
	totalMs: number;
}

/** Node 22.16 knows the whole process only. */
const readUsage = process.threadCpuUsage ?? process.cpuUsage;

/** The turns of the event loop until it is over. Here one thread asks and answers. */
export async function watchTurns(work: Promise<unknown>): Promise<Turns> {
	let isOver = false;
	void work.finally(() => (isOver = true)).catch(() => undefined);
	const turns = { longestMs: 0, totalMs: 0 };
	const endsAt = Date.now() + 30_000;
	while (!isOver) {
		if (Date.now() > endsAt) throw new Error('It was not over after 30 s.');
		const { user, system } = readUsage();
		await new Promise((resolve) => setImmediate(resolve));
		const after = readUsage();
		const ms = (after.user + after.system - user - system) / 1_000;
		turns.totalMs += ms;
		turns.longestMs = Math.max(turns.longestMs, ms);
	}
	await work;
	return turns;
}
