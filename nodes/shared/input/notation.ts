import { describeValue } from './InputError';

// How people and files write phone numbers.

const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
/** With these, digits are shown in another order than they are sent. */
export const reversing = /[\u202B\u202D\u202E\u2067]/;
/** Spaces, dashes, dots and brackets inside a number. */
const punctuation = /[\s\p{Pd}\u2212.\u00B7()\uFF08\uFF09[\]_]/gu;
/** Quotes, brackets and the = of a formula around a value: `="0979…"`, `'+959…`, `["0979…"]`. */
const around = /^[\s=[{<"'`´‘’“”„«»＂＇#☎📞]+|[\s\]}>"'`´‘’“”„«»＂＇]+$/gu;
/** What people and exports put before a number: `Viber 09…`, `Tel/Viber: 09…`, `p:+959…` (Meta). */
const word =
	'(?:tel|(?:mobile |cell |contact )?phone|mobile|mob|cell|contact|home|work|office|ph|hp|h/p|sms|whatsapp|viber|telegram|ဖုန်း(?:နံပါတ်)?)(?: ?(?:no|number|#))?';
const label = new RegExp(
	`^(?:(?:\\(?${word}\\)?[\\s.:/=-]*){1,3}|\\(?[pmt]\\)?:\\s*)(?=["'(+]*\\d)`,
	'iu',
);
const vCard = /(?:item\d{1,4}\.)?\bTEL(?:;[a-z]+(?:=["a-z,-]+|=\d)?){1,9}:/gi;
/** A name behind a number, `09791234567 (Mg Mg)`: no digits, and not only letters that look like some. */
const name = /(?<=[\d)\]])[\s(\p{Pd}]+(?![OoIl\u101D\u101B]+[^\p{L}\p{M}]*$)\p{L}\P{Nd}*$/u;
/** A slash is between two numbers, `+65 9123 4567 / 4568`, or behind an area code: `+49 176/1234567`. */
const separator =
	/[,;|&\r\n\u060C\u104A\u3001\uFF0C\uFF1B]+|:::|\s\(?(?:and|or|နှင့်|သို့မဟုတ်)\)?\s|(?<=(?:\p{Nd}\P{Nd}{0,3}){9})\/|\/(?=[^\p{L}\p{Nd}+]{0,3}[+0\u1040])/u;
export const plainNumber = /^\+?\d+$/;
/** In UTF-16 units. Longer text is not processed. */
export const longestWritten = 200;

/** Visible text with digits 0 to 9, without quotes and brackets around it. */
export function unwrap(text: string): string {
	return text
		.replace(/(?!\d)\p{Nd}/gu, (digit) => {
			// Unicode has the digits of each script in order.
			const code = digit.codePointAt(0)!;
			let value = 0;
			while (/\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
			return String(value % 10);
		})
		.replace(invisible, '')
		.replace(around, '');
}

export function withoutPunctuation(text: string): string {
	return text.replace(punctuation, '');
}

/** Without label, name and the `.0` of a spreadsheet. The letter ဝ within digits is typed for ၀. */
export function toWritten(text: string): string {
	return unwrap(unwrap(text).replace(label, '').replace(name, ''))
		.replace(/(?<=\d)\u101D+|\u101D+(?=\d)/g, (zeros) => '0'.repeat(zeros.length))
		.replace(/^(\+?\d+)\.0+$/, '$1');
}

/** Removes the notation of a phone number: `tel:+95 (0)9 79-123-4567` becomes `+959791234567`. */
export function toCompact(text: string): string {
	if (plainNumber.test(text) || text.length > longestWritten) return text;
	const number = toWritten(text).replace(/^\uFF0B/, '+');
	return withoutPunctuation(number.replace(/^((?:\+|00)[^()]*)\(\s*0\s*\)/, '$1'))
		.replaceAll('/', '')
		.replace(/^(?:\+|00)?(\d{1,3})(?=\+\1)/, '');
}

export function splitEntries(text: string): string[] {
	if (plainNumber.test(text)) return [text];
	const entries = text.replace(vCard, '').split(separator);
	return entries.map((entry) => entry.trim()).filter((entry) => entry !== '');
}

/** The entries of a text, a number, or a list of both. @param toText throws for an entry of another type */
export function toEntries(value: unknown, toText: (entry: unknown) => string): string[] {
	const given: unknown[] = Array.isArray(value) ? value.flat() : [value];
	return given
		.filter((entry) => entry !== undefined && entry !== null)
		.flatMap((entry) => splitEntries(toText(entry)));
}

/** The same entries as `parseRecipients`, also for values that it rejects. */
export function listRecipients(value: unknown): string[] {
	return toEntries(value, (entry) => (typeof entry === 'string' ? entry : describeValue(entry)));
}
