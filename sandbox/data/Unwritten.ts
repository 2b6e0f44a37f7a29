/** One thing that is to be written, with what it is about. */
export interface Change {
	/** Of several changes of one thing in a turn the last state is written, once. */
	about: unknown;
	/** As JSON. */
	write: () => string;
	/** What came before is written as it is now: this one makes it count no more. */
	isEnd?: boolean;
}

/** What is to be written of one turn: one line, which is read in again as a whole or not at all. */
export class Unwritten {
	private readonly changes = new Map<unknown, () => string>();
	private entries: string[] = [];

	add({ about, write, isEnd = false }: Change): void {
		if (isEnd) this.settle();
		if (!this.changes.has(about)) this.changes.set(about, write);
	}

	isEmpty(): boolean {
		return this.changes.size === 0 && this.entries.length === 0;
	}

	takeLine(): string {
		this.settle();
		const line = `[${this.entries.join(',')}]\n`;
		this.entries = [];
		return line;
	}

	private settle(): void {
		for (const write of this.changes.values()) this.entries.push(write());
		this.changes.clear();
	}
}
