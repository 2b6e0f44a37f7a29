/** Calls of one receiver at the same time. */
export const maxCallsAtOnce = 200;
/** Receipts that wait for a free call, of all receivers together. */
const maxWaiting = 50_000;

/** The calls of one receiver, and what waits for one: first come, first served. */
interface Line {
	calls: number;
	waiting: Array<{ dueMs: number; start: () => void }>;
}

export interface ReceiptQueueReport {
	/** Being called at this moment. */
	underWay: number;
	/** Waiting for a free call, because a receiver is slow. */
	waiting: number;
	/** Given up at once, since too many were waiting. */
	dropped: number;
	/** Milliseconds since the longest waiting one was due; 0 when none is waiting. */
	waitingLateMs: number;
	/** Milliseconds from when a receipt was due to its response: of the last one, and the most since the start. */
	lastLateMs: number;
	maxLateMs: number;
}

/** Lets each receiver have so many calls at once; the others wait, and no more wait than memory bears. */
export class ReceiptQueue {
	private readonly lines = new Map<string, Line>();
	private readonly counts = { waiting: 0, dropped: 0, lastLateMs: 0, maxLateMs: 0 };
	/** What is being posted, pauses before retries included. */
	private readonly open = new Set<Promise<void>>();

	/** Counts a posting until it is over. */
	add(posting: Promise<void>): Promise<void> {
		this.open.add(posting);
		return posting.finally(() => this.open.delete(posting));
	}

	isIdle(): boolean {
		return this.open.size === 0;
	}

	/** Resolves when everything that has begun has ended. */
	async untilIdle(): Promise<void> {
		while (!this.isIdle()) await Promise.all(this.open);
	}

	/**
	 * Makes a call when it is its turn.
	 *
	 * @returns what it returned; undefined when it was not made, because too many are waiting
	 */
	async call<T>(receiver: string, dueMs: number, make: () => Promise<T>): Promise<T | undefined> {
		const line = this.lines.get(receiver) ?? { calls: 0, waiting: [] };
		this.lines.set(receiver, line);
		if (line.calls >= maxCallsAtOnce) {
			const hasRoom = this.counts.waiting < maxWaiting;
			this.counts[hasRoom ? 'waiting' : 'dropped'] += 1;
			if (!hasRoom) return undefined;
			await new Promise<void>((start) => line.waiting.push({ dueMs, start }));
		} else line.calls += 1;
		return await make().finally(() => this.leave(receiver, line));
	}

	noteLateness(lateMs: number): void {
		this.counts.lastLateMs = lateMs;
		this.counts.maxLateMs = Math.max(this.counts.maxLateMs, lateMs);
	}

	report(nowMs: number): ReceiptQueueReport {
		const lines = [...this.lines.values()];
		const underWay = lines.reduce((sum, { calls }) => sum + calls, 0);
		const late = lines.map(({ waiting: [first] }) => nowMs - (first?.dueMs ?? nowMs));
		return { ...this.counts, underWay, waitingLateMs: Math.max(0, ...late) };
	}

	/** The next in the queue takes the place of the one that leaves. */
	private leave(receiver: string, line: Line): void {
		const next = line.waiting.shift();
		if (next) this.counts.waiting -= 1;
		else line.calls -= 1;
		next?.start();
		if (line.calls === 0) this.lines.delete(receiver);
	}
}
