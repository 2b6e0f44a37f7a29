import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';

export type Value = SQLInputValue;
export type Row = Record<string, SQLOutputValue>;

/** The changes could not be written and were rolled back. */
export class Unwritable extends Error {}

const version = 2;

/**
 * A database. All writes in a turn of the event loop are one transaction, committed at the end of the turn or
 * earlier by `commit`. A transaction that cannot be written is rolled back as a whole.
 */
export class Store {
	/** Why the last transaction was rolled back, in a sentence; undefined if it was committed. */
	problem: string | undefined;
	/** Number of transactions that were rolled back. */
	rollbacks = 0;
	/** Called before a commit, and after a commit or rollback. */
	hooks: { onCommit: () => void; onEnd: (isCommitted: boolean) => void } = {
		onCommit: () => {},
		onEnd: () => {},
	};
	private readonly connection: DatabaseSync;
	private readonly statements = new Map<string, StatementSync>();
	/** The open transaction; settles when it is committed or rolled back. */
	private transaction: PromiseWithResolvers<void> | undefined;
	/** Identifies the file: it can be deleted or replaced while it is open. */
	private readonly inode: number | undefined;

	/**
	 * @param folder default: in memory
	 * @throws Error that names the folder, if it cannot be used or another sandbox uses it
	 */
	constructor(private readonly folder?: string) {
		const file = folder === undefined ? ':memory:' : prepareFile(folder);
		try {
			this.connection = open(file);
		} catch (error) {
			throw describeOpening(folder ?? '', error);
		}
		if (folder !== undefined) this.inode = statSync(fileOf(folder)).ino;
	}

	all(sql: string, ...values: Value[]): Row[] {
		return this.prepare(sql).all(...values);
	}

	write(sql: string, ...values: Value[]): void {
		this.begin();
		try {
			this.prepare(sql).run(...values);
		} catch (error) {
			throw this.undo(error);
		}
	}

	/** Begins a transaction if none is open; its commit calls `onCommit`. */
	begin(): void {
		if (this.transaction) return;
		this.connection.exec('BEGIN');
		this.transaction = Promise.withResolvers<void>();
		this.transaction.promise.catch(() => undefined);
		setImmediate(() => {
			try {
				this.commit();
			} catch {
				// `committed` rejects for all callers that wait.
			}
		});
	}

	/** @throws Unwritable when the transaction was rolled back */
	commit(): void {
		const { transaction } = this;
		if (!transaction) return;
		try {
			this.hooks.onCommit();
			this.checkFile();
			this.connection.exec('COMMIT');
		} catch (error) {
			throw this.undo(error);
		}
		this.transaction = undefined;
		this.tell(undefined);
		transaction.resolve();
		this.hooks.onEnd(true);
	}

	/** Resolves when all writes so far are committed. @throws Unwritable */
	async committed(): Promise<void> {
		await this.transaction?.promise;
	}

	close(): void {
		if (!this.connection.isOpen) return;
		try {
			this.commit();
		} finally {
			this.connection.close();
		}
	}

	private prepare(sql: string): StatementSync {
		const known = this.statements.get(sql);
		if (known) return known;
		const statement = this.connection.prepare(sql);
		this.statements.set(sql, statement);
		return statement;
	}

	private undo(error: unknown): Unwritable {
		if (error instanceof Unwritable) return error;
		if (this.connection.isTransaction) this.connection.exec('ROLLBACK');
		const why = `The data folder ${this.folder} cannot be written: ${describe(error)}. Nothing is done until it can.`;
		const refusal = new Unwritable(why);
		this.tell(why);
		this.transaction?.reject(refusal);
		this.transaction = undefined;
		this.rollbacks += 1;
		this.hooks.onEnd(false);
		return refusal;
	}

	/** Writes to a deleted file succeed, but are lost. */
	private checkFile(): void {
		if (this.folder === undefined) return;
		const found = statSync(fileOf(this.folder), { throwIfNoEntry: false });
		if (found?.ino !== this.inode) throw new Error('it was removed. Restart the sandbox');
	}

	/** Logs when a problem begins and when it ends. */
	private tell(problem: string | undefined): void {
		if (problem && !this.problem) console.error(problem);
		if (!problem && this.problem) console.error(`The data folder ${this.folder} is written again.`);
		this.problem = problem;
	}
}

function fileOf(folder: string): string {
	return join(folder, 'sandbox.db');
}

/** Never opens an existing file: closing it would release the lock of another sandbox in this process. */
function prepareFile(folder: string): string {
	const file = fileOf(folder);
	if (existsSync(folder) && !statSync(folder).isDirectory()) {
		throw new Error(`${folder} is a file. --data takes a folder.`);
	}
	try {
		mkdirSync(folder, { recursive: true, mode: 0o700 });
		if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
	} catch (error) {
		throw new Error(`The data folder ${folder} cannot be used: ${describe(error)}.`);
	}
	return file;
}

/** SQLite result codes: locked by another connection, not a database. */
const busy = 5;
const notDatabase = 26;
const attemptsToLock = 4;

/** No other connection can use the file from here on. */
function open(file: string, attempt = 1): DatabaseSync {
	// Not imported: the module loader of Jest 29 does not support node:sqlite.
	const { DatabaseSync: Connection } = process.getBuiltinModule('node:sqlite');
	const connection = new Connection(file);
	try {
		lock(connection);
		return connection;
	} catch (error) {
		connection.close();
		if (readCode(error) !== busy || attempt === attemptsToLock) throw error;
		// Two that open the file at the same moment keep each other out: chance decides which is first.
		Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50 * Math.random());
		return open(file, attempt + 1);
	}
}

function lock(connection: DatabaseSync): void {
	connection.exec('PRAGMA locking_mode=EXCLUSIVE; PRAGMA temp_store=MEMORY;');
	const found = connection.prepare('PRAGMA user_version').get()?.user_version;
	if (found !== 0 && found !== version) throw new Error('it is of another version');
	connection.exec('PRAGMA cache_size=-16000; PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;');
	connection.exec(`BEGIN EXCLUSIVE; PRAGMA user_version=${version}; COMMIT;`);
}

function describeOpening(folder: string, error: unknown): Error {
	const code = readCode(error);
	if (code === busy) {
		return new Error(
			`The data folder ${folder} is used by another sandbox. Stop that one, or choose another folder with --data.`,
		);
	}
	const why = code === notDatabase ? 'it is damaged' : describe(error);
	return new Error(
		`The data folder ${folder} cannot be read: ${why}. Delete it to start with an empty sandbox.`,
	);
}

/** SQLite and the file system throw errors only. */
const describe = (error: unknown) => (error as Error).message;
const readCode = (error: unknown) => Number((error as { errcode?: number }).errcode) & 0xff;
