import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { attempt } from '../shared/input/InputError';
import { listRecipients } from '../shared/input/notation';
import { normalizePhoneNumber } from '../shared/input/number';
import { describeSerial, toMoment } from '../shared/input/schedule';

/** A row of the file. */
export interface Row {
	item: number;
	/** As people count it. */
	row: number;
	cells: unknown[];
}

/** A column below a row that may have the column names. */
export interface Column {
	head: number;
	at: number;
	header: string;
	/** The filled ones. */
	cells: unknown[];
}

export const mostTitles = 10;
// What headers of the phone of the person in the row consist of.
const owner =
	'customer|client|patient|student|pupil|member|guest|လူနာ|ကျောင်းသား|အဖွဲ့ဝင်|ဖောက်သည်';
const main = 'phone|telephone|mobile|mob|cell|tel|ph|h ?p|ဖုန်း|ဖုံး|ဖုန္း';
const channel = 'contact|viber|whats ?app|telegram|sms|ဆက်သွယ်ရန်';
const aside = 'no|num|number|s|value|my|your|main|primary|first|hand|လက်ကိုင်|နံပါတ်|နံပါတ္|နံပတ်';
const later = 'second|nd|other|alternative|alt|home|ဒုတိယ|အခြား';
/** For headers of these words alone. "No phone" is a remark. */
const ofOnly = (...words: string[]) =>
	new RegExp(`^(?!no (?:phone|contact))(?:(?:${words.join('|')}) ?)+$`, 'u');
const phoneHeader = ofOnly(main, channel, aside, later, owner);
const mainHeader = ofOnly(main, aside, owner);
const plainHeader = ofOnly(aside, later, owner);
const nameHeader = ofOnly('name|full|first|s|of|the|အမည်|နာမည်|အမည္|နာမည္', owner);
/** Their numbers may look like those of phones. */
const idWord = /invoice|receipt|order|\bid\b|account|code|amount|price|total|nrc|passport|voucher/i;
/** A column with numbers or names that the list is not about, where no better one is found. */
const otherWord =
	/doctor|\bdr\b|office|clinic|hospital|emergency|staff|agent|teacher|trainer|coach|driver|sales|referr|ဆရာ|နည်းပြ|ရုံး|ဆေး/i;

export const clean = (cell: unknown) => String(cell ?? '').trim();
export const isFilled = (cell: unknown) => clean(cell) !== '';
const share = <T>(all: T[], test: (one: T) => boolean) => all.filter(test).length / all.length;

/** Whether a message could be sent to a number in the cell. */
function isPhone(cell: unknown): boolean {
	if (!/\p{Nd}{5}|\p{Nd}[\s\p{Pd}().]/u.test(clean(cell))) return false;
	return listRecipients(cell).some((one) => 'value' in attempt(() => normalizePhoneNumber(one)));
}

export const isWord = (cell: unknown) => /\p{L}/u.test(clean(cell)) && !isPhone(cell);

/** The words of a header: `PhNo. 1` has `ph no`. */
function toWords(header: string): string {
	const apart = header.normalize('NFC').replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ');
	const signs = /(?:[^\p{L}\p{M}\p{Nd}]|(?<!\p{Nd})\p{Nd}(?!\p{Nd}))+/gu;
	return apart.replace(signs, ' ').trim().toLowerCase();
}

/** The rows as Extract from File gives them: with Header Row off as lists, else as objects. */
export function toRows(items: IDataObject[]): Row[] {
	const lists = items.flatMap(({ row }, item) =>
		row && typeof row === 'object' ? [{ item, cells: Object.values(row) as unknown[] }] : [],
	);
	if (lists.length > 0) return lists.map((one, index) => ({ ...one, row: index + 1 }));
	const names = [...new Set(items.flatMap(Object.keys))].filter((name) => name !== 'row_number');
	if (names.length === 0) return [];
	const rows = items.map((json, item) => {
		const row = Number(json.row_number ?? item + 2);
		return { item, row, cells: names.map((name) => json[name]) };
	});
	return [{ item: 0, row: 1, cells: names }, ...rows];
}

export function showDate(cell: number, format: string): string {
	const day = DateTime.fromMillis(toMoment(cell), { zone: 'utc', locale: 'en' });
	if (cell < 1) return day.toFormat('HH:mm');
	const hasTime = cell % 1 !== 0 && !/[hHtT]/.test(format);
	return day.toFormat(hasTime ? `${format} HH:mm` : format);
}

const toPlain = (text: string) =>
	text.normalize('NFC').replace(/\s+/g, ' ').replaceAll('’', "'").toLowerCase();
export const same = (a: string, b: string) => toPlain(a) === toPlain(b);

/** The columns with a name, below each row that may have their names. */
export function toColumns(rows: Row[], phoneColumn: string): Column[] {
	const width = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
	return rows.slice(0, mostTitles).flatMap(({ cells: names }, head) => {
		const isShort = names.filter(isFilled).length < Math.min(2, width);
		const isChosen = phoneColumn !== '' && names.some((name) => same(clean(name), phoneColumn));
		if (isShort || (!isChosen && names.some(isPhone))) return [];
		const columns = names.map((name, at) => {
			const cells = rows.slice(head + 1).map((row) => row.cells[at]);
			return { head, at, header: clean(name), cells: cells.filter(isFilled) };
		});
		return columns.filter(({ header }) => header !== '');
	});
}

export function hasPhones({ cells }: Column, least = 0): boolean {
	const found = share(cells, isPhone);
	return found > 0 && found >= least;
}

/** Whether the header says that the phone is that of the person, and nothing else. */
export function isNamedPhone({ header }: Column): boolean {
	const words = toWords(header);
	return phoneHeader.test(words) && !plainHeader.test(words);
}

/** One column, or several between which people choose. */
export function findPhones(rows: Row[], columns: Column[]): Column[] {
	const isMain = ({ header }: Column) => mainHeader.test(toWords(header));
	const named = columns.filter(isNamedPhone);
	const filled = named.filter((column) => hasPhones(column));
	const first = filled.filter(({ head }) => head === filled[0].head);
	const best = first.find(isMain) ?? first[0] ?? named.find(isMain);
	if (best) return [best];
	const words = (head: number) => rows[head].cells.filter(isWord).length;
	const heads = [...new Set(columns.map(({ head }) => head))].sort((a, b) => words(b) - words(a));
	const found = columns.filter((column) => {
		const isOther = idWord.test(column.header) || otherWord.test(column.header);
		return column.head === heads[0] && !isOther && isWord(column.header) && hasPhones(column);
	});
	// Below another number, a word is that of a person without one.
	const isFirst = ({ head, at }: Column) =>
		!rows.slice(0, head).some(({ cells }) => isPhone(cells[at]));
	return found.length > 1 ? found : found.filter((one) => hasPhones(one, 0.5) && isFirst(one));
}

export function findNames(columns: Column[]): Column | undefined {
	const filled = columns.filter(({ cells }) => share(cells, isWord) > 0.5);
	const distinct = filled.filter(({ header, cells }) => {
		return new Set(cells.map(clean)).size > cells.length / 2 && !otherWord.test(header);
	});
	return (
		columns.find(({ header }) => /^(?:name|အမည်|နာမည်)$/i.test(header)) ??
		filled.find(({ header }) => nameHeader.test(toWords(header))) ??
		distinct.find(({ header }) => /name|အမည်|နာမည်/i.test(header)) ??
		distinct[0]
	);
}

/** Whether Excel stores days or times in the column. Round numbers are prices. */
export function hasDates({ header, cells }: Column, now: number): boolean {
	const numbers = cells.filter((cell) => typeof cell === 'number');
	if (numbers.length === 0 || numbers.length < cells.length / 2) return false;
	const isTime = (cell: number) => cell > 0 && cell < 1;
	const isDay = (cell: number) => cell >= 1 && describeSerial(cell, now) !== undefined;
	const isRound = !/date|day|ရက်/i.test(header) && numbers.every((cell) => cell % 50 === 0);
	return numbers.every(isTime) || (numbers.every(isDay) && !isRound);
}
