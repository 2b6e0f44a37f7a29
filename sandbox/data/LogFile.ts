import { closeSync, fstatSync, openSync, writeSync } from 'node:fs';

const firstLine = '{"format":4}';
/** Had one entry in each line; all of a turn in one line. */
const olderFirstLines = ['{"format":2}', '{"format":3}'];

export function isFirstLine(line: string): boolean {
	return line === firstLine || olderFirstLines.includes(line);
}

/** A file that only grows, line by line. */
export class LogFile {
	bytes = 0;
	private readonly file: number;

	/** @throws Error when it cannot be written */
	constructor(name: string) {
		this.file = openSync(name, 'w', 0o600);
		this.append(`${firstLine}\n`);
	}

	/**
	 * What was written of a text that did not get in whole is written over by the next try.
	 *
	 * @throws Error when the system refuses to write
	 */
	append(text: string): void {
		const bytes = Buffer.from(text, 'utf8');
		let written = 0;
		while (written < bytes.length) {
			const left = bytes.length - written;
			written += writeSync(this.file, bytes, written, left, this.bytes + written);
		}
		this.bytes += bytes.length;
	}

	/** A file that was deleted can still be written, and nobody will ever read it. */
	isDeleted(): boolean {
		return fstatSync(this.file).nlink === 0;
	}

	close(): void {
		closeSync(this.file);
	}
}
