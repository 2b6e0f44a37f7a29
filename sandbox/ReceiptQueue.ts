/** Calls of one receiver at the same time. */
const maxCallsAtOnce = 100;
/** Receipts that wait for a free call, of all receivers together. */
const maxWaiting = 50_000;
const takenBeforeCutting = 1_000;

interface Waiting {
	dueMs: number;
	go: () => void;
}

/** The calls of one receiver, and who waits for one: first come, first served. */
class Line {
	calls = 0;
	private waiting: Waiting[] = [];
	private taken = 0;

	add(one: Waiting): void {
		this.waiting.push(one);
	}

	first(): Waiting | undefined {
		return this.waiting[this.taken];
	}

	/** Cuts off what was taken now and then: a shift for each would move all the rest. */
	take(): Waiting | undefined {
		const first = this.first();
		if (first) this.taken += 1;
		if (this.taken >= takenBeforeCutting && this.taken * 2 >= this.waiting.length) {
			this.waiting = this.waiting.slice(this.taken);
			this.taken = 0;
		}
		return first;
	}
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
	/** Milliseconds from when a receipt was due to its answer: of the last one, and the most since the start. */
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

	/**
	 * @param dueMs when the receipt was due, by the sandbox's clock
	 * @returns what the call gave; undefined when it was not made because too many are waiting
	 */
	async call<T>(
		receiver: string,
		dueMs: number,
		makeCall: () => Promise<T>,
	): Promise<T | undefined> {
		const line = this.lines.get(receiver) ?? new Line();
		this.lines.set(receiver, line);
		if (line.calls >= maxCallsAtOnce && !(await this.waitForTurn(line, dueMs))) return undefined;
		line.calls += 1;
		try {
			return await makeCall();
		} finally {
			line.calls -= 1;
			const next = line.take();
			if (next) this.letGo(next);
			else if (line.calls === 0) this.lines.delete(receiver);
		}
	}

	noteLateness(lateMs: number): void {
		this.lastLateMs = lateMs;
		this.maxLateMs = Math.max(this.maxLateMs, lateMs);
	}

	report(nowMs: number): ReceiptQueueReport {
		const { waiting, dropped, lastLateMs, maxLateMs } = this;
		const lines = [...this.lines.values()];
		const underWay = lines.reduce((sum, { calls }) => sum + calls, 0);
		const waitingLateMs = Math.max(
			0,
			...lines.map((line) => nowMs - (line.first()?.dueMs ?? nowMs)),
		);
		return { underWay, waiting, dropped, waitingLateMs, lastLateMs, maxLateMs };
	}

	private async waitForTurn(line: Line, dueMs: number): Promise<boolean> {
		if (this.waiting >= maxWaiting) {
			this.dropped += 1;
			return false;
		}
		this.waiting += 1;
		await new Promise<void>((go) => line.add({ dueMs, go }));
		return true;
	}

	private letGo(next: Waiting): void {
		this.waiting -= 1;
		next.go();
	}
}
