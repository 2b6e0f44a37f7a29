/** A generator of pseudo-random numbers (mulberry32): the same seed gives the same numbers on every machine. */
export class Chance {
	private state: number;

	/** Numbers of neighboring seeds do not resemble each other. */
	constructor(seed: number) {
		this.state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b);
	}

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

	/** The place of one of the weights. */
	weigh(weights: number[]): number {
		let left = this.next() * weights.reduce((sum, weight) => sum + weight, 0);
		return Math.max(
			0,
			weights.findIndex((weight) => (left -= weight) < 0),
		);
	}

	/** One of the names, by weight. */
	choose<T extends string>(weights: Record<T, number>): T {
		return (Object.keys(weights) as T[])[this.weigh(Object.values(weights))];
	}

	bytes(size: number): Buffer {
		return Buffer.from(Array.from({ length: size }, () => this.between(0, 255)));
	}
}
