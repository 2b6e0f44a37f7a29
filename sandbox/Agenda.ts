interface Entry<T> {
	dueMs: number;
	/** Of two that are due at the same time the earlier one comes first. */
	order: number;
	what: T;
}

/** What is to happen at a time of the sandbox's clock: a binary heap, the soonest on top. */
export class Agenda<T> {
	private readonly heap: Array<Entry<T>> = [];
	private added = 0;

	add(dueMs: number, what: T): void {
		const entry = { dueMs, order: this.added, what };
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

	/** Takes off the soonest that is due, if there is any. */
	take(nowMs: number): T | undefined {
		const [top] = this.heap;
		if (!top || top.dueMs > nowMs) return undefined;
		const last = this.heap.pop()!;
		if (this.heap.length > 0) this.sink(last);
		return top.what;
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
