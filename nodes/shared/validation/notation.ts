/** How people and files write digits: codes and phone numbers are read with the same functions. */

const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u20E3]/gu;
/** Spaces, dashes, dots and parentheses inside a number. */
const punctuation = /[\s\p{Pd}\u2212.\u00B7\u2022\uFF0E()\uFF08\uFF09]/gu;
/** Quotes, brackets and the = of a formula around a value: `="0979…"`, `'+959…`, `["0979…"]`. */
const opening = /^[\s=[<"'`´‘’‚‛“”„«»＂＇]+/;
const closing = /[\s\]>"'`´‘’‚‛“”„«»＂＇]+$/;
/** What exports, links and people put before a phone number: `tel:`, `p:` (Meta), `whatsapp:`, `Ph No. `. */
const label =
	/^(?:(?:tel|telephone|(?:mobile |cell |contact )?phone|mobile|mob|cell|ph|hp|sms|smsto|callto|whatsapp|viber|telegram|signal|ဖုန်း(?:နံပါတ်)?)(?: ?(?:no|number|#))?[\s.:/-]*|[pmt]:\s*|(?:https?:\/\/)?(?:wa\.me\/|api\.whatsapp\.com\/send\/?\?phone=))(?=["'(+%]*\d)/i;

function valueOf(digit: string): string {
	let below = 0;
	const code = digit.codePointAt(0)!;
	// Unicode has the digits of each script in order, and nothing but whole sets side by side.
	while (/\p{Nd}/u.test(String.fromCodePoint(code - below - 1))) below += 1;
	return String(below % 10);
}

/** Converts the digits of any script to 0 to 9. */
export function toAsciiDigits(text: string): string {
	return text.replace(/(?!\d)\p{Nd}/gu, valueOf);
}

/** Visible text with digits 0 to 9, without quotes and brackets around it. */
export function unwrap(text: string): string {
	const visible = toAsciiDigits(text).replace(invisible, '');
	return visible.replace(opening, '').replace(closing, '');
}

/** Removes spaces, dashes, dots and parentheses. */
export function withoutPunctuation(text: string): string {
	return text.replace(punctuation, '');
}

/** Removes the notation of a phone number: `tel:+95 (0)9 79-123-4567` becomes `+959791234567`. */
export function toCompactNumber(text: string): string {
	if (/^\+?\d+$/.test(text)) return text;
	const number = unwrap(unwrap(text).replace(label, ''));
	return withoutPunctuation(
		number.replace(/^(?:\uFF0B|%2B)/i, '+').replace(/^(\s*(?:\+|00)[^()]*)\(\s*0\s*\)/, '$1'),
	);
}

/** Between the phone numbers of a text; a slash only between two digits, as in `0979… / 0997…`. */
export const separator =
	/[,;|&\r\n\u060C\u104A\u3001\uFF0C\uFF1B]+|:::|\s(?:and|or)\s|(?<=\p{Nd}\W{0,3})\/(?=\W{0,3}\p{Nd})/u;
