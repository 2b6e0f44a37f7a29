import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { rm } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Keeper } from '../state';
import { doAtOnce, doInTurns, Turn, type Work } from '../turns';
import type { Entry } from './entries';
import { LogFile } from './LogFile';
import { type Kind, readEntries } from './readEntries';
import { type Change, Unwritten } from './Unwritten';

const minBytesBeforeCopy = 32_000_000;
const maxTextAtOnce = 100_000;

/**
 * Files of a folder that only ever grow. Each generation has a log of changes, and, once it is whole, a base:
 * a copy of everything made while the log was already written. What counts is the newest base and all logs
 * from its generation on; a log whose last line is cut off was being written when the sandbox was killed.
 */
export class DataFolder implements Keeper {
	private generation: number;
	private log: LogFile | undefined;
	private bytesBeforeCopy = minBytesBeforeCopy;
	private readonly unwritten = new Unwritten();
	/** What is being written of a turn; and the line of it that is not written yet. */
	private lines: Iterator<string> | undefined;
	private line = '';
	/** Is to begin: what is added now is in it. */
	private flushing: Promise<string | undefined> | undefined;
	private lastFlush: Promise<unknown> = Promise.resolve();
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
		if (newestBase > 0) readEntries(this.name('base', newestBase), 'base', restore);
		const logs = this.listGenerations('log').filter((generation) => generation >= newestBase);
		for (const generation of logs) readEntries(this.name('log', generation), 'log', restore);
	}

	/** Begins to write, with a copy of all there is. @throws Error when the system refuses to write */
	open(): void {
		try {
			this.startGeneration();
		} catch (error) {
			throw new Error(this.describeRefusal(error));
		}
	}

	/** Takes what is to be written: all of a turn at its end, together. */
	add(change: Change): void {
		this.unwritten.add(change);
		void this.flushSoon();
	}

	findProblem(): string | undefined {
		return this.problem && doAtOnce(this.flush());
	}

	async untilKept(): Promise<string | undefined> {
		return this.isAllWritten() ? this.problem : await this.flushSoon();
	}

	private isAllWritten(): boolean {
		return this.line === '' && this.lines === undefined && this.unwritten.isEmpty();
	}

	/** When this turn is over, and what was to be written before is. */
	private flushSoon(): Promise<string | undefined> {
		if (!this.flushing) {
			this.flushing = this.flushAfter(this.lastFlush);
			this.lastFlush = this.flushing;
		}
		return this.flushing;
	}

	private async flushAfter(earlier: Promise<unknown>): Promise<string | undefined> {
		await nextTurn();
		await earlier;
		this.flushing = undefined;
		return await doInTurns(this.flush());
	}

	/**
	 * Writes what was added. What the system refuses to write is tried again each time.
	 *
	 * @returns why not everything is written, in a sentence
	 */
	private *flush(): Work<string | undefined> {
		if (this.isClosed || this.isAllWritten()) return this.problem;
		try {
			if (!this.log || this.log.isDeleted()) this.startAnew();
			// First what an earlier one was in the middle of.
			yield* this.writeLines();
			if (!this.unwritten.isEmpty()) this.lines = this.unwritten.takeLines();
			yield* this.writeLines();
			if (this.isClosed) return this.problem;
			this.tell(undefined);
			this.copyWhenFull();
		} catch (error) {
			this.tell(this.describeRefusal(error));
		}
		return this.problem;
	}

	private *writeLines(): Work {
		while (!this.isClosed) {
			if (this.line === '') this.line = this.takeLine();
			if (this.line === '') return;
			this.log?.append(this.line);
			this.line = '';
			yield;
		}
	}

	private takeLine(): string {
		const next = this.lines?.next();
		if (next && !next.done) return next.value;
		this.lines = undefined;
		return '';
	}

	close(): void {
		if (this.isClosed) return;
		doAtOnce(this.flush());
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
			const bytes = await this.writeBase(unfinished);
			if (this.isClosed || generation !== this.generation) return;
			renameSync(unfinished, this.name('base', generation));
			this.bytesBeforeCopy = Math.max(minBytesBeforeCopy, 2 * bytes);
			await this.removeOlder();
		} catch (error) {
			const why = describe(error);
			if (!this.isClosed)
				console.error(
					`The data folder ${this.folder} cannot be copied: ${why}. Its files stay as they are, and it is tried again when it has grown.`,
				);
			rmSync(unfinished, { force: true });
		}
		this.isCopying = false;
	}

	private async writeBase(name: string): Promise<number> {
		const base = new LogFile(name);
		try {
			const turn = new Turn();
			let text = '';
			for (const entry of this.listAll()) {
				text += `${JSON.stringify(entry)}\n`;
				if (!turn.isOver() && text.length < maxTextAtOnce) continue;
				base.append(text);
				text = '';
				if (turn.isOver()) await turn.next();
				if (this.isClosed) break;
			}
			base.append(text);
			return base.bytes;
		} finally {
			base.close();
		}
	}

	/** Not at once: a large file takes the system a while. */
	private async removeOlder(): Promise<void> {
		for (const kind of ['log', 'base'] as const) {
			const older = this.listGenerations(kind).filter((one) => one < this.generation);
			for (const generation of older) await rm(this.name(kind, generation), { force: true });
		}
		const unfinished = readdirSync(this.folder).filter((name) => /\.base\.jsonl\.new$/.test(name));
		for (const name of unfinished) await rm(join(this.folder, name), { force: true });
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
