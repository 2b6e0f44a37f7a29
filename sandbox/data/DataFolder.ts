import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Entry } from './entries';
import { isFirstLine, LogFile } from './LogFile';
import { readLines } from './readLines';

type Kind = 'log' | 'base';

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
	private log: LogFile | undefined;
	private bytesInBase = 0;
	private bytesBeforeCopy = minBytesBeforeCopy;
	private lines: string[] = [];
	private willFlush = false;
	private isCopying = false;
	private isClosed = false;
	private problem: string | undefined;

	/**
	 * @param listAll everything that is kept, in the order it is to be read in again
	 * @throws Error when the folder cannot be used
	 */
	constructor(
		private readonly folder: string,
		private readonly listAll: () => Iterable<Entry>,
	) {
		if (existsSync(folder) && !statSync(folder).isDirectory()) {
			throw new Error(`${folder} is a file. --data takes a folder.`);
		}
		try {
			mkdirSync(folder, { recursive: true, mode: 0o700 });
		} catch (error) {
			throw new Error(`The data folder ${folder} cannot be used: ${describe(error)}`);
		}
		this.generation = Math.max(0, ...this.listGenerations('log'), ...this.listGenerations('base'));
	}

	/** @throws Error that names the file and the line which cannot be read */
	read(restore: (entry: Entry) => void): void {
		const newestBase = Math.max(0, ...this.listGenerations('base'));
		if (newestBase > 0) this.readFile(restore, 'base', newestBase);
		const logs = this.listGenerations('log').filter((generation) => generation >= newestBase);
		for (const generation of logs) this.readFile(restore, 'log', generation);
	}

	/** Begins to write, with a copy of all there is. @throws Error when the system refuses to write */
	open(): void {
		try {
			this.startGeneration();
		} catch (error) {
			throw new Error(this.describeRefusal(error));
		}
	}

	/** Takes what is to be written; `flush` writes it, at the end of this turn at the latest. */
	add(entry: Entry): void {
		this.lines.push(`${JSON.stringify(entry)}\n`);
		if (this.willFlush) return;
		this.willFlush = true;
		setImmediate(() => this.flush());
	}

	/**
	 * Writes what was added. What the system refuses to write is tried again each time.
	 *
	 * @returns why not everything is written, in a sentence
	 */
	flush(): string | undefined {
		this.willFlush = false;
		if (this.isClosed || this.lines.length === 0) return this.problem;
		try {
			if (!this.log || this.log.isDeleted()) this.startAnew();
			this.log?.append(this.lines.join(''));
			this.lines = [];
			this.tell(undefined);
			this.copyWhenFull();
		} catch (error) {
			this.tell(this.describeRefusal(error));
		}
		return this.problem;
	}

	close(): void {
		if (this.isClosed) return;
		this.flush();
		this.isClosed = true;
		this.log?.close();
	}

	private startAnew(): void {
		console.error(`The data folder ${this.folder} was removed. It is written anew.`);
		mkdirSync(this.folder, { recursive: true, mode: 0o700 });
		this.startGeneration();
	}

	private copyWhenFull(): void {
		const bytes = this.log?.bytes ?? 0;
		if (this.isCopying || bytes <= this.bytesBeforeCopy) return;
		try {
			this.startGeneration();
		} catch {
			// There is no room for another file: this log still takes everything.
			this.bytesBeforeCopy = bytes + minBytesBeforeCopy;
		}
	}

	/** The old log goes on until the new one is there. */
	private startGeneration(): void {
		const log = new LogFile(this.name('log', this.generation + 1));
		this.log?.close();
		this.log = log;
		this.generation += 1;
		void this.copyAll(this.generation);
	}

	/** A copy that does not get whole is no loss: the older files stay, and it is tried again later. */
	private async copyAll(generation: number): Promise<void> {
		this.isCopying = true;
		const unfinished = `${this.name('base', generation)}.new`;
		try {
			this.bytesInBase = await this.writeBase(unfinished);
			if (this.isClosed || generation !== this.generation) return;
			renameSync(unfinished, this.name('base', generation));
			this.removeOlder();
		} catch (error) {
			if (!this.isClosed) this.tell(this.describeRefusal(error));
			rmSync(unfinished, { force: true });
		}
		this.isCopying = false;
		this.bytesBeforeCopy = Math.max(minBytesBeforeCopy, 2 * this.bytesInBase);
	}

	private async writeBase(name: string): Promise<number> {
		const base = new LogFile(name);
		try {
			let lines: string[] = [];
			for (const entry of this.listAll()) {
				lines.push(`${JSON.stringify(entry)}\n`);
				if (lines.length < entriesPerTurn) continue;
				base.append(lines.join(''));
				lines = [];
				await nextTurn();
				if (this.isClosed) break;
			}
			base.append(lines.join(''));
			return base.bytes;
		} finally {
			base.close();
		}
	}

	private removeOlder(): void {
		for (const kind of ['log', 'base'] as const) {
			const older = this.listGenerations(kind).filter((one) => one < this.generation);
			for (const generation of older) rmSync(this.name(kind, generation), { force: true });
		}
		const unfinished = readdirSync(this.folder).filter((name) => /\.base\.jsonl\.new$/.test(name));
		for (const name of unfinished) rmSync(join(this.folder, name), { force: true });
	}

	private readFile(restore: (entry: Entry) => void, kind: Kind, generation: number): void {
		const file = this.name(kind, generation);
		for (const { text, number, isWhole } of readLines(file)) {
			// What stands behind the last line break of a log was cut off; nobody has had an answer to it.
			if (!isWhole && kind === 'log') return;
			if (number === 1 && !isFirstLine(text) && isWhole) throw describeOtherFormat(file);
			if (number > 1 || !isWhole) restoreLine(restore, file, { text, number, isWhole });
		}
	}

	private name(kind: Kind, generation: number): string {
		return join(this.folder, `${String(generation).padStart(6, '0')}.${kind}.jsonl`);
	}

	/** In order. */
	private listGenerations(kind: Kind): number[] {
		const found = readdirSync(this.folder).flatMap(
			(name) => new RegExp(`^(\\d{6,})\\.${kind}\\.jsonl$`).exec(name)?.[1] ?? [],
		);
		return found.map(Number).sort((a, b) => a - b);
	}

	private describeRefusal(error: unknown): string {
		return `The data folder ${this.folder} cannot be written: ${describe(error)}. The sandbox answers nothing as done until it can.`;
	}

	/** Once, and once more when it is over. */
	private tell(problem: string | undefined): void {
		if (problem && !this.problem) console.error(problem);
		if (!problem && this.problem) console.error(`The data folder ${this.folder} is written again.`);
		this.problem = problem;
	}
}

function describe(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

interface ReadLine {
	text: string;
	number: number;
	isWhole: boolean;
}

function restoreLine(
	restore: (entry: Entry) => void,
	file: string,
	{ text, number, isWhole }: ReadLine,
): void {
	try {
		if (!isWhole) throw new Error('It is cut off.');
		restore(JSON.parse(text) as Entry);
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
