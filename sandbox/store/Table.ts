import * as z from 'zod/v4';
import type { Steps } from '../steps';
import type { Row, Store, Value } from './Store';

export interface TableOptions<T> {
	/** A number; default: the row number, which is not a field. */
	key?: keyof T & string;
	/** Columns that order the entities, oldest first; default: the key. */
	order?: string[];
	/** The columns of each index, with its condition. */
	indexes?: string[];
	/** Further columns, for queries only, each with its function. */
	hidden?: Record<string, (entity: T) => Value>;
	/** The last field; a search does not read it. */
	heavy?: keyof T & string;
	/** Entities read at once. */
	pageSize?: number;
}

interface Column<T> {
	name: string;
	/** Of a hidden column. */
	compute?: (entity: T) => Value;
	isNumber?: boolean;
	isJson?: boolean;
	isFlag?: boolean;
	isOptional?: boolean;
}

export interface Found<T> {
	/** Newest first, without the heavy field, with hidden columns. */
	shown: T[];
	/** Number of all matches. */
	total: number;
}

const quote = (name: string): string => `"${name}"`;
/** Finding the oldest entities takes some milliseconds, as does searching very many. */
const entriesPerCut = 1_000;
const entriesPerSearch = 2_000;

/** The entities of one kind in a store. */
export class Table<T extends object> {
	/** No query sees entities from this key on: they are being stored, over several turns. */
	end = Infinity;
	private readonly columns: Array<Column<T>>;
	private readonly visible: Array<Column<T>>;
	private readonly key: string;
	private readonly order: string[];
	/** `order` in SQL, and parameters for it. */
	private readonly place: string;
	private readonly marks: string;
	private readonly newestFirst: string;
	private readonly insertion: string;
	/** Inserts since the oldest were last dropped. */
	private added = 0;

	/** Creates the table if the store does not have it. */
	constructor(
		private readonly store: Store,
		readonly name: string,
		{ shape }: { shape: object },
		private readonly options: TableOptions<T>,
	) {
		const { key = 'rowid', order = [key], indexes = [], hidden = {}, heavy } = options;
		this.key = key;
		this.order = order;
		this.place = order.map(quote).join(', ');
		this.marks = order.map(() => '?').join(', ');
		this.newestFirst = order.map((column) => `${quote(column)} DESC`).join(', ');
		// Not in the signature: declarations of the package need no zod.
		const fields = Object.entries(shape as Record<string, z.core.$ZodType>);
		const visible = fields.map(([field, type]): Column<T> => readColumn(field, type));
		this.visible = visible;
		const further = Object.entries(hidden).map(([column, compute]) => ({ name: column, compute }));
		const last = visible.filter((column) => column.name === heavy);
		this.columns = [...visible.filter((column) => column.name !== heavy), ...further, ...last];
		const types = this.columns.map(({ name: column, isNumber }) => {
			if (column === key) return `${quote(column)} INTEGER PRIMARY KEY`;
			return `${quote(column)} ${isNumber ? 'NUMERIC' : ''}`;
		});
		store.write(`CREATE TABLE IF NOT EXISTS ${name} (${types.join(', ')})`);
		for (const [index, on] of indexes.entries()) {
			store.write(`CREATE INDEX IF NOT EXISTS ${name}${index} ON ${name} ${on}`);
		}
		const names = this.columns.map((column) => quote(column.name)).join(', ');
		const places = this.columns.map(() => '?').join(', ');
		this.insertion = `INSERT OR REPLACE INTO ${name} (${names}) VALUES (${places})`;
	}

	/** @param max number of entities to keep; the oldest are dropped in batches */
	insert(entity: T, max = Infinity): void {
		this.store.write(this.insertion, ...this.columns.map((column) => writeValue(column, entity)));
		this.added += 1;
		const isFull = this.added > Math.max(100, Math.min(max / 10, entriesPerCut));
		if (!isFull || max === Infinity) return;
		this.added = 0;
		this.keepNewest(max);
	}

	/** Writes these fields of a stored entity. */
	update(entity: T, ...names: string[]): void {
		const changed = this.columns.filter(({ name }) => names.includes(name));
		const key = this.columns.filter(({ name }) => name === this.key);
		const values = [...changed, ...key].map((column) => writeValue(column, entity));
		const places = changed.map(({ name }) => `${quote(name)} = ?`).join(', ');
		this.store.write(`UPDATE ${this.name} SET ${places} WHERE ${quote(this.key)} = ?`, ...values);
	}

	find(where: string, ...values: Value[]): T | undefined {
		const [row] = this.select('*', `${where} LIMIT 1`, values);
		return row && this.read(row);
	}

	/** @param where may end in ORDER BY and LIMIT; an OR is in brackets */
	list(where: string, ...values: Value[]): T[] {
		return this.select('*', where, values).map((row) => this.read(row));
	}

	/** Like `list`, with these fields only. */
	listFields<K extends keyof T>(
		names: readonly K[],
		where: string,
		...values: Value[]
	): Pick<T, K>[] {
		const columns = this.columns.filter(({ name }) => names.includes(name as K));
		const rows = this.select(columns.map(({ name }) => quote(name)).join(), where, values);
		return rows.map((row) => this.read(row, columns));
	}

	/** The newest by the order of the table. */
	findNewest(where: string, ...values: Value[]): T | undefined {
		return this.find(`${where} ORDER BY ${this.newestFirst}`, ...values);
	}

	count(where = 'TRUE', ...values: Value[]): number {
		return Number(this.select('count(*) AS count', where, values)[0]?.count);
	}

	sum(name: string): number {
		return Number(this.select(`total(${quote(name)}) AS sum`, 'TRUE', [])[0]?.sum);
	}

	remove(where = 'TRUE', ...values: Value[]): void {
		this.store.write(`DELETE FROM ${this.name} WHERE ${where}`, ...values);
	}

	/** Drops the oldest entities, so that at most `max` are left. */
	keepNewest(max: number): void {
		const kept = this.findPlace('TRUE', [], max);
		if (kept) this.remove(`(${this.place}) <= (${this.marks})`, ...kept);
	}

	/** Oldest first, page by page. @param newest reads only this many of the newest */
	*pages(where = 'TRUE', values: Value[] = [], newest = Infinity): Generator<T[]> {
		const { pageSize = 500 } = this.options;
		const before = Number.isFinite(newest) ? this.findPlace(where, values, newest) : undefined;
		let place = before ?? this.order.map(() => -Infinity);
		const columns = `*, ${this.place}`;
		const condition = `(${where}) AND (${this.place}) > (${this.marks}) ORDER BY ${this.place} LIMIT ${pageSize}`;
		for (;;) {
			const page = this.select(columns, condition, [...values, ...place]);
			if (page.length > 0) yield page.map((row) => this.read(row));
			if (page.length < pageSize) return;
			place = this.readPlace(page.at(-1));
		}
	}

	/** Finds the newest matches, at most `max`, and counts all; each step searches a limited number of entities. */
	*search(where: string, values: Value[], max: number): Steps<Found<T>> {
		const found: Found<T> = { shown: [], total: 0 };
		const light = this.columns
			.flatMap(({ name }) => (name === this.options.heavy ? [] : quote(name)))
			.join();
		let end: Value[] = this.order.map(() => Infinity);
		for (let start: Value[] | undefined = end; start; end = start ?? end) {
			start = this.findPlace(`(${this.place}) < (${this.marks})`, end, entriesPerSearch - 1);
			const from = start ?? this.order.map(() => -Infinity);
			const range = `(${where}) AND (${this.place}) < (${this.marks}) AND (${this.place}) >= (${this.marks})`;
			found.total += this.count(range, ...values, ...end, ...from);
			const newest = `${range} ORDER BY ${this.newestFirst} LIMIT ?`;
			const most = max - found.shown.length;
			const rows = this.select(light, newest, [...values, ...end, ...from, most]);
			found.shown.push(...rows.map((row) => this.read(row, this.columns)));
			yield;
		}
		return found;
	}

	/** Order values of the match with exactly `newer` newer matches; undefined if there is none. */
	private findPlace(where: string, values: Value[], newer: number): number[] | undefined {
		const newest = `${where} ORDER BY ${this.newestFirst} LIMIT 1 OFFSET ?`;
		const [row] = this.select(this.place, newest, [...values, newer]);
		return row && this.readPlace(row);
	}

	private readPlace(row: Row = {}): number[] {
		return this.order.map((name) => Number(row[name]));
	}

	private select(columns: string, where: string, values: Value[]): Row[] {
		const { end, name, key } = this;
		const sql = `SELECT ${columns} FROM ${name} WHERE`;
		if (end === Infinity) return this.store.all(`${sql} ${where}`, ...values);
		// The plus keeps the query on the index of its own condition.
		return this.store.all(`${sql} +${quote(key)} < ? AND ${where}`, end, ...values);
	}

	private read(row: Row, columns = this.visible): T {
		const entity: Record<string, unknown> = {};
		for (const { name, isJson, isFlag, isOptional } of columns) {
			const value = row[name];
			if (value === undefined || (isOptional && value === null)) continue;
			entity[name] = isJson ? (JSON.parse(String(value)) as unknown) : isFlag ? value === 1 : value;
		}
		return entity as T;
	}
}

const jsonTypes = ['array', 'object', 'record', 'unknown'];

function readColumn<T>(name: string, shape: z.core.$ZodType): Column<T> {
	const isOptional = shape instanceof z.ZodOptional;
	const isOpen = isOptional || shape instanceof z.ZodNullable;
	const { type } = (isOpen ? shape.unwrap() : shape)._zod.def;
	const isFlag = type === 'boolean' || type === 'literal';
	const isNumber = type === 'number';
	return { name, isOptional, isNumber, isJson: jsonTypes.includes(type), isFlag };
}

function writeValue<T extends object>({ name, isJson, compute }: Column<T>, entity: T): Value {
	const value = compute ? compute(entity) : (entity as Record<string, unknown>)[name];
	if (value === undefined || value === null) return null;
	if (isJson) return JSON.stringify(value);
	return typeof value === 'boolean' ? Number(value) : (value as Value);
}
