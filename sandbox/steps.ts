import { setImmediate as nextTurn } from 'node:timers/promises';

/** Long work in steps: other requests are handled at each `yield`. */
export type Steps<T = void> = Generator<void, T, void>;

export function doAtOnce<T>(steps: Steps<T>): T {
	let step = steps.next();
	while (!step.done) step = steps.next();
	return step.value;
}

export async function doInSteps<T>(steps: Steps<T>): Promise<T> {
	for (let step = steps.next(); ; step = steps.next()) {
		if (step.done) return step.value;
		await nextTurn();
	}
}

const entriesPerStep = 1000;

/** Maps a list, and lets other requests run after every thousand entries. */
export async function mapInSteps<From, To>(
	list: From[],
	map: (entry: From) => To | Promise<To>,
): Promise<To[]> {
	const mapped: To[] = [];
	for (const [index, entry] of list.entries()) {
		mapped.push(await map(entry));
		if ((index + 1) % entriesPerStep === 0) await nextTurn();
	}
	return mapped;
}
