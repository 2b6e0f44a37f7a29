import type { IExecuteFunctions } from 'n8n-workflow';

import { toCompact } from '../input/notation';
import { toRecipientKey } from '../input/number';
import { isZawgyi } from '../input/parts';
import { convertSerial, describeSerial } from '../input/schedule';
import { dayMs } from '../input/time';
import { attempt, toLabel } from '../input/InputError';
import { isFixed } from '../options/fields';
import type { Message } from './message';

/** `isSameTo` says whether To is typed in for several items. */
type Checked = Pick<Message, 'entry' | 'to'> & { text: string; isSameTo: boolean };

const placeholder =
	/\*\|\w+\|\*|\$\{[\w .]+\}|\{[A-Za-z][\w ]*\}|\[[A-Za-z][\w ]*\]|#[A-Z][A-Z_]+#|<<[\w ]+>>|%[A-Z][A-Z_]+%/;
const missingValue = /\b(?:undefined|null|NULL|NaN|nan|None|false)\b|\bLoading(?:\.\.\.|…)/;
/** Alone, and not the number of an order, an amount or a part of a longer number. */
const fiveDigits = /(?<![\w#.,/-])\d{5}(?![\w/-]|[.,]\d)/g;

/** A day around now, as Excel stores it. Round numbers are prices. */
function findDay({ text }: Checked): string | undefined {
	const days = text.match(fiveDigits) ?? [];
	const day = days.find((word) => Number(word) % 500 > 0 && describeSerial(word, Date.now()));
	return day && `${day} = ${describeSerial(day, Date.now())}`;
}

/** Alone, with more decimals than an amount has. */
const fraction = /(?<![\w#.,/-])0\.\d{3,}(?![\w/-]|[.,]\d)/g;

/** A time of day as Excel stores it: a part of a day, to the minute. */
function findTime({ text }: Checked): string | undefined {
	const minutesOf = (word: string) => Number(word) * (dayMs / 60_000);
	const isWhole = (minutes: number) => Math.abs(minutes - Math.round(minutes)) < 0.001;
	const time = text.match(fraction)?.find((word) => isWhole(minutesOf(word)));
	if (time === undefined) return undefined;
	const moment = new Date(Math.round(minutesOf(time)) * 60_000);
	return `${time} = ${moment.toISOString().slice(11, 16)}`;
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

/** What people should look at in a number or a text, and how to say it. Nothing of it keeps a message from being sent. */
const checks: Array<[find: (checked: Checked) => string | boolean | undefined, sentence: string]> =
	[
		[findOddLength, 'The number has <found> than numbers of this network.'],
		[hasLostZero, 'The number has no 0 in front: it was read as one in Myanmar.'],
		[
			({ entry }) => otherDigits.test(entry),
			'The number is written in other digits: check how it was read.',
		],
		[
			({ isSameTo }) => isSameTo,
			'To is the same for all items. Drag the column with the numbers into To.',
		],
		[
			({ text }) => isZawgyi(text),
			'The text looks like Zawgyi. Most phones cannot show it: write it with a Unicode keyboard.',
		],
		[
			({ text }) => placeholder.exec(text)?.[0],
			'The text contains <found>. People read it as it is: n8n fills in only {{ }}.',
		],
		[
			({ text }) => missingValue.exec(text)?.[0],
			'The text contains <found>, as programs write a missing value.',
		],
		[
			findDay,
			`The text may contain a day as Excel stores it: <found>. Use ${convertSerial('$json.day', 'd MMM yyyy')}, with the name of its column.`,
		],
		[
			findTime,
			`The text may contain a time of day as Excel stores it: <found>. Use ${convertSerial('$json.time', 'HH:mm')}, with the name of its column.`,
		],
	];

/** To or Message that reads one row of a list for all items: everybody would get the name of one person. */
function findOneForAll(context: IExecuteFunctions, field: 'to' | 'message'): string[] {
	const written = String(context.getNode().parameters[field]);
	const one = /\{\{.*?((\$\((['"]).+?\3\)|\$input)\.(?:first\(\)|last\(\)|all\(\)\[\d+\]))/s;
	const [, code, source] = (written.startsWith('=') && one.exec(written)) || [];
	if (code === undefined || context.getInputData().length < 2) return [];
	const length = attempt(() => context.evaluateExpression(`{{ ${source}.all().length }}`, 0));
	const rows = 'value' in length ? Number(length.value) : 0;
	const said = `${toLabel(field)} reads ${code} for all items, but that node returned ${rows} items.`;
	return rows > 1 ? [`${said} Use ${source}.item.`] : [];
}

/**
 * The warnings about each message of a dry run.
 * @param isSingle whether one number for all items can be meant, as of an alert
 */
export function createChecks(
	context: IExecuteFunctions,
	isSingle: boolean,
): (message: Message) => string[] {
	const isOfSeveral = !isSingle && context.getInputData().length > 1;
	const isSameTo = isOfSeveral && isFixed(context.getNode().parameters.to);
	const ofAll = [...findOneForAll(context, 'to'), ...findOneForAll(context, 'message')];
	return ({ entry, to, draft }) => {
		const checked = { to, entry, isSameTo, text: draft?.request.message ?? '' };
		const ofItem = checks.flatMap(([find, sentence]) => {
			const found = find(checked);
			return found ? [sentence.replace('<found>', () => String(found))] : [];
		});
		return [...ofAll, ...ofItem];
	};
}
