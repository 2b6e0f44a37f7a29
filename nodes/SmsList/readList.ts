import type { IDataObject } from 'n8n-workflow';

import { describeValue, InputError, nameFirst } from '../shared/input/InputError';
import * as sheet from './Sheet';
import { clean, type Column, isFilled, isWord, type Row } from './Sheet';

/** What people chose; empty to find it. */
interface Chosen {
	phoneColumn: string;
	nameColumn: string;
	/** Separated by commas. */
	dateColumns: string;
	/** Empty to keep numbers. */
	dateFormat: string;
}

interface Person {
	item: number;
	json: IDataObject;
}

const quote = (texts: string[], most = 20) => nameFirst(texts.map(describeValue), most);
const toNames = (columns: Column[]) => quote(columns.map(({ header }) => header));

/** Why there is no list. */
function refuseList(message: string, hint: string): never {
	throw new InputError('list', message, hint, { isOfRun: true });
}

function findPhones(rows: Row[], columns: Column[], chosen: string): Column {
	const filled = rows.filter(({ cells }) => cells.some(isFilled)).slice(0, sheet.mostTitles);
	if (filled.length === 0)
		refuseList('The file is empty', 'Choose another file, or another sheet of it.');
	const single = filled
		.map(({ cells }) => cells.filter(isFilled))
		.filter(({ length }) => length < 2);
	const isParted = single.some(([text]) => /\p{L}.*[;\t].*\p{L}/u.test(clean(text)));
	if (isParted && single.length >= filled.length / 2)
		refuseList(
			'The columns of the file are separated by semicolons or tabs',
			'Save it as .xlsx, or enter the semicolon or tab in Delimiter of Extract from File.',
		);
	const found = chosen
		? columns.filter(({ header }) => sheet.same(header, chosen))
		: sheet.findPhones(rows, columns);
	if (!chosen && found.length > 1)
		refuseList(
			`Several columns have phone numbers: ${toNames(found)}`,
			'Name the right one Phone in the file, or enter its name in Phone Column of SMS List.',
		);
	if (found.length > 0) return found[0];
	const titles = filled.flatMap(({ cells }) => cells.filter(isFilled));
	return refuseList(
		`No column ${chosen ? describeValue(chosen) : 'with phone numbers'} was found. The file begins with ${quote(titles.map(clean), 6)}`,
		'Put the column names, such as phone and name, in one of the first ten rows, and a person in each row below. Or enter the name of the column in Phone Column.',
	);
}

/** The name of each column in the output, in which row, phone and name stand first. */
function toKeys(columns: Column[], own: Array<Column | undefined>): string[] {
	const taken = new Set(['row', 'phone', 'name', 'phoneColumn', 'about']);
	return columns.map((column) => {
		const { header } = column;
		if (own.includes(column) && ['phone', 'name'].includes(header)) return '';
		let key = header;
		for (let n = 2; taken.has(key); n += 1) key = `${header} ${n}`;
		taken.add(key);
		return key;
	});
}

/** The rows and columns of a file, as they were found or chosen. */
class Reading {
	readonly names: Column | undefined;
	/** The column with the phone numbers, and those that take its place where it has none. */
	readonly phones: Column[];
	readonly dates: Column[];
	leftOut = 0;
	private readonly columns: Column[];
	private readonly keys: string[];

	constructor(
		private readonly rows: Row[],
		private readonly chosen: Chosen,
	) {
		const { phoneColumn, nameColumn, dateColumns, dateFormat } = chosen;
		const all = sheet.toColumns(rows, phoneColumn);
		const first = findPhones(rows, all, phoneColumn);
		this.columns = all.filter(({ head }) => head === first.head);
		const others = this.columns.filter((column) => column !== first);
		this.names = nameColumn ? this.find(nameColumn) : sheet.findNames(others);
		const isSpare = (column: Column) =>
			column !== this.names && sheet.isNamedPhone(column) && sheet.hasPhones(column);
		this.phones = [first, ...(phoneColumn ? [] : others.filter(isSpare))];
		const named = dateColumns.split(',').map(clean).filter(isFilled);
		const found = others.filter((column) => sheet.hasDates(column, Date.now()));
		const dates = named.length > 0 ? named.map((name) => this.find(name)) : found;
		this.dates = dateFormat ? dates : [];
		this.keys = toKeys(this.columns, [first, this.names]);
	}

	/** One for each row below the column names, without lines of totals and repeated column names. */
	people(): Person[] {
		return this.rows.slice(this.phones[0].head + 1).flatMap((row): Person[] => {
			const { cells } = row;
			if (!cells.some(isFilled)) return [];
			const isHead = this.columns.every(({ at, header }) => clean(cells[at]) === header);
			const hasNumber = this.phones.some(({ at }) => isFilled(cells[at]));
			if (!isHead && (hasNumber || this.names === undefined || isWord(cells[this.names.at])))
				return [{ item: row.item, json: this.toPerson(row) }];
			this.leftOut += 1;
			return [];
		});
	}

	describe(people: Person[]): string {
		const [first, ...spares] = this.phones;
		const replaced = people.filter(({ json }) => json.phoneColumn).length;
		const spare = `, and where it has none (rows: ${replaced}), ${toNames(spares)}`;
		const others = this.columns.filter(
			(column) => !this.phones.includes(column) && sheet.hasPhones(column),
		);
		const told = [
			`Phone numbers: the column ${toNames([first])}${spares.length > 0 ? spare : ''}.`,
			`Names: ${this.names === undefined ? 'not found' : toNames([this.names])}.`,
			this.dates.length > 0 && `Dates: ${toNames(this.dates)}.`,
			this.leftOut > 0 && `Rows left out, with neither number nor name: ${this.leftOut}.`,
			others.length > 0 &&
				`Phones not used: ${toNames(others)}. To use one, enter its name in Phone Column of SMS List.`,
			`All columns: ${toNames(this.columns)}.`,
		];
		return told.filter(Boolean).join(' ');
	}

	private find(name: string): Column {
		const found = this.columns.find(({ header }) => sheet.same(header, name));
		if (found) return found;
		return refuseList(
			`No column ${describeValue(name)} was found`,
			`The columns are ${toNames(this.columns)}.`,
		);
	}

	private showCell(column: Column, cell: unknown): unknown {
		if (typeof cell === 'number' && this.dates.includes(column))
			return sheet.showDate(cell, this.chosen.dateFormat);
		return typeof cell === 'string' ? cell.trim() : (cell ?? '');
	}

	private toPerson({ row, cells }: Row): IDataObject {
		const { keys, names } = this;
		const [first] = this.phones;
		// A number with a mistake is told, and not replaced.
		const from = this.phones.find(({ at }) => /\p{Nd}/u.test(clean(cells[at]))) ?? first;
		const columns = this.columns.flatMap((column, index) =>
			keys[index] === '' ? [] : [[keys[index], this.showCell(column, cells[column.at])]],
		);
		return {
			row,
			phone: clean(cells[from.at]),
			...(names !== undefined && { name: clean(cells[names.at]) }),
			...(from !== first && { phoneColumn: from.header }),
			...(Object.fromEntries(columns) as IDataObject),
		};
	}
}

/** One item for each person of a file: row, phone and name, and every column by its own name. */
export function readList(
	items: IDataObject[],
	chosen: Chosen,
): { people: Person[]; about: string } {
	const [{ error } = {} as IDataObject] = items;
	if (typeof error === 'string' && items.length === 1)
		refuseList(
			`The file could not be read: ${error.replace(/[.!]+$/, '')}`,
			'Check the name of the sheet, or save the file again as .xlsx.',
		);
	const reading = new Reading(sheet.toRows(items), chosen);
	const people = reading.people();
	if (people.length === 0)
		refuseList('The file has no rows below the column names', 'Add a row for each person.');
	return { people, about: reading.describe(people) };
}
