import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { listRecipients, toCompact, toRecipientKey } from '../input/number';
import { isZawgyi } from '../input/parts';
import { convertSerial, describeSerial } from '../input/schedule';
import { dayMs } from '../input/time';
import { stepsOf } from '../n8n/expression';
import { isFixed } from '../options/readParameters';
import type { Planned } from './planned';
import { listParts } from './readTexts';

/** What is known of one message. */
interface Checked {
	/** Its number, as written in To. */
	entry: string;
	to: string;
	text: string;
	/** Values of columns that hold nothing but days or times of Excel, and how to show them. */
	serials: string[];
	/** Whether To is typed in for several items. */
	isSameTo: boolean;
	now: number;
}

interface Check {
	name: string;
	/** What it finds, for the sentence. */
	test(checked: Checked): string | false | undefined;
	sentence: string;
}

const placeholder =
	/\*\|\w+\|\*|\$\{[\w .]+\}|\{[A-Za-z][\w ]*\}|\[[A-Za-z][\w ]*\]|#[A-Z][A-Z_]+#|<<[\w ]+>>|%[A-Z][A-Z_]+%/;
const missingValue = /\b(?:undefined|null|NULL|NaN|nan|None|false)\b|\bLoading(?:\.\.\.|…)/;
/** Alone, and not the number of an order, an amount or a part of a longer number. */
const fiveDigits = /(?<![\w#.,/-])\d{5}(?![\w/-]|[.,]\d)/g;

/** Two years: farther days are rare in texts, and prices are not. */
const nearMs = 730 * dayMs;

/** A day around now, as Excel stores it. Round numbers are prices. */
function findDay({ text, serials, now }: Checked): string | undefined {
	if (serials.length > 0) return undefined;
	const day = text
		.match(fiveDigits)
		?.find((word) => Number(word) % 500 > 0 && describeSerial(word, now, nearMs));
	return day && `${day} = ${describeSerial(day, now)?.shown}`;
}

/**
 * The networks of which the ITU's numbering plan (T0202000092) and libphonenumber agree that all numbers have 9 digits
 * after 09 or 959. Other networks have numbers of several lengths.
 */
const networksOfNine = /^959(?:7[5-9]|9[5-7])/;

function findOddLength({ to }: Checked): string | false {
	const extra = to.length - '959123456789'.length;
	if (extra === 0 || !networksOfNine.test(to)) return false;
	const digits = Math.abs(extra) === 1 ? '1 digit' : `${Math.abs(extra)} digits`;
	return `${digits} ${extra > 0 ? 'more' : 'fewer'}`;
}

function hasLostZero({ entry }: Checked): boolean {
	const compact = toCompact(entry);
	return compact.startsWith('9') && toRecipientKey(entry) === `95${compact}`;
}

/** Neither Latin nor Burmese (also Shan) nor full-width ones. */
const otherDigits = /(?![\d\u1040-\u1049\u1090-\u1099\uFF10-\uFF19])\p{Nd}/u;

/** What people should look at in a number or a text. Nothing of it keeps a message from being sent. */
const checks: Check[] = [
	{
		name: 'odd length',
		test: findOddLength,
		sentence: 'The number has <found> than numbers of this network.',
	},
	{
		name: 'lost zero',
		test: (checked) => hasLostZero(checked) && checked.entry,
		sentence: 'The number <found> has no 0 in front: it was read as one in Myanmar.',
	},
	{
		name: 'other digits',
		test: ({ entry }) => otherDigits.test(entry) && entry,
		sentence: 'The number <found> is written in other digits: check how it was read.',
	},
	{
		name: 'same To',
		test: ({ isSameTo, to }) => isSameTo && to,
		sentence: 'To is the same for all items. Drag the column with the numbers into To.',
	},
	{
		name: 'Zawgyi',
		test: ({ text }) => isZawgyi(text) && text,
		sentence:
			'The text looks like Zawgyi. Most phones cannot show it: write it with a Unicode keyboard.',
	},
	{
		name: 'placeholder',
		test: ({ text }) => placeholder.exec(text)?.[0],
		sentence: 'The text contains <found>. People read it as it is: n8n fills in only {{ }}.',
	},
	{
		name: 'missing value',
		test: ({ text }) => missingValue.exec(text)?.[0],
		sentence: 'The text contains <found>, as programs write a missing value.',
	},
	{
		name: 'column of Excel',
		test: ({ serials }) => serials[0],
		sentence: 'People would read a number instead of a date or time of Excel: <found>',
	},
	{
		name: 'day of Excel',
		test: findDay,
		sentence: `The text may contain a day as Excel stores it: <found>. Use ${convertSerial('$json.day', 'd MMM yyyy')}, with the name of its column.`,
	},
];

function readPath(json: IDataObject, steps: string[]): unknown {
	return steps.reduce<unknown>((value, step) => Object(value)[step] as unknown, json);
}

/** The columns of Message that hold nothing but days or times as Excel stores them. */
function listSerialColumns(context: IExecuteFunctions, now: number): string[][] {
	const { message } = context.getNode().parameters;
	if (typeof message !== 'string' || !message.startsWith('=')) return [];
	const columns = listParts(message).flatMap((part) => {
		const steps = typeof part === 'string' ? undefined : stepsOf(part.code);
		return steps ? [steps] : [];
	});
	const isSerial = (value: unknown) => describeSerial(value, now) !== undefined;
	return columns.filter((steps) =>
		context.getInputData().every(({ json }) => isSerial(readPath(json, steps))),
	);
}

function describeColumn(json: IDataObject, steps: string[], now: number): string {
	const value = readPath(json, steps);
	const { shown, format } = describeSerial(value, now)!;
	const field = `$json${steps.map((step) => `[${JSON.stringify(step)}]`).join('')}`;
	return `${steps.join('.')} ${String(value)} = ${shown}. Use ${convertSerial(field, format)}`;
}

/** The entries of a list by the number that they were read as. */
function readEntries(given: unknown): Map<string, string> {
	return new Map(listRecipients(given).map((entry) => [toRecipientKey(entry), entry]));
}

/**
 * The warnings about each message of a dry run, as sentences.
 * @param given To of each item, as the user entered it
 */
export function createChecks(
	context: IExecuteFunctions,
	given: unknown[],
	isSingle: boolean,
): (planned: Planned) => string[] {
	const now = Date.now();
	const items = context.getInputData();
	const columns = listSerialColumns(context, now);
	const isSameTo = !isSingle && items.length > 1 && isFixed(context.getNode().parameters.to);
	// Items often share one list of many thousand numbers.
	const lists = new Map<unknown, Map<string, string>>();
	return ({ item, to, draft }) => {
		const entries = lists.get(given[item]) ?? readEntries(given[item]);
		lists.set(given[item], entries);
		const { json } = items[item];
		const checked: Checked = {
			...{ to, isSameTo, now, entry: entries.get(toRecipientKey(to)) ?? to },
			text: draft?.request.message ?? '',
			serials: draft ? columns.map((steps) => describeColumn(json, steps, now)) : [],
		};
		return checks.flatMap(({ test, sentence }) => {
			const found = test(checked);
			return found ? [sentence.replace('<found>', () => found)] : [];
		});
	};
}
