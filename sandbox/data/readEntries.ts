import type { Entry } from './entries';
import { isFirstLine } from './LogFile';
import { type Line, readLines } from './readLines';

/** Changes, as they came; or a copy of everything. */
export type Kind = 'log' | 'base';

/** @throws Error that names the file and the line which cannot be read */
export function readEntries(file: string, kind: Kind, restore: (entry: Entry) => void): void {
	// Of lines that go on in the next one: all of them count, or none.
	let begun: Entry[] = [];
	for (const line of readLines(file)) {
		const { text, number, isWhole } = line;
		// What stands behind the last line break of a log was cut off; nobody has had an answer to it.
		if (!isWhole && kind === 'log') return;
		if (number === 1 && !isFirstLine(text) && isWhole) throw describeOtherFormat(file);
		if (number === 1 && isWhole) continue;
		nameLine(file, line, () => {
			begun = begun.concat(parseLine(line));
			if (text.startsWith('+')) return;
			for (const entry of begun) restore(entry);
			begun = [];
		});
	}
}

function parseLine({ text, isWhole }: Line): Entry | Entry[] {
	if (!isWhole) throw new Error('It is cut off.');
	return JSON.parse(text.replace(/^\+/, '')) as Entry | Entry[];
}

function nameLine(file: string, { number }: Line, read: () => void): void {
	try {
		read();
	} catch {
		throw new Error(
			`Line ${number} of the data file ${file} cannot be read. Delete its folder to start with an empty sandbox.`,
		);
	}
}

function describeOtherFormat(file: string): Error {
	return new Error(
		`The data file ${file} is of another version of the sandbox. Delete its folder to start with an empty one.`,
	);
}
