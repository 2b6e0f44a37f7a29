/** High half, low half and second of each entry. */
const width = 3;
const firstSize = 1024;

/**
 * Remembers digests, by their first 64 bits, with the second in which each one came: 24 to 48 bytes for an entry,
 * and nothing for the garbage collector to look through. Open addressing; nothing is ever taken out.
 */
export class DigestTable {
	count = 0;
	/** Always a power of two of entries, at most half of which are in use; second 0 marks a free one. */
	private entries = new Uint32Array(firstSize * width);

	/** Seconds since 1970, or 0 when the digest never came. */
	secondOf(digest: Buffer): number {
		return this.entries[this.find(digest.readUInt32LE(0), digest.readUInt32LE(4)) + 2];
	}

	add(digest: Buffer, second: number): void {
		if (2 * this.count * width >= this.entries.length) this.grow();
		this.put(digest.readUInt32LE(0), digest.readUInt32LE(4), second);
	}

	private put(high: number, low: number, second: number): void {
		const at = this.find(high, low);
		if (this.entries[at + 2] === 0) this.count += 1;
		this.entries.set([high, low, second], at);
	}

	/** Where the digest is, or where it would go. */
	private find(high: number, low: number): number {
		const { entries } = this;
		let at = (low % (entries.length / width)) * width;
		while (entries[at + 2] !== 0 && (entries[at] !== high || entries[at + 1] !== low)) {
			at = (at + width) % entries.length;
		}
		return at;
	}

	private grow(): void {
		const old = this.entries;
		this.entries = new Uint32Array(2 * old.length);
		this.count = 0;
		for (let at = 0; at < old.length; at += width) {
			if (old[at + 2] !== 0) this.put(old[at], old[at + 1], old[at + 2]);
		}
	}
}
