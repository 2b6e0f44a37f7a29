/**
 * What this process remembers of some kind: bounded, the oldest goes first, and lost when the process ends. Setting
 * the clock makes it forget nothing.
 */
export class Recent<V> {
	private readonly kept = new Map<string, { value: V; until: number; size: number }>();
	private size = 0;

	/** @param most the sum of all sizes */
	constructor(private readonly most: number) {}

	get(key: string): V | undefined {
		const one = this.kept.get(key);
		return one && one.until >= performance.now() ? one.value : undefined;
	}

	/** @param keepMs when it is forgotten */
	set(key: string, value: V, { keepMs = Infinity, size = 1 } = {}): void {
		const now = performance.now();
		this.forget(key);
		this.kept.set(key, { value, until: now + keepMs, size });
		this.size += size;
		for (const [oldest, one] of this.kept) {
			if (this.size <= this.most && one.until >= now) return;
			this.forget(oldest);
		}
	}

	private forget(key: string): void {
		this.size -= this.kept.get(key)?.size ?? 0;
		this.kept.delete(key);
	}
}
