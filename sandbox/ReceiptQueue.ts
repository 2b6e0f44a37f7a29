/** Max concurrent calls per receiver. */
export const maxCallsAtOnce = 200;
/** Max receipts waiting for a free call, for all receivers together. */
const maxWaiting = 50_000;

/** The calls in flight to one receiver, and the receipts waiting for one, first in, first out. */
interface Line {
	calls: number;
	waiting: Array<{ dueMs: number; start: () => void }>;
}

export interface ReceiptQueueReport {
	/** Calls in flight. */
	underWay: number;
	/** Receipts waiting for a free call because a receiver is slow. */
	waiting: number;
	/** Receipts given up at once because too many were waiting. */
	dropped: number;
	/** Milliseconds since the longest-waiting receipt was due; 0 if none is waiting. */
	waitingLateMs: number;
	/** Milliseconds from due to the end of the first attempt: of the last receipt, and the maximum so far. */
	lastLateMs: number;
	maxLateMs: number;
}

/** Limits the concurrent calls per receiver, and the receipts that wait for one. */
export class ReceiptQueue {
	private readonly lines = new Map<string, Line>();
	private readonly counts = { waiting: 0, dropped: 0, lastLateMs: 0, maxLateMs: 0 };
	/** Receipts being posted, including pauses before retries. */
	private readonly open = new Set<Promise<void>>();

	/** Tracks a posting until it ends. */
	add(posting: Promise<void>): Promise<void> {
		this.open.add(posting);
		return posting.finally(() => this.open.delete(posting));
	}

	isIdle(): boolean {
		return this.open.size === 0;
	}

	/** Resolves when no posting is left. */
	async untilIdle(): Promise<void> {
		while (!this.isIdle()) await Promise.all(this.open);
	}

	/**
	 * Makes a call when it is its turn.
	 *
	 * @returns the result of the call; undefined if it was not made because too many are waiting
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

	/** Hands the slot to the next receipt in the queue. */
	private leave(receiver: string, line: Line): void {
		const next = line.waiting.shift();
		if (next) this.counts.waiting -= 1;
		else line.calls -= 1;
		next?.start();
		if (line.calls === 0) this.lines.delete(receiver);
	}
}
