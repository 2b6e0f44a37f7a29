interface Entry<T> {
	dueMs: number;
	/** Of two that are due at the same time the earlier one comes first. */
	order: number;
	what: T;
	/** More of the same time, from `next` on. */
	others: readonly T[] | undefined;
	next: number;
}

/** What is to happen at a time of the sandbox's clock: a binary heap, the soonest on top. */
export class Agenda<T> {
	private readonly heap: Array<Entry<T>> = [];
	private added = 0;

	add(dueMs: number, what: T): void {
		this.rise({ dueMs, order: this.added, what, others: undefined, next: 0 });
	}

	/** Thousands of the same time at once. @param list is not to be changed any more */
	addAll(dueMs: number, list: readonly T[]): void {
		if (list.length > 0) {
			this.rise({ dueMs, order: this.added, what: list[0]!, others: list, next: 1 });
		}
	}

	/** Takes off the soonest that is due, if there is any. */
	take(nowMs: number): T | undefined {
		const [top] = this.heap;
		if (!top || top.dueMs > nowMs) return undefined;
		const { what, others, next } = top;
		if (others && next < others.length) {
			top.what = others[next]!;
			top.next += 1;
			return what;
		}
		const last = this.heap.pop()!;
		if (this.heap.length > 0) this.sink(last);
		return what;
	}

	private rise(entry: Entry<T>): void {
		this.added += 1;
		let index = this.heap.length;
		while (index > 0) {
			const parentIndex = (index - 1) >> 1;
			const parent = this.heap[parentIndex]!;
			if (!isSooner(entry, parent)) break;
			this.heap[index] = parent;
			index = parentIndex;
		}
		this.heap[index] = entry;
	}

	private sink(entry: Entry<T>): void {
		const { heap } = this;
		let index = 0;
		for (;;) {
			let child = 2 * index + 1;
			if (child >= heap.length) break;
			const right = child + 1;
			if (right < heap.length && isSooner(heap[right]!, heap[child]!)) child = right;
			if (!isSooner(heap[child]!, entry)) break;
			heap[index] = heap[child]!;
			index = child;
		}
		heap[index] = entry;
	}
}

function isSooner<T>(a: Entry<T>, b: Entry<T>): boolean {
	return a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.order < b.order);
}
