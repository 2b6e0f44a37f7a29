interface Timer {
	at: number;
	order: number;
	owner: string;
	run: () => void;
}

/** When worlds begin unless they say otherwise: a Wednesday morning in Yangon. */
export const beginning = Date.UTC(2030, 0, 16, 3, 0, 0);

/** The owner of timers that rest while the machine sleeps, but are not of our code. */
const ofMachine = 'machine';

/**
 * Virtual time for all simulated processes. It jumps to the next timer once nothing else is left to do, so a wait of
 * a minute costs nothing. Each timer belongs to an owner: a killed process loses its own.
 */
export class Clock {
	/** The true time, in milliseconds since 1970. */
	now: number;
	/** How far the clock of the machine is ahead. */
	aheadMs = 0;
	private wakesAt = -Infinity;
	private sleptMs = 0;
	private order = 0;
	/** The next one last. */
	private timers: Timer[] = [];

	constructor(begunAt = beginning) {
		this.now = begunAt;
	}

	/** `performance.now()`: it stands still while the machine sleeps. */
	get monotonic(): number {
		return this.now - this.sleptMs;
	}

	/** The machine sleeps. What waits on it goes on later; the network and the service do not wait. */
	suspend(forMs: number): void {
		if (this.isAsleep) return;
		this.sleptMs += forMs;
		this.wakesAt = this.now + forMs;
		for (const timer of this.timers) if (timer.owner !== '') timer.at += forMs;
		this.timers.sort((a, b) => b.at - a.at || b.order - a.order);
	}

	get isAsleep(): boolean {
		return this.now < this.wakesAt;
	}

	async untilAwake(): Promise<void> {
		while (this.isAsleep) await this.sleep(this.wakesAt - this.now);
	}

	/** A timer of the machine, not of our code. */
	setOnMachine(run: () => void, ms: number): Timer {
		return this.setTimer(run, ms, ofMachine);
	}

	setTimer(run: () => void, ms = 0, owner = ''): Timer {
		const from = owner !== '' && this.isAsleep ? this.wakesAt : this.now;
		const timer = { at: from + Math.max(0, ms), order: (this.order += 1), owner, run };
		let place = this.timers.length;
		while (place > 0 && this.timers[place - 1].at <= timer.at) place -= 1;
		this.timers.splice(place, 0, timer);
		return timer;
	}

	clearTimer(timer: unknown): void {
		this.timers = this.timers.filter((one) => one !== timer);
	}

	async sleep(ms: number, owner = ''): Promise<void> {
		await new Promise<void>((resolve) => this.setTimer(resolve, ms, owner));
	}

	kill(owner: string): void {
		this.timers = this.timers.filter((one) => one.owner !== owner);
	}

	/** Timers that processes still have. */
	get pending(): number {
		return this.timers.filter(({ owner }) => owner !== '' && owner !== ofMachine).length;
	}

	/** @returns false if there is no timer before `until` */
	async step(until = Infinity): Promise<boolean> {
		// All promises that can settle do so before time goes on.
		await new Promise((resolve) => setImmediate(resolve));
		const next = this.timers.at(-1);
		if (!next || next.at > until) return false;
		this.timers.pop();
		this.now = Math.max(this.now, next.at);
		next.run();
		return true;
	}

	/** `Date`, as a process sees it: by the clock of the machine. */
	createDate(): DateConstructor {
		const readNow = () => this.now + this.aheadMs;
		return class extends Date {
			constructor(...values: []) {
				if (values.length > 0) super(...values);
				else super(readNow());
			}

			static now = readNow;
		} as unknown as DateConstructor;
	}
}
