import { closeSync, existsSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';

export type Value = SQLInputValue;
export type Row = Record<string, SQLOutputValue>;

/** What was done could not be written, and was undone. */
export class Unwritable extends Error {}

const version = 1;

/** The end of a transaction, for everybody who waits for it. */
interface Transaction {
	ended: Promise<void>;
	resolve: () => void;
	reject: (error: Unwritable) => void;
}

/** A database in memory, in which each statement counts at once. */
export class Database {
	protected readonly connection: DatabaseSync;
	private readonly statements = new Map<string, StatementSync>();

	constructor(file = ':memory:') {
		// By the process: the module loader of Jest 29 does not know node:sqlite.
		const { DatabaseSync: Connection } = process.getBuiltinModule('node:sqlite');
		this.connection = new Connection(file);
	}

	all(sql: string, ...values: Value[]): Row[] {
		return this.prepare(sql).all(...values);
	}

	get(sql: string, ...values: Value[]): Row | undefined {
		return this.prepare(sql).get(...values);
	}

	write(sql: string, ...values: Value[]): void {
		this.prepare(sql).run(...values);
	}

	/** Runs several statements, outside of any transaction. */
	execute(statements: string): void {
		this.connection.exec(statements);
	}

	close(): void {
		if (this.connection.isOpen) this.connection.close();
	}

	private prepare(sql: string): StatementSync {
		const known = this.statements.get(sql);
		if (known) return known;
		const statement = this.connection.prepare(sql);
		this.statements.set(sql, statement);
		return statement;
	}
}

/**
 * Everything that is written in a turn of the event loop is one transaction, which is committed at its end, or
 * earlier by `commit`. A transaction that cannot be written is undone as a whole.
 */
export class Store extends Database {
	/** Why the last transaction was undone, in a sentence; undefined when it was written. */
	problem: string | undefined;
	/** Called before a commit, after it, and when a transaction was undone. */
	hooks = { onCommit: (): void => {}, onCommitted: (): void => {}, onUndone: (): void => {} };
	private transaction: Transaction | undefined;
	/** Identifies the file, which can be deleted while it is open. */
	private readonly inode: number | undefined;

	/**
	 * @param folder in memory when it is left out
	 * @throws Error that names the folder, when it cannot be used or another sandbox uses it
	 */
	constructor(
		schema: string,
		private readonly folder?: string,
	) {
		super(folder === undefined ? undefined : prepareFile(folder));
		try {
			this.lock(schema);
		} catch (error) {
			this.close();
			throw describeOpening(folder ?? '', error);
		}
		if (folder !== undefined) this.inode = statSync(fileOf(folder)).ino;
	}

	override write(sql: string, ...values: Value[]): void {
		this.begin();
		try {
			super.write(sql, ...values);
		} catch (error) {
			throw this.undo(error);
		}
	}

	/** Begins a transaction, which calls `onCommit`, when none is open. */
	begin(): void {
		if (this.transaction) return;
		this.connection.exec('BEGIN');
		let [resolve, reject]: [() => void, (error: Unwritable) => void] = [() => {}, () => {}];
		const ended = new Promise<void>((onEnd, onError) => ([resolve, reject] = [onEnd, onError]));
		ended.catch(() => undefined);
		this.transaction = { ended, resolve, reject };
		setImmediate(() => {
			try {
				this.commit();
			} catch {
				// Those who wait are told.
			}
		});
	}

	/** @throws Unwritable when all of this turn had to be undone */
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
		this.hooks.onCommitted();
	}

	/** Resolves when all that was written so far is committed. @throws Unwritable */
	async committed(): Promise<void> {
		await this.transaction?.ended;
	}

	override close(): void {
		try {
			if (this.connection.isOpen) this.commit();
		} finally {
			super.close();
		}
	}

	private undo(error: unknown): Unwritable {
		if (error instanceof Unwritable) return error;
		if (this.connection.isTransaction) this.connection.exec('ROLLBACK');
		const why = `The data folder ${this.folder} cannot be written: ${describe(error)}. Nothing is done until it can.`;
		const refusal = new Unwritable(why);
		this.tell(why);
		this.transaction?.reject(refusal);
		this.transaction = undefined;
		this.hooks.onUndone();
		return refusal;
	}

	/** Another process that opens the file is refused from here on. */
	private lock(schema: string): void {
		this.connection.exec(
			'PRAGMA locking_mode=EXCLUSIVE; PRAGMA temp_store=MEMORY; PRAGMA cache_size=-16000;',
		);
		const found = this.get('PRAGMA user_version')?.user_version;
		if (found !== 0 && found !== version) throw new Error('it is of another version');
		this.connection.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF; BEGIN EXCLUSIVE;');
		this.connection.exec(`${found === 0 ? schema : ''} PRAGMA user_version=${version}; COMMIT;`);
	}

	/** A file that was deleted can still be written, and nobody would ever read it. */
	private checkFile(): void {
		if (this.folder === undefined) return;
		const found = statSync(fileOf(this.folder), { throwIfNoEntry: false });
		if (found?.ino !== this.inode) throw new Error('it was removed. Restart the sandbox');
	}

	/** Once, and once more when it is over. */
	private tell(problem: string | undefined): void {
		if (problem && !this.problem) console.error(problem);
		if (!problem && this.problem) console.error(`The data folder ${this.folder} is written again.`);
		this.problem = problem;
	}
}

function fileOf(folder: string): string {
	return join(folder, 'sandbox.db');
}

/** Never opens a file that exists: closing it again would release the lock of another sandbox in this process. */
function prepareFile(folder: string): string {
	const file = fileOf(folder);
	if (existsSync(folder) && !statSync(folder).isDirectory()) {
		throw new Error(`${folder} is a file. --data takes a folder.`);
	}
	if (existsSync(folder) && readdirSync(folder).some((name) => name.endsWith('.jsonl'))) {
		throw new Error(
			`The data folder ${folder} holds files of an earlier version (*.jsonl), which cannot be read. Delete them to start with an empty sandbox, or choose another folder with --data.`,
		);
	}
	try {
		mkdirSync(folder, { recursive: true, mode: 0o700 });
		if (!existsSync(file)) closeSync(openSync(file, 'wx', 0o600));
	} catch (error) {
		throw new Error(`The data folder ${folder} cannot be used: ${describe(error)}.`);
	}
	return file;
}

/** SQLite's results for a file that another connection has locked, and for one that is not a database. */
const busy = 5;
const notDatabase = 26;

function describeOpening(folder: string, error: unknown): Error {
	const code = isObject(error) && 'errcode' in error ? error.errcode : undefined;
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

function describe(error: unknown): string {
	return isObject(error) && 'message' in error ? String(error.message) : String(error);
}

/** Tests run in a context of their own, where the errors of SQLite are not instances of Error. */
function isObject(error: unknown): error is object {
	return typeof error === 'object' && error !== null;
}
