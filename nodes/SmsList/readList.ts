import type { IDataObject } from 'n8n-workflow';

import { describeValue, InputError, nameFirst } from '../shared/input/InputError';
import {
	clean,
	isFilled,
	isWord,
	mostTitles,
	type Place,
	type Row,
	Sheet,
	showDate,
} from './Sheet';

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

const same = (a: string, b: string) =>
	a.normalize('NFC').toLowerCase() === b.normalize('NFC').toLowerCase();
const quote = (texts: string[], most = 20) => nameFirst(texts.map(describeValue), most);

/** Why there is no list. */
function refuseList(message: string, hint: string): never {
	throw new InputError('list', message, hint, { isOfRun: true });
}

function findPhones(sheet: Sheet, chosen: string): Place {
	const filled = sheet.rows.filter(({ cells }) => cells.some(isFilled)).slice(0, mostTitles);
	if (filled.length === 0)
		refuseList('The file is empty', 'Choose another file, or another sheet of it.');
	if (filled.every(({ cells }) => cells.join().includes(';')))
		refuseList(
			'The columns of the file are separated by semicolons',
			'Save it as .xlsx, or set Delimiter in Extract from File to a semicolon.',
		);
	const found = chosen
		? sheet.find((place) => same(sheet.header(place), chosen))
		: sheet.findPhones();
	if (found) return found;
	const titles = filled.flatMap(({ cells }) => cells.filter(isFilled));
	return refuseList(
		`No column ${chosen ? describeValue(chosen) : 'with phone numbers'} was found. The file begins with ${quote(titles.map(clean), 6)}`,
		'Put the column names, such as phone and name, in one of the first ten rows, and a person in each row below. Or enter the name of the column in Phone Column.',
	);
}

/** The name of each column in the output, in which row, phone and name stand first. */
function toKeys(headers: string[], own: Array<number | undefined>): string[] {
	const taken = new Set(['row', 'phone', 'name', 'phoneColumn', 'about']);
	return headers.map((header, at) => {
		if (header === '' || (own.includes(at) && ['phone', 'name'].includes(header))) return '';
		let key = header;
		for (let n = 2; taken.has(key); n += 1) key = `${header} ${n}`;
		taken.add(key);
		return key;
	});
}

/** The rows and columns of a file, as they were found or chosen. */
class Reading {
	readonly names: number | undefined;
	/** The column with the phone numbers, and those that take its place where it has none. */
	readonly phones: number[];
	readonly dates: number[];
	readonly headers: string[];
	leftOut = 0;
	private readonly keys: string[];

	constructor(
		readonly sheet: Sheet,
		private readonly place: Place,
		private readonly chosen: Chosen,
	) {
		const { head, at: first } = place;
		this.headers = sheet.places.map((at) => sheet.header({ head, at }));
		const others = sheet.places.filter((at) => at !== first && this.headers[at] !== '');
		const { nameColumn, dateColumns, dateFormat } = chosen;
		this.names = nameColumn ? this.find(nameColumn) : sheet.findNames(place, others);
		const isSpare = (at: number) =>
			at !== this.names && sheet.isNamedPhone({ head, at }) && sheet.hasPhones({ head, at }, 0);
		this.phones = [first, ...others.filter(isSpare)];
		const named = dateColumns.split(',').map(clean).filter(isFilled);
		const found = others.filter((at) => sheet.hasDates({ head, at }, Date.now()));
		const dates = named.length > 0 ? named.map((name) => this.find(name)) : found;
		this.dates = dateFormat ? dates : [];
		this.keys = toKeys(this.headers, [first, this.names]);
	}

	/** One for each row below the column names, without lines of totals and repeated column names. */
	people(): Person[] {
		return this.sheet.rows.slice(this.place.head + 1).flatMap((row): Person[] => {
			const { cells } = row;
			if (!cells.some(isFilled)) return [];
			const isHead = this.sheet.places.every((at) => clean(cells[at]) === this.headers[at]);
			const hasNumber = this.phones.some((at) => isFilled(cells[at]));
			if (!isHead && (hasNumber || this.names === undefined || isWord(cells[this.names])))
				return [{ item: row.item, json: this.toPerson(row) }];
			this.leftOut += 1;
			return [];
		});
	}

	describe(): string {
		const { headers, place, leftOut } = this;
		const others = quote(this.phones.slice(1).map((at) => headers[at]));
		const spare = others && `, and where it has none, ${others}`;
		const told = [
			`Phone numbers: the column ${describeValue(headers[place.at])}${spare}.`,
			`Names: ${this.names === undefined ? 'not found' : describeValue(headers[this.names])}.`,
			this.dates.length > 0 && `Dates: ${quote(this.dates.map((at) => headers[at]))}.`,
			leftOut > 0 && `Rows left out, without a number and a name: ${leftOut}.`,
			`All columns: ${quote(headers.filter(isFilled))}.`,
		];
		return told.filter(Boolean).join(' ');
	}

	private find(name: string): number {
		const at = this.headers.findIndex((header) => same(header, name));
		if (at >= 0) return at;
		return refuseList(
			`No column ${describeValue(name)} was found`,
			`The columns are ${quote(this.headers.filter(isFilled))}.`,
		);
	}

	private showCell(at: number, cell: unknown): unknown {
		if (typeof cell === 'number' && this.dates.includes(at))
			return showDate(cell, this.chosen.dateFormat);
		return typeof cell === 'string' ? cell.trim() : (cell ?? '');
	}

	private toPerson({ row, cells }: Row): IDataObject {
		const { sheet, keys, names } = this;
		const [first] = this.phones;
		// A number with a mistake is told, and not replaced.
		const from = this.phones.find((at) => /\p{Nd}/u.test(clean(cells[at]))) ?? first;
		const columns = sheet.places.flatMap((at) =>
			keys[at] === '' ? [] : [[keys[at], this.showCell(at, cells[at])]],
		);
		return {
			row,
			phone: clean(cells[from]),
			...(names !== undefined && { name: clean(cells[names]) }),
			...(from !== first && { phoneColumn: this.headers[from] }),
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
	const sheet = new Sheet(items);
	const reading = new Reading(sheet, findPhones(sheet, chosen.phoneColumn), chosen);
	const people = reading.people();
	if (people.length === 0)
		refuseList('The file has no rows below the column names', 'Add a row for each person.');
	return { people, about: reading.describe() };
}
