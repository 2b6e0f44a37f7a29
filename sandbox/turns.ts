import { setImmediate as nextTurn } from 'node:timers/promises';

/** Work that may be long. Each `yield` is a place where it can be left for a while. */
export type Work<T = void> = Generator<void, T, void>;

/** Other answers wait no longer for a turn of this length, and what it was in the middle of. */
const turnMs = 10;

/** In one piece, for whoever calls from the same program and goes on with what came of it. */
export function doAtOnce<T>(work: Work<T>): T {
	let step = work.next();
	while (!step.done) step = work.next();
	return step.value;
}

/** In turns of some milliseconds: between them, whatever else has come is answered. */
export async function doInTurns<T>(work: Work<T>): Promise<T> {
	const turn = new Turn();
	for (let step = work.next(); ; step = work.next()) {
		if (step.done) return step.value;
		if (turn.isOver()) await turn.next();
	}
}

/** Works that wait for their next turn: they share it, so that ten of them take no longer than one. */
let waiting = 0;

/** For work that writes or waits by itself. */
export class Turn {
	private endsAtMs = performance.now() + turnMs / (waiting + 1);

	isOver(): boolean {
		return performance.now() >= this.endsAtMs;
	}

	async next(): Promise<void> {
		waiting += 1;
		await nextTurn();
		this.endsAtMs = performance.now() + turnMs / waiting;
		waiting -= 1;
	}
}
