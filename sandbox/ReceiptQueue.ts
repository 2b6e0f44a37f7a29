/** Calls of one receiver at the same time. */
export const maxCallsAtOnce = 200;
/** Receipts that wait for a free call, of all receivers together. */
const maxWaiting = 50_000;

/** A receipt in flight: little, since thousands may wait. */
export interface QueuedCall {
	/** When the receipt was due, by the sandbox's clock. */
	dueMs: number;
	/** Made when it is its turn. */
	call(): Promise<void>;
	/** Told when it is given up before that. */
	end(): void;
}

/** The calls of one receiver, and what waits for one: first come, first served. */
interface Line {
	calls: number;
	waiting: QueuedCall[];
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
	private readonly paused = new Map<QueuedCall, NodeJS.Timeout>();
	private waiting = 0;
	private dropped = 0;
	private lastLateMs = 0;
	private maxLateMs = 0;
	/** Messages whose receipts are being posted, pauses before retries included. */
	private open = 0;
	private onIdle: Array<() => void> = [];

	begin(): void {
		this.open += 1;
	}

	end(): void {
		this.open -= 1;
		if (this.open === 0) for (const tell of this.onIdle.splice(0)) tell();
	}

	isIdle(): boolean {
		return this.open === 0;
	}

	/** Resolves when everything that has begun has ended. */
	async untilIdle(): Promise<void> {
		if (!this.isIdle()) await new Promise<void>((resolve) => this.onIdle.push(resolve));
	}

	/** @returns false when it is not made, because too many are waiting */
	enter(receiver: string, one: QueuedCall): boolean {
		const line = this.lines.get(receiver) ?? { calls: 0, waiting: [] };
		this.lines.set(receiver, line);
		if (line.calls < maxCallsAtOnce) {
			this.make(receiver, line, one);
			return true;
		}
		const hasRoom = this.waiting < maxWaiting;
		this[hasRoom ? 'waiting' : 'dropped'] += 1;
		if (hasRoom) line.waiting.push(one);
		return hasRoom;
	}

	/** Has one come back so much later. */
	pause(ms: number, one: QueuedCall, goOn: () => void): void {
		const timer = setTimeout(() => {
			this.paused.delete(one);
			goOn();
		}, ms);
		this.paused.set(one, timer.unref());
	}

	/** Gives up all that wait for something. */
	endAll(): void {
		const waiting = [...this.lines.values()].flatMap((line) => line.waiting.splice(0));
		for (const timer of this.paused.values()) clearTimeout(timer);
		const paused = [...this.paused.keys()];
		this.paused.clear();
		this.waiting = 0;
		for (const one of [...waiting, ...paused]) one.end();
	}

	noteLateness(lateMs: number): void {
		this.lastLateMs = lateMs;
		this.maxLateMs = Math.max(this.maxLateMs, lateMs);
	}

	report(nowMs: number): ReceiptQueueReport {
		const { waiting, dropped, lastLateMs, maxLateMs } = this;
		const lines = [...this.lines.values()];
		const underWay = lines.reduce((sum, { calls }) => sum + calls, 0);
		const late = lines.map(({ waiting: [first] }) => nowMs - (first?.dueMs ?? nowMs));
		return {
			underWay,
			waiting,
			dropped,
			waitingLateMs: Math.max(0, ...late),
			lastLateMs,
			maxLateMs,
		};
	}

	private make(receiver: string, line: Line, one: QueuedCall): void {
		line.calls += 1;
		const leave = (): void => {
			line.calls -= 1;
			const next = line.waiting.shift();
			if (next) this.waiting -= 1;
			if (next) this.make(receiver, line, next);
			else if (line.calls === 0) this.lines.delete(receiver);
		};
		one.call().then(leave, leave);
	}
}
