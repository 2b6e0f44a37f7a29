/** What is to be written, with what it is about. */
export interface Change {
	/** Of several changes of one thing the last state is written, once. */
	about: unknown;
	/** As JSON, one entry or several. */
	write: () => Iterable<string>;
	/** What comes after is another thing, although it is about the same: this one makes it count no more. */
	isEnd?: boolean;
}

const maxLineLength = 100_000;

/** What is to be written of one turn: it is read in again as a whole or not at all. */
export class Unwritten {
	private readonly changes = new Map<unknown, () => Iterable<string>>();
	private ended: Array<() => Iterable<string>> = [];

	add({ about, write, isEnd = false }: Change): void {
		if (isEnd) this.settle();
		this.changes.set(about, write);
	}

	isEmpty(): boolean {
		return this.changes.size === 0 && this.ended.length === 0;
	}

	/** Lines of a bearable length: all but the last begin with a plus. */
	takeLines(): Generator<string> {
		this.settle();
		const { ended } = this;
		this.ended = [];
		return writeLines(ended);
	}

	private settle(): void {
		this.ended.push(...this.changes.values());
		this.changes.clear();
	}
}

function* writeLines(writers: Array<() => Iterable<string>>): Generator<string> {
	let line = '';
	for (const write of writers) {
		for (const entry of write()) {
			if (line.length > maxLineLength) {
				yield `+[${line}]\n`;
				line = '';
			}
			line += line === '' ? entry : `,${entry}`;
		}
	}
	yield `[${line}]\n`;
}
