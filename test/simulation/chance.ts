/** A generator of pseudo-random numbers (mulberry32): the same seed gives the same numbers on every machine. */
export class Chance {
	constructor(private state: number) {}

	/** From 0 to 1, without 1. */
	next = (): number => {
		this.state = (this.state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};

	is(probability: number): boolean {
		return this.next() < probability;
	}

	/** A whole number from `least` to `most`. */
	between(least: number, most: number): number {
		return least + Math.floor(this.next() * (most - least + 1));
	}

	pick<T>(list: readonly T[]): T {
		return list[Math.floor(this.next() * list.length)];
	}

	/** One of the values, by weight. */
	weigh<T>(choices: ReadonlyArray<readonly [weight: number, value: T]>): T {
		let left = this.next() * choices.reduce((sum, [weight]) => sum + weight, 0);
		for (const [weight, value] of choices) if ((left -= weight) < 0) return value;
		return choices[0][1];
	}

	bytes(size: number): Buffer {
		return Buffer.from(Array.from({ length: size }, () => this.between(0, 255)));
	}
}
