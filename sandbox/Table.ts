type IsWanted<T> = (entity: T) => boolean;
const isAny = (): boolean => true;

export interface TableOptions<T> {
	/** Identifies an entity; of several with the same key, `find` returns the newest. */
	key: (entity: T) => unknown;
	/** Negative if the first is older; default: the order in which they were inserted. */
	compare?: (a: T, b: T) => number;
	onChange: () => void;
}

export interface Found<T> {
	/** Newest first. */
	shown: T[];
	/** Number of all matches. */
	total: number;
}

/** Dropping the oldest moves all others, so it is done for many at once. */
const mostBeyond = 1_000;

/** The entities of one kind in memory, oldest first. They are live: whoever changes one calls `noteChange`. */
export class Table<T extends object> {
	private readonly entities: T[] = [];
	private readonly byKey = new Map<unknown, T>();
	private isSorted = true;

	constructor(private readonly options: TableOptions<T>) {}

	get size(): number {
		return this.entities.length;
	}

	/**
	 * @param max number of entities to keep; the oldest are dropped in batches
	 * @returns those that were dropped
	 */
	insert(given: T | T[], max = Infinity): T[] {
		const { key, compare } = this.options;
		for (const entity of [given].flat() as T[]) {
			const last = this.entities.at(-1);
			if (compare && last && compare(last, entity) > 0) this.isSorted = false;
			this.entities.push(entity);
			this.byKey.set(key(entity), entity);
		}
		this.noteChange();
		const isFull = this.size > max + Math.max(100, Math.min(max / 10, mostBeyond));
		return isFull ? this.keepNewest(max) : [];
	}

	noteChange(): void {
		this.options.onChange();
	}

	find(key: unknown): T | undefined {
		return this.byKey.get(key);
	}

	list(isWanted: IsWanted<T> = isAny): T[] {
		return this.sort().filter(isWanted);
	}

	findNewest(isWanted: IsWanted<T>): T | undefined {
		return this.list(isWanted).at(-1);
	}

	/** @returns those that were dropped */
	keepNewest(max: number): T[] {
		const dropped = this.sort().splice(0, Math.max(0, this.size - max));
		for (const entity of dropped) {
			const key = this.options.key(entity);
			if (this.byKey.get(key) === entity) this.byKey.delete(key);
		}
		return dropped;
	}

	clear(): void {
		this.entities.length = 0;
		this.byKey.clear();
		this.noteChange();
	}

	/** Copies, oldest first. @param newest only this many of the newest */
	copy(isWanted: IsWanted<T> = isAny, newest = Infinity): T[] {
		const matches = this.list(isWanted);
		const start = Math.max(0, matches.length - newest);
		return matches.slice(start).map((entity) => ({ ...entity }));
	}

	/** Finds the newest matches, at most `max`, and counts all. */
	search(isWanted: IsWanted<T>, max: number): Found<T> {
		const matches = this.list(isWanted);
		return { shown: matches.slice(-max).reverse(), total: matches.length };
	}

	private sort(): T[] {
		const { compare } = this.options;
		if (!this.isSorted && compare) this.entities.sort(compare);
		this.isSorted = true;
		return this.entities;
	}
}
