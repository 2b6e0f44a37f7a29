interface Timer {
	at: number;
	order: number;
	owner: string;
	run: () => void;
}

/** When worlds begin unless they say otherwise: a Wednesday morning in Yangon. */
export const beginning = Date.UTC(2030, 0, 16, 3, 0, 0);

/**
 * Virtual time for all simulated processes. It jumps to the next timer once nothing else is left to do, so a wait of
 * a minute costs nothing. Each timer belongs to an owner: a killed process loses its own.
 */
export class Clock {
	/** The true time, in milliseconds since 1970. */
	now: number;
	/** How far the clock of the machine is ahead. */
	aheadMs = 0;
	private order = 0;
	/** The next one last. */
	private timers: Timer[] = [];

	constructor(begunAt = beginning) {
		this.now = begunAt;
	}

	setTimer(run: () => void, ms = 0, owner = ''): Timer {
		const timer = { at: this.now + Math.max(0, ms), order: (this.order += 1), owner, run };
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
		return this.timers.filter(({ owner }) => owner !== '').length;
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
