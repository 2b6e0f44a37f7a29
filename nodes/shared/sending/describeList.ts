import { nameFirst } from '../input/InputError';
import { hasForeignDigits, listRecipients, toCompactNumber } from '../input/notation';
import { countExtraDigits } from '../input/number';
import { isZawgyi } from '../input/parts';
import { digitsOf, isDomestic } from '../input/recipient';
import type { Plan, RunValues } from './plan';
import { textsOf } from './planned';

/** How many, and the first three of them. Empty for none. */
function nameSome(all: string[], one: string, several: string): string {
	if (all.length === 0) return '';
	return `${all.length === 1 ? one : `${all.length} ${several}`}: ${nameFirst(all)}.`;
}

/** Numbers in digits that few people here can read, and how they were read. */
function describeForeignDigits(entries: string[]): string {
	const foreign = entries.filter(hasForeignDigits).map((entry) => `${entry} as ${digitsOf(entry)}`);
	return nameSome(
		foreign,
		'1 number was read from other digits',
		'numbers were read from other digits',
	);
}

/** Spreadsheets drop the 0 in front of a number. */
function describeRestoredZeros(entries: string[]): string {
	const restored = entries.filter((entry) => {
		const compact = toCompactNumber(entry);
		return compact.startsWith('9') && digitsOf(entry) === `95${compact}`;
	});
	const text = nameSome(restored, '1 number had lost its 0', 'numbers had lost their 0');
	return text && `${text} They were read as numbers in Myanmar.`;
}

/** Numbering plans change, so such a number is sent all the same. */
function describeOddLengths(numbers: string[]): string {
	const odd = numbers.flatMap((number) => {
		const extra = countExtraDigits(number);
		if (extra === 0) return [];
		const digits = Math.abs(extra) === 1 ? 'a digit' : `${Math.abs(extra)} digits`;
		return [
			`0${number.slice(2)} has ${digits} ${extra > 0 ? 'more' : 'less'} than numbers of this network`,
		];
	});
	return nameSome(odd, 'Check 1 number', 'numbers to check');
}

function describeZawgyi(texts: string[]): string {
	const { length } = texts.filter(isZawgyi);
	if (length === 0) return '';
	const looks = length === 1 ? 'Message looks' : `${length} messages look`;
	return `${looks} like Zawgyi, not Unicode. Most phones cannot show it: write it with a Unicode keyboard.`;
}

function describeUnreadOptOuts({
	doNotSendTo: { unread },
}: Pick<RunValues, 'doNotSendTo'>): string {
	const text = nameSome(
		unread,
		'1 entry of Do Not Send To is not a phone number',
		'entries of Do Not Send To are not phone numbers',
	);
	return text && `${text} All others were skipped as listed. Correct the table.`;
}

/** The entries of To, once for items that share a list. */
function listEntries(given: unknown[]): string[] {
	return [...new Set(given)].flatMap(listRecipients);
}

/** What people should look at in the numbers and texts of a run. Nothing of it keeps a message from being sent. */
export function describeList(
	{ given, planned }: Pick<Plan, 'given' | 'planned'>,
	values: Pick<RunValues, 'doNotSendTo' | 'dryRun'>,
): string[] {
	const entries = listEntries(given);
	const numbers = [...new Set(planned.map(({ to }) => to))].filter(isDomestic);
	const texts = [...new Set(textsOf(planned))];
	return [
		describeForeignDigits(entries),
		describeOddLengths(numbers),
		values.dryRun ? describeRestoredZeros(entries) : '',
		describeZawgyi(texts),
		describeUnreadOptOuts(values),
	];
}
