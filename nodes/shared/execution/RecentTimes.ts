/** Recent times by key: exact within a time window, and bounded in memory. */
export class RecentTimes {
	/** In the order of the last addition, oldest first. */
	private readonly times = new Map<string, number[]>();

	/** @param mostKeys above this, the oldest key is dropped, unless the caller checks `hasRoomFor` first */
	constructor(
		readonly windowMs: number,
		private readonly mostKeys: number,
	) {}

	/** Milliseconds since 1970, oldest first. */
	of(key: string, now: number): number[] {
		return (this.times.get(key) ?? []).filter((time) => time > now - this.windowMs);
	}

	hasRoomFor(key: string, now: number): boolean {
		this.forgetOld(now);
		return this.times.has(key) || this.times.size < this.mostKeys;
	}

	/** The last time of the key that expires first. */
	oldest(): number | undefined {
		const [first] = this.times.values();
		return first?.at(-1);
	}

	/** @param most how many of the newest times of the key are kept */
	add(key: string, now: number, most = 1): void {
		const kept = [...this.of(key, now), now].slice(-most);
		this.times.delete(key);
		if (!this.hasRoomFor(key, now)) this.times.delete(String(this.times.keys().next().value));
		this.times.set(key, kept);
	}

	remove(key: string, time: number): void {
		const times = this.times.get(key) ?? [];
		const index = times.lastIndexOf(time);
		if (index >= 0) times.splice(index, 1);
		if (times.length === 0) this.times.delete(key);
	}

	get size(): number {
		return this.times.size;
	}

	private forgetOld(now: number): void {
		for (const [key, times] of this.times) {
			if (Number(times.at(-1)) > now - this.windowMs) return;
			this.times.delete(key);
		}
	}
}
