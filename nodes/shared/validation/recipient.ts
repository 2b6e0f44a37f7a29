import { withoutNationalZero } from './country';
import { normalizeEmail } from './email';
import { describeValue, EmptyError, InputError } from './InputError';
import { rejectExpression } from './text';

/** Numbers without a country code belong to this country (field note 16). */
export const homeCountryCode = '95';
/** Numbers of the home country have 6 to 10 digits after 09, 959 or +959. */
const domesticMobile = /^959\d{6,10}$/;
/** Fast path for the most common notation. */
const plainNumber = /^\+?\d+$/;
const plainMobile = /^(?:0|\+?95)(9(?!59\d{6})\d{6,10})$/;
const e164Digits = /^[1-9]\d{7,14}$/;

const phoneHint =
	'Use a mobile number such as 09791234567 or, with country code, +959791234567 or +6591234567.';
const lostZeroHint =
	'The leading 0 was probably lost: store the number as text, such as 09791234567, or with the country code, such as +959791234567.';
const spreadsheetHint =
	'Format the column of the spreadsheet as text, and enter the number again, such as 09791234567.';

const commaHint = 'Separate several numbers with commas: 09791234567, 09797654321.';

const twoNumbersHint = (number: string) =>
	`Use the country code: +${number.slice(1)} if the 0 is extra, or +95${number.slice(1)}.`;

/** In UTF-16 units: more than any number needs, with spaces and invisible characters. */
const longestWritten = 200;

const recipientSeparator = /[,;\r\n\u060C\u104A\u3001\uFF0C\uFF1B]+/;
/** Spaces, invisible and direction marks, dashes, dots and parentheses that people put in numbers. */
const numberPunctuation =
	/[\s\u00AD\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF\-\u2010-\u2015\u2212\uFE58\uFE63\uFF0D.\u00B7\uFF0E()\uFF08\uFF09]/g;

/** Converts Burmese, Shan and full-width digits to 0 to 9. */
export function toAsciiDigits(text: string): string {
	// The last four bits of each are its value.
	return text.replace(/[\u1040-\u1049\u1090-\u1099\uFF10-\uFF19]/g, (digit) =>
		String(digit.charCodeAt(0) & 0xf),
	);
}

const labels: Record<string, string> = {
	doNotSendTo: 'Do Not Send To',
	expectedTo: 'Must Belong To',
	onlySendTo: 'Only Send To of the credential',
};

function label(field: string): string {
	return labels[field] ?? 'To';
}

/** The text of one entry. A JavaScript number must still have all its digits. @throws InputError */
function toEntry(value: unknown, field: string): string {
	if (typeof value === 'string') {
		rejectExpression(value, field, label(field));
		return value;
	}
	if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return String(value);
	return reject(field, value, 'is not a phone number');
}

function splitEntries(value: unknown, toText: (entry: unknown) => string): string[] {
	const given: unknown[] = Array.isArray(value) ? value.flat() : [value];
	return given
		.filter((entry) => entry !== undefined && entry !== null)
		.flatMap((entry) => toText(entry).split(recipientSeparator))
		.map((entry) => entry.trim())
		.filter((entry) => entry !== '');
}

/**
 * The entries of a text with commas, semicolons or new lines, a number, or a list of both: in order, with duplicates.
 * @throws InputError if there is no recipient, or an entry is of another type
 */
export function parseRecipients(value: unknown, field = 'to'): string[] {
	if (typeof value === 'string' && plainNumber.test(value)) return [value];
	const entries = splitEntries(value, (entry) => toEntry(entry, field));
	if (entries.length > 0) return entries;
	throw new EmptyError(field, label(field), phoneHint);
}

/** The same entries as `parseRecipients`, also for values that it rejects. */
export function listRecipients(value: unknown): string[] {
	return splitEntries(value, String);
}

/** Removes notation: `+95 (0)9 79-123-4567` becomes `+959791234567`. */
export function toCompactNumber(text: string): string {
	if (/^\+?[1-9]\d*$|^0[1-9]\d*$/.test(text)) return text;
	const compact = toAsciiDigits(text)
		.replace(/\uFF0B/g, '+')
		.replace(/^(\s*(?:\+|00)[^()]*)\(\s*0\s*\)/, '$1')
		.replace(numberPunctuation, '');
	return compact.replace(/^00/, '+');
}

function reject(field: string, value: unknown, reason: string, hint = phoneHint): never {
	throw new InputError(field, `${label(field)} ${reason}: ${describeValue(value)}`, hint);
}

/** If each part has the length of a phone number, together they are too long to be one. */
function isSeveralNumbers(text: string): boolean {
	const parts = text.split(/\s+/);
	return parts.length > 1 && parts.every((part) => /^\+?\d{8,}$/.test(toCompactNumber(part)));
}

function rejectNotation(text: string, field: string): void {
	if (text === '') throw new EmptyError(field, label(field), phoneHint);
	if (recipientSeparator.test(text)) {
		reject(field, text, 'contains several numbers where one is expected', 'Enter one number only.');
	}
	if (isSeveralNumbers(text)) {
		reject(field, text, 'contains several numbers separated only by spaces', commaHint);
	}
	if (/^\d(\.\d+)?e\+?\d+$/i.test(text) || /^\+?\d+\.0+$/.test(text)) {
		reject(field, text, 'is a decimal number', spreadsheetHint);
	}
	if (/[\u101D\u101B]/.test(text)) {
		reject(
			field,
			text,
			'contains a letter that looks like a digit',
			'Type the digits ၀ and ၇, not the letters ဝ and ရ, or use 0 to 9.',
		);
	}
}

function toDomestic(digits: string, value: unknown, field: string): string {
	if (domesticMobile.test(digits)) return digits;
	if (!digits.startsWith('959')) return reject(field, value, 'is not a mobile number');
	const long = digits.length > 13;
	return reject(field, value, `is too ${long ? 'long' : 'short'} for a mobile number`);
}

/** Without + or 00, only these countries pass: a date or an ID from a wrong column looks like a foreign number. */
function requireNamedCountry(digits: string, field: string, codes: readonly string[]): void {
	if (codes.some((code) => digits.startsWith(code))) return;
	const hint = `Check which field is mapped to ${label(field)}. For a number in another country, use + and country code, such as +${digits}, or add the code to Allowed Country Codes.`;
	reject(field, digits, 'has digits that are not a number in Myanmar', hint);
}

/**
 * The form that is sent: `959…` for the home country, `+` and E.164 digits for any other. Spaces, dashes, dots,
 * parentheses and Burmese digits are accepted; `00` is read as `+`. (Specification, "Send request", field `to`.)
 * @param codes country codes whose numbers may lack the +, which spreadsheets drop
 * @throws InputError
 */
export function normalizePhoneNumber(
	value: unknown,
	field = 'to',
	codes: readonly string[] | 'any' = [],
): string {
	const mobile = typeof value === 'string' && plainMobile.exec(value)?.[1];
	if (mobile) return `95${mobile}`;
	if (value === undefined || value === null) rejectNotation('', field);
	if (typeof value === 'string' && value.length > longestWritten) {
		return reject(field, value, 'is too long for a phone number');
	}
	const text = toEntry(value, field).trim();
	rejectNotation(text, field);
	const number = toCompactNumber(text);
	if (!/^\+?\d+$/.test(number)) return reject(field, text, 'is not a phone number');
	if (/^0959\d{6,}$/.test(number)) {
		return reject(field, text, 'could be two numbers', twoNumbersHint(number));
	}
	if (number.startsWith('09')) return toDomestic(`95${number.slice(1)}`, text, field);
	// Almost no foreign number that starts with 9 is this short (some of 960 and 961 are, and pass with +), so this is a
	// domestic number without its 0.
	if (/^9(?!59)\d{7,9}$/.test(number)) {
		return reject(field, text, 'is not a complete phone number', lostZeroHint);
	}
	const digits = number.replace('+', '');
	if (digits.startsWith('95')) return toDomestic(digits, text, field);
	if (digits.startsWith('0')) return reject(field, text, 'is not a mobile number');
	if (e164Digits.test(digits)) {
		if (number === digits && codes !== 'any') requireNamedCountry(digits, field, codes);
		return `+${digits}`;
	}
	return reject(field, text, `is too ${digits.length > 15 ? 'long' : 'short'} for a phone number`);
}

/**
 * The recipient of a one-time code: a phone number as `normalizePhoneNumber` returns it, or an email address as
 * `normalizeEmail` does. Compare recipients by `toRecipientKey`.
 * @throws InputError
 */
export function normalizeOtpRecipient(
	value: unknown,
	codes: readonly string[] | 'any' = [],
	field = 'to',
): string {
	if (typeof value !== 'string' || !value.includes('@')) {
		return normalizePhoneNumber(value, field, codes);
	}
	const hint = 'Use an email address such as name@example.com.';
	const address = normalizeEmail(value);
	if (address !== undefined) return address;
	rejectExpression(value, field, label(field));
	return reject(field, value, 'is not an email address', hint);
}

/** The leading digits, with country code, from a prefix such as `9597910*`, `097910*` or `+65*`. @throws InputError */
export function normalizePrefix(text: string, field: string): string {
	const digits = toCompactNumber(text.slice(0, text.length < longestWritten ? -1 : 0));
	if (text.endsWith('*') && /^(\+?[1-9]|09)\d*$/.test(digits)) {
		return withoutNationalZero(digitsOf(digits));
	}
	const hint =
		'Write a number prefix with its country code and one * at the end, such as 9597910*.';
	return reject(field, text, 'has an invalid number prefix', hint);
}

/** The key that identifies a recipient: digits with country code, or an email address. */
export function toRecipientKey(recipient: string): string {
	if (!recipient.includes('@')) return withoutNationalZero(recipient.replace('+', ''));
	// Only A to Z: `toLowerCase` would turn the Kelvin sign into k, which is another mailbox.
	return recipient.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** The digits for the history filter, which accepts only domestic numbers (field note 11). @throws InputError */
export function toHistoryNumber(value: unknown): string {
	const hint =
		'Use a number such as 959791234567: the service can filter history only by numbers in Myanmar.';
	const isGiven = value !== undefined && value !== null;
	const number = isGiven ? toCompactNumber(toEntry(value, 'to').trim()) : '';
	const digits = digitsOf(number);
	if (/^\+?\d+$/.test(number) && /^95\d{3,13}$/.test(digits)) return digits;
	return reject('to', value, 'is not a number that starts with 95', hint);
}

/** Digits for comparing numbers in any notation: with country code, without +; empty if there are none. */
export function digitsOf(number: unknown): string {
	const text = String(number ?? '');
	const digits = /^[1-9]\d*$/.test(text) ? text : toCompactNumber(text).replace(/\D/g, '');
	return digits.startsWith('959') ? digits : withoutNationalZero(digits.replace(/^09/, '959'));
}

/** Whether digits belong to the home country: history can filter only by these (field note 11). */
export function isDomestic(digits: string): boolean {
	return digits.startsWith('95');
}
