/** Values by key that this process forgets some time after they were set. Bounded in memory. */
export class Expiring<V> {
	/** In the order in which they were set, oldest first. */
	private readonly kept = new Map<string, { value: V; at: number }>();

	/** @param most above this, the oldest key is dropped, unless the caller checks `hasRoomFor` first */
	constructor(
		readonly lifeMs: number,
		private readonly most: number,
	) {}

	get(key: string, now = Date.now()): V | undefined {
		const one = this.kept.get(key);
		return one && one.at > now - this.lifeMs ? one.value : undefined;
	}

	set(key: string, value: V, now = Date.now()): void {
		this.kept.delete(key);
		if (!this.hasRoomFor(key, now)) this.kept.delete(String(this.kept.keys().next().value));
		this.kept.set(key, { value, at: now });
	}

	delete(key: string): void {
		this.kept.delete(key);
	}

	hasRoomFor(key: string, now = Date.now()): boolean {
		for (const [oldest, { at }] of this.kept) {
			if (at > now - this.lifeMs) break;
			this.kept.delete(oldest);
		}
		return this.kept.has(key) || this.kept.size < this.most;
	}

	/** When the oldest key is forgotten, in milliseconds since 1970. */
	get roomFrom(): number {
		const [oldest] = this.kept.values();
		return (oldest?.at ?? -Infinity) + this.lifeMs;
	}

	get size(): number {
		return this.kept.size;
	}
}
