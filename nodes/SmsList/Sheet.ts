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

/** Where the column names are, and one of the columns. */
export interface Place {
	head: number;
	at: number;
}

export const mostTitles = 10;
/** A header that needs no guessing. */
const exactPhone = /^(phone|mobile|tel|ဖုန်း|ဖုန်းနံပါတ်)( (no|number))?\.?$/i;
const phoneWord = /phone|mob|cell|contact|\btel|\bph\b|\bhp\b|\bh\/p\b|viber|whatsapp|ဖုန်း/i;
/** Their numbers may look like those of phones. */
const idWord = /invoice|receipt|order|\bid\b|account|code|amount|price|total|nrc|passport|voucher/i;
/** Their numbers are not those of the people in the list. */
const otherWord =
	/doctor|\bdr\b|office|clinic|hospital|emergency|staff|agent|teacher|driver|sales|manager|supplier|ဆရာဝန်|ရုံး|ဆေးခန်း|ဆေးရုံ/i;
const nameWord = /name|student|pupil|customer|patient|guest|member|အမည်|နာမည်/i;
/** A longer text is a sentence with the word. */
const longestHeader = 40;

export const clean = (cell: unknown) => String(cell ?? '').trim();
export const isFilled = (cell: unknown) => clean(cell) !== '';
const share = <T>(all: T[], test: (one: T) => boolean) => all.filter(test).length / all.length;

/** Whether a message could be sent to a number in the cell. */
function isPhone(cell: unknown): boolean {
	if (!/\p{Nd}{5}|\p{Nd}[\s\p{Pd}().]/u.test(clean(cell))) return false;
	return listRecipients(cell).some((one) => 'value' in attempt(() => normalizePhoneNumber(one)));
}

export const isWord = (cell: unknown) => /\p{L}/u.test(clean(cell)) && !isPhone(cell);

/** The rows as Extract from File gives them: with Header Row off as lists, else as objects. */
function toRows(items: IDataObject[]): Row[] {
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

/** The rows of a file, and what is in its columns. */
export class Sheet {
	readonly rows: Row[];
	/** The columns. */
	readonly places: number[];
	private readonly phones = new Map<unknown, boolean>();

	constructor(items: IDataObject[]) {
		this.rows = toRows(items);
		const width = this.rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
		this.places = Array.from({ length: width }, (_, at) => at);
	}

	header({ head, at }: Place): string {
		return clean(this.rows[head].cells[at]);
	}

	/** The filled cells of a column. */
	below({ head, at }: Place): unknown[] {
		const rows = this.rows.slice(head + 1);
		return rows.map(({ cells }) => cells[at]).filter(isFilled);
	}

	isPhone(cell: unknown): boolean {
		const known = this.phones.get(cell) ?? isPhone(cell);
		this.phones.set(cell, known);
		return known;
	}

	/** Whether there are phone numbers below, and not those of others. */
	hasPhones(place: Place, least = 0.5): boolean {
		if (otherWord.test(this.header(place))) return false;
		const found = share(this.below(place), (cell) => this.isPhone(cell));
		return found > 0 && found >= least;
	}

	isNamedPhone(place: Place): boolean {
		const header = this.header(place);
		return header.length <= longestHeader && phoneWord.test(header);
	}

	/** The first of the rows that may have the column names, and its first column that qualifies. */
	find(test: (place: Place) => boolean): Place | undefined {
		const least = Math.min(2, this.places.length);
		for (const [head, { cells }] of this.rows.slice(0, mostTitles).entries()) {
			if (cells.filter(isFilled).length < least) continue;
			const at = this.places.find((at) => isWord(cells[at]) && test({ head, at }));
			if (at !== undefined) return { head, at };
		}
		return undefined;
	}

	findPhones(): Place | undefined {
		const isExact = (place: Place) => exactPhone.test(this.header(place));
		return (
			this.find((place) => isExact(place) && this.hasPhones(place)) ??
			this.find((place) => this.isNamedPhone(place) && this.hasPhones(place)) ??
			this.find((place) => !idWord.test(this.header(place)) && this.hasPhones(place)) ??
			this.find(isExact)
		);
	}

	findNames({ head }: Place, others: number[]): number | undefined {
		const isDistinct = (cells: unknown[]) => new Set(cells.map(clean)).size > cells.length / 2;
		const header = (at: number) => this.header({ head, at });
		return (
			others.find((at) => /^name$/i.test(header(at))) ??
			others.find((at) => nameWord.test(header(at)) && !otherWord.test(header(at))) ??
			others.find((at) => {
				const cells = this.below({ head, at });
				return share(cells, isWord) > 0.5 && isDistinct(cells) && !otherWord.test(header(at));
			})
		);
	}

	/** Whether Excel stores days or times in the column. Round numbers are prices. */
	hasDates(place: Place, now: number): boolean {
		const cells = this.below(place);
		const numbers = cells.filter((cell) => typeof cell === 'number');
		if (numbers.length === 0 || numbers.length < cells.length / 2) return false;
		const isTime = (cell: number) => cell > 0 && cell < 1;
		const isDay = (cell: number) => cell >= 1 && describeSerial(cell, now) !== undefined;
		const isRound = numbers.every((cell) => cell % 50 === 0);
		return numbers.every(isTime) || (numbers.every(isDay) && !isRound);
	}
}
