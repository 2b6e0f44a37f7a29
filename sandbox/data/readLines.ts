import { closeSync, openSync, readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';

const bytesAtOnce = 1_000_000;

export interface Line {
	text: string;
	/** 1 for the first. */
	number: number;
	/** Whether a line break stands behind it. */
	isWhole: boolean;
}

/** The lines of a file that may be larger than memory. */
export function* readLines(name: string): Generator<Line> {
	const file = openSync(name, 'r');
	const buffer = Buffer.alloc(bytesAtOnce);
	const decoder = new StringDecoder('utf8');
	let rest = '';
	let number = 0;
	try {
		for (let bytes = -1; bytes !== 0; ) {
			bytes = readSync(file, buffer, 0, bytesAtOnce, null);
			const texts = `${rest}${decoder.write(buffer.subarray(0, bytes))}`.split('\n');
			rest = texts.pop() ?? '';
			for (const text of texts) yield { text, number: (number += 1), isWhole: true };
		}
		if (rest !== '') yield { text: rest, number: number + 1, isWhole: false };
	} finally {
		closeSync(file);
	}
}
