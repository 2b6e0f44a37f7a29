/** Calls of one receiver at the same time. */
const maxCallsAtOnce = 50;
/** Receipts that wait for a free call, of all receivers together. */
const maxWaiting = 20_000;

interface Line {
	calls: number;
	/** Oldest first. */
	waiting: Set<(isTurn: boolean) => void>;
}

export interface ReceiptQueueReport {
	/** Being called at this moment. */
	underWay: number;
	/** Waiting for a free call, because a receiver is slow. */
	waiting: number;
	/** Given up at once, since too many were waiting. */
	dropped: number;
	/** Milliseconds from when a receipt was due to its answer: of the last one, and of the latest since the start. */
	lastLateMs: number;
	maxLateMs: number;
}

/** Lets each receiver have so many calls at once; the others wait, and no more wait than memory bears. */
export class ReceiptQueue {
	private readonly lines = new Map<string, Line>();
	private waiting = 0;
	private dropped = 0;
	private lastLateMs = 0;
	private maxLateMs = 0;

	/** @returns what the call gave; undefined when it was not made because too many are waiting */
	async call<T>(receiver: string, makeCall: () => Promise<T>): Promise<T | undefined> {
		const line = this.lines.get(receiver) ?? { calls: 0, waiting: new Set() };
		this.lines.set(receiver, line);
		if (line.calls >= maxCallsAtOnce && !(await this.waitForTurn(line))) return undefined;
		line.calls += 1;
		try {
			return await makeCall();
		} finally {
			line.calls -= 1;
			const [next] = line.waiting;
			if (next) this.end(line, next);
			else if (line.calls === 0) this.lines.delete(receiver);
		}
	}

	noteLateness(lateMs: number): void {
		this.lastLateMs = lateMs;
		this.maxLateMs = Math.max(this.maxLateMs, lateMs);
	}

	report(): ReceiptQueueReport {
		const { waiting, dropped, lastLateMs, maxLateMs } = this;
		const underWay = [...this.lines.values()].reduce((sum, { calls }) => sum + calls, 0);
		return { underWay, waiting, dropped, lastLateMs, maxLateMs };
	}

	private async waitForTurn(line: Line): Promise<boolean> {
		if (this.waiting >= maxWaiting) {
			this.dropped += 1;
			return false;
		}
		this.waiting += 1;
		return await new Promise((resolve) => line.waiting.add(resolve));
	}

	private end(line: Line, next: (isTurn: boolean) => void): void {
		line.waiting.delete(next);
		this.waiting -= 1;
		next(true);
	}
}
