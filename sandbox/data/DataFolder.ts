import {
	closeSync,
	existsSync,
	mkdirSync,
	openSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { State } from '../state';
import { createRestored, type Entry, listEntries, type Restored, restoreEntry } from './entries';

const firstLine = '{"format":1}\n';
/** Entries that are copied in one turn: a few milliseconds, then answers come first. */
const entriesPerTurn = 250;
const minBytesBeforeCopy = 32_000_000;

/**
 * Files of a folder that only ever grow. Each generation has a log of changes, and, once it is whole, a base:
 * a copy of everything made while the log was already written. What counts is the newest base and all logs
 * from its generation on; a log whose last line is cut off was being written when the sandbox was killed.
 */
export class DataFolder {
	private generation: number;
	private log = -1;
	private bytesInLog = 0;
	private bytesInBase = 0;
	private lines: string[] = [];
	private isCopying = false;
	private isClosed = false;

	/** @throws Error when the folder cannot be used */
	constructor(private readonly folder: string) {
		if (existsSync(folder) && !statSync(folder).isDirectory()) {
			throw new Error(`${folder} is a file. --data takes a folder.`);
		}
		mkdirSync(folder, { recursive: true, mode: 0o700 });
		this.generation = Math.max(0, ...this.listGenerations('log'), ...this.listGenerations('base'));
	}

	/** @throws Error that names the file and the line which cannot be read */
	read(): Restored {
		const restored = createRestored();
		const newestBase = Math.max(0, ...this.listGenerations('base'));
		if (newestBase > 0) this.readFile(restored, 'base', newestBase);
		const logs = this.listGenerations('log').filter((generation) => generation >= newestBase);
		for (const generation of logs) this.readFile(restored, 'log', generation);
		return restored;
	}

	/** Begins to write, with a copy of all there is. */
	open(state: State): void {
		void this.startGeneration(state);
	}

	/** Written before whoever asked for the change gets an answer: that takes a turn at least. */
	add(state: State, entry: Entry): void {
		this.lines.push(`${JSON.stringify(entry)}\n`);
		if (this.lines.length === 1) queueMicrotask(() => this.flush());
		const isFull = this.bytesInLog > Math.max(minBytesBeforeCopy, 2 * this.bytesInBase);
		if (isFull && !this.isCopying) void this.startGeneration(state);
	}

	close(): void {
		if (this.isClosed) return;
		this.flush();
		this.isClosed = true;
		closeSync(this.log);
	}

	private flush(): void {
		if (this.isClosed || this.lines.length === 0) return;
		const text = this.lines.join('');
		this.lines = [];
		this.bytesInLog += writeAll(this.log, text);
	}

	private async startGeneration(state: State): Promise<void> {
		this.flush();
		if (this.log !== -1) closeSync(this.log);
		this.generation += 1;
		this.log = openSync(this.name('log', this.generation), 'w', 0o600);
		this.bytesInLog = writeAll(this.log, firstLine);
		this.isCopying = true;
		this.bytesInBase = await this.writeBase(state);
		this.isCopying = false;
		if (!this.isClosed) this.removeOlder();
	}

	private async writeBase(state: State): Promise<number> {
		const { generation } = this;
		const unfinished = `${this.name('base', generation)}.new`;
		const base = openSync(unfinished, 'w', 0o600);
		let bytes = writeAll(base, firstLine);
		let lines: string[] = [];
		for (const entry of listEntries(state)) {
			lines.push(`${JSON.stringify(entry)}\n`);
			if (lines.length < entriesPerTurn) continue;
			bytes += writeAll(base, lines.join(''));
			lines = [];
			await nextTurn();
			if (this.isClosed) break;
		}
		bytes += writeAll(base, lines.join(''));
		closeSync(base);
		if (!this.isClosed) renameSync(unfinished, this.name('base', generation));
		return bytes;
	}

	private removeOlder(): void {
		for (const kind of ['log', 'base'] as const) {
			const older = this.listGenerations(kind).filter((one) => one < this.generation);
			for (const generation of older) rmSync(this.name(kind, generation), { force: true });
		}
		const unfinished = readdirSync(this.folder).filter((name) => /\.base\.jsonl\.new$/.test(name));
		for (const name of unfinished) rmSync(join(this.folder, name), { force: true });
	}

	private readFile(restored: Restored, kind: 'log' | 'base', generation: number): void {
		const file = this.name(kind, generation);
		const lines = readFileSync(file, 'utf8').split('\n');
		// What stands behind the last line break was cut off; nobody has had an answer to it.
		const rest = lines.pop();
		if (kind === 'base' && rest !== '') throw describeDamage(file, lines.length + 1);
		lines.forEach((line, index) => {
			try {
				const isFirst = index === 0;
				if (isFirst && `${line}\n` !== firstLine) throw new Error('It is of another format.');
				if (!isFirst) restoreEntry(restored, JSON.parse(line) as Entry);
			} catch {
				throw describeDamage(file, index + 1);
			}
		});
	}

	private name(kind: 'log' | 'base', generation: number): string {
		return join(this.folder, `${String(generation).padStart(6, '0')}.${kind}.jsonl`);
	}

	/** In order. */
	private listGenerations(kind: 'log' | 'base'): number[] {
		const found = readdirSync(this.folder).flatMap(
			(name) => new RegExp(`^(\\d{6,})\\.${kind}\\.jsonl$`).exec(name)?.[1] ?? [],
		);
		return found.map(Number).sort((a, b) => a - b);
	}
}

function describeDamage(file: string, line: number): Error {
	return new Error(
		`Line ${line} of the data file ${file} cannot be read. Delete its folder to start with an empty sandbox.`,
	);
}

function writeAll(file: number, text: string): number {
	const bytes = Buffer.from(text, 'utf8');
	let written = 0;
	while (written < bytes.length) written += writeSync(file, bytes, written);
	return bytes.length;
}
