import { describeValue } from './InputError';

// How people and files write digits: codes and phone numbers are read with the same functions.

const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u20E3]/gu;
/** Spaces, dashes, dots and brackets inside a number. */
const punctuation = /[\s\p{Pd}\u2212.\u00B7\u2022\uFF0E()\uFF08\uFF09[\]_]/gu;
/** Quotes, brackets, signs and the = of a formula around a value: `="0979…"`, `'+959…`, `["0979…"]`, `☎ 0979…`. */
const opening = /^[\s=[{<"'`´‘’‚‛“”„«»＂＇#☎☏✆📞📱📲]+/u;
const closing = /[\s\]}>"'`´‘’‚‛“”„«»＂＇]+$/;

/** What exports, links and people put before a phone number, or behind it: `tel:`, `p:` (Meta), `(Viber)`, `Ph No. `. */
const word =
	'\\(?(?:tel|telephone|(?:mobile |cell |contact )?phone|mobile|mob|cell|contact|home|work|office|ph|hp|h/p|sms|smsto|callto|whatsapp|viber|telegram|signal|ဖုန်း(?:နံပါတ်)?)(?: ?(?:no|number|#))?\\)?';
const links =
	'(?:https?://)?(?:wa\\.me/|t\\.me/(?=\\+|%2B)|api\\.whatsapp\\.com/send/?\\?phone=)|viber://\\w+\\?number=';
const label = new RegExp(
	`^(?:(?:${word}[\\s.:/=-]*){1,3}|\\(?[pmt]\\)?:\\s*|${links})(?=["'(+%]*\\d)`,
	'iu',
);
/** A name beside a number: `09791234567 (Mg Mg)`. It has no digits, and not only letters that look like some. */
const name =
	/(?<=\d[)\]]?)(?:\s|[\s-]*\(|\s*\p{Pd})(?=[^\p{L}]*(?:[OoIl\u101D\u101B]*[^\P{L}OoIl\u101D\u101B]|\p{L}\p{M}))\P{Nd}*$/u;
/** Fast path for the most common notation. */
export const plainNumber = /^\+?\d+$/;
/** In UTF-16 units: more than any number needs, with spaces and invisible characters. */
export const longestWritten = 200;

function valueOf(digit: string): number {
	let below = 0;
	const code = digit.codePointAt(0)!;
	// Unicode has the digits of each script in order, and nothing but whole sets side by side.
	while (/\p{Nd}/u.test(String.fromCodePoint(code - below - 1))) below += 1;
	return below % 10;
}

/** Converts the digits of any script to 0 to 9. */
function toAsciiDigits(text: string): string {
	return text.replace(/(?!\d)\p{Nd}/gu, (digit) => String(valueOf(digit)));
}

/** Whether a text has digits of several scripts: a Bengali 4 looks like an 8. */
export function hasMixedDigits(text: string): boolean {
	if (!/(?!\d)\p{Nd}/u.test(text)) return false;
	const zeros = Array.from(
		text.match(/\p{Nd}/gu) ?? [],
		(digit) => digit.codePointAt(0)! - valueOf(digit),
	);
	return new Set(zeros).size > 1;
}

/** Whether a text has other digits than Latin, Burmese (also Shan) or full-width ones. */
export function hasForeignDigits(text: string): boolean {
	return /(?![\d\u1040-\u1049\u1090-\u1099\uFF10-\uFF19])\p{Nd}/u.test(text);
}

/** Visible text with digits 0 to 9, without quotes and brackets around it. */
export function unwrap(text: string): string {
	const visible = toAsciiDigits(text).replace(invisible, '');
	return visible.replace(opening, '').replace(closing, '');
}

export function withoutPunctuation(text: string): string {
	return text.replace(punctuation, '');
}

/** One phone number without a name behind it, with digits 0 to 9. */
export function withoutName(text: string): string {
	return toAsciiDigits(text).replace(name, '');
}

/** Removes the notation of a phone number: `tel:+95 (0)9 79-123-4567` becomes `+959791234567`. */
export function toCompactNumber(text: string): string {
	if (plainNumber.test(text) || text.length > longestWritten) return text;
	const number = unwrap(withoutName(unwrap(text).replace(label, '')));
	return withoutPunctuation(
		number.replace(/^(?:\uFF0B|%2B)/i, '+').replace(/^(\s*(?:\+|00)[^()]*)\(\s*0\s*\)/, '$1'),
	)
		.replaceAll('/', '')
		.replace(/^(?:\+|00)?(\d{1,3})(?=\+\1)/, '');
}

/** The known parameters of a phone number in a vCard (RFC 6350, and WhatsApp's number, which must be the same). */
const parameter =
	'(?:TYPE=["a-z,-]+|VALUE=(?:uri|text)|PREF(?:=\\d{1,3})?|HOME|WORK|CELL|VOICE|MAIN|MSG|IPHONE|TEXT|waid=(\\d{7,15}))';
const vCard = new RegExp(
	`(?:item\\d{1,4}\\.)?\\bTEL(?:;${parameter}){1,9}:(?=([^\\r\\n]{0,${longestWritten}}))`,
	'gi',
);
/** The text that a link fills in. */
const textOfLink = /[?&](?:text|body)=[^\r\n]*/gi;

function withoutVCard(text: string): string {
	return text.replace(vCard, (start: string, whatsApp: string | undefined, number: string) => {
		const isSame = !whatsApp || number.replace(/\P{Nd}/gu, '').endsWith(whatsApp.slice(-7));
		return isSame ? '' : start;
	});
}

/** A slash is within a number after an area code only: `+49 176/1234567`. */
const slash = String.raw`(?<=(?:\p{Nd}\P{Nd}{0,3}){9})\/|(?<=\p{Nd}\P{Nd}{0,3})\/(?=[^\p{L}\p{Nd}+]{0,3}[+0\u1040])`;
const separator = new RegExp(
	String.raw`[,;|&\r\n\u060C\u104A\u3001\uFF0C\uFF1B]+|:::|\s\(?(?:and|or|နှင့်|သို့မဟုတ်)\)?\s|${slash}`,
	'u',
);

/** The phone numbers of a text, as they are written. */
export function splitEntries(text: string): string[] {
	if (plainNumber.test(text)) return [text];
	const entries = withoutVCard(text).replace(textOfLink, '').split(separator);
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
