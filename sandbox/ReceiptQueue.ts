import { doInTurns, type Work } from './turns';

/** Calls of one receiver at the same time. */
export const maxCallsAtOnce = 200;
/** Receipts that wait for a free call, of all receivers together. */
const maxWaiting = 50_000;
const takenBeforeCutting = 1_000;

/** A receipt on its way: little, since thousands may wait. */
export interface QueuedCall {
	/** When the receipt was due, by the sandbox's clock. */
	dueMs: number;
	/** Made when it is its turn. */
	call(): Promise<void>;
	/** Told when it is given up before that. */
	end(): void;
}

/** The calls of one receiver, and what waits for one: first come, first served. */
class Line {
	calls = 0;
	private waiting: QueuedCall[] = [];
	private taken = 0;

	add(one: QueuedCall): void {
		this.waiting.push(one);
	}

	first(): QueuedCall | undefined {
		return this.waiting[this.taken];
	}

	isFree(): boolean {
		return this.calls < maxCallsAtOnce;
	}

	takeWhenFree(): QueuedCall | undefined {
		return this.isFree() ? this.take() : undefined;
	}

	takeAll(): QueuedCall[] {
		const all = this.waiting.slice(this.taken);
		[this.waiting, this.taken] = [[], 0];
		return all;
	}

	/** Cuts off what was taken now and then: a shift for each would move all the rest. */
	private take(): QueuedCall | undefined {
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
	/** Receivers with a free call, and somebody who may wait for it. */
	private readonly free = new Set<string>();
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
		const line = this.lines.get(receiver) ?? new Line();
		this.lines.set(receiver, line);
		if (line.isFree() && !line.first()) {
			this.make(receiver, line, one);
			return true;
		}
		const hasRoom = this.waiting < maxWaiting;
		this[hasRoom ? 'waiting' : 'dropped'] += 1;
		if (hasRoom) line.add(one);
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
	*endAll(): Work {
		const waiting = [...this.lines.values()].flatMap((line) => line.takeAll());
		const paused = [...this.paused];
		this.paused.clear();
		this.waiting = 0;
		for (const one of waiting) {
			one.end();
			yield;
		}
		for (const [one, timer] of paused) {
			clearTimeout(timer);
			one.end();
			yield;
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

	private make(receiver: string, line: Line, one: QueuedCall): void {
		line.calls += 1;
		const leave = (): void => {
			line.calls -= 1;
			if (line.calls === 0 && !line.first()) this.lines.delete(receiver);
			else this.fillSoon(receiver);
		};
		one.call().then(leave, leave);
	}

	/** Two hundred answers come at once, and two hundred calls would be a long turn. */
	private fillSoon(receiver: string): void {
		if (this.free.size === 0) setImmediate(() => void doInTurns(this.fill()));
		this.free.add(receiver);
	}

	private *fill(): Work {
		for (const receiver of this.free) {
			let line = this.lines.get(receiver);
			for (let next = line?.takeWhenFree(); line && next; next = line?.takeWhenFree()) {
				this.waiting -= 1;
				this.make(receiver, line, next);
				yield;
				line = this.lines.get(receiver);
			}
			this.free.delete(receiver);
		}
	}
}
