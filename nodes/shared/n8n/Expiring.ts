/**
 * Values by key that this process forgets some time after they were set, and when it ends. Bounded in memory. By the
 * time that has passed, unless the caller gives its own: setting the clock makes it forget nothing.
 */
export class Expiring<V> {
	/** In the order in which they were set, oldest first. */
	private readonly kept = new Map<string, { value: V; until: number; size: number }>();
	private size = 0;

	/**
	 * @param lifeMs how long a value is kept by default
	 * @param most sum of all sizes; above this, the oldest key is dropped
	 */
	constructor(
		private readonly lifeMs: number,
		private readonly most: number,
	) {}

	get(key: string, now = performance.now()): V | undefined {
		const one = this.kept.get(key);
		return one && one.until > now ? one.value : undefined;
	}

	set(
		key: string,
		value: V,
		{ now = performance.now(), keepMs = this.lifeMs, size = 1 } = {},
	): void {
		this.delete(key);
		this.kept.set(key, { value, until: now + keepMs, size });
		this.size += size;
		for (const [oldest, { until }] of this.kept) {
			if (this.size <= this.most && until > now) return;
			this.delete(oldest);
		}
	}

	delete(key: string): void {
		this.size -= this.kept.get(key)?.size ?? 0;
		this.kept.delete(key);
	}
}
