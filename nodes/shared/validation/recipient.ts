import { withoutNationalZero } from './country';
import { normalizeEmail } from './email';
import { describeValue } from './InputError';
import * as errors from './recipientErrors';
import { rejectExpression } from './text';

/** Numbers without a country code belong to this country (field note 16). */
export const homeCountryCode = '95';
/** Numbers of the home country have 6 to 10 digits after 09, 959 or +959. */
const domesticMobile = /^959\d{6,10}$/;
/** Fast path for the most common notation. */
const plainNumber = /^\+?\d+$/;
const plainMobile = /^(?:0|\+?95)(9(?!59\d{6})\d{6,10})$/;
const e164Digits = /^[1-9]\d{7,14}$/;

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
	return reject(field, value, errors.notANumber);
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
	throw errors.empty(field, label(field));
}

/** The same entries as `parseRecipients`, also for values that it rejects. */
export function listRecipients(value: unknown): string[] {
	return splitEntries(value, (entry) => (typeof entry === 'string' ? entry : describeValue(entry)));
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

function reject(field: string, value: unknown, error: errors.NumberError): never {
	throw error(field, { Field: label(field), value });
}

/** If each part has the length of a phone number, together they are too long to be one. */
function isSeveralNumbers(text: string): boolean {
	const parts = text.split(/\s+/);
	return parts.length > 1 && parts.every((part) => /^\+?\d{8,}$/.test(toCompactNumber(part)));
}

function rejectNotation(text: string, field: string): void {
	if (text === '') throw errors.empty(field, label(field));
	if (recipientSeparator.test(text)) reject(field, text, errors.several);
	if (isSeveralNumbers(text)) reject(field, text, errors.onlySpaces);
	const isDecimal = /^\d(\.\d+)?e\+?\d+$/i.test(text) || /^\+?\d+\.0+$/.test(text);
	if (isDecimal) reject(field, text, errors.decimal);
	if (/[\u101D\u101B]/.test(text)) reject(field, text, errors.letterAsDigit);
}

function toDomestic(digits: string, value: unknown, field: string): string {
	if (domesticMobile.test(digits)) return digits;
	if (!digits.startsWith('959')) return reject(field, value, errors.notMobile);
	return reject(field, value, digits.length > 13 ? errors.mobileTooLong : errors.mobileTooShort);
}

/** Without + or 00, only these countries pass: a date or an ID from a wrong column looks like a foreign number. */
function requireNamedCountry(digits: string, field: string, codes: readonly string[]): void {
	if (codes.some((code) => digits.startsWith(code))) return;
	throw errors.otherCountry(field, { Field: label(field), value: digits, digits });
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
		return reject(field, value, errors.tooLong);
	}
	const text = toEntry(value, field).trim();
	rejectNotation(text, field);
	const number = toCompactNumber(text);
	if (!/^\+?\d+$/.test(number)) return reject(field, text, errors.notANumber);
	if (/^0959\d{6,}$/.test(number))
		throw errors.twoNumbers(field, { Field: label(field), value: text, rest: number.slice(1) });
	if (number.startsWith('09')) return toDomestic(`95${number.slice(1)}`, text, field);
	// Almost no foreign number that starts with 9 is this short (some of 960 and 961 are, and pass with +), so this is a
	// domestic number without its 0.
	if (/^9(?!59)\d{7,9}$/.test(number)) return reject(field, text, errors.lostZero);
	const digits = number.replace('+', '');
	if (digits.startsWith('95')) return toDomestic(digits, text, field);
	if (digits.startsWith('0')) return reject(field, text, errors.notMobile);
	if (e164Digits.test(digits)) {
		if (number === digits && codes !== 'any') requireNamedCountry(digits, field, codes);
		return `+${digits}`;
	}
	return reject(field, text, digits.length > 15 ? errors.tooLong : errors.tooShort);
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
	const address = normalizeEmail(value);
	if (address !== undefined) return address;
	rejectExpression(value, field, label(field));
	return reject(field, value, errors.notAnEmail);
}

/** The leading digits, with country code, from a prefix such as `9597910*`, `097910*` or `+65*`. @throws InputError */
export function normalizePrefix(text: string, field: string): string {
	const digits = toCompactNumber(text.slice(0, text.length < longestWritten ? -1 : 0));
	if (text.endsWith('*') && /^(\+?[1-9]|09)\d*$/.test(digits)) {
		return withoutNationalZero(digitsOf(digits));
	}
	return reject(field, text, errors.wrongPrefix);
}

/** The key that identifies a recipient: digits with country code, or an email address. */
export function toRecipientKey(recipient: string): string {
	if (!recipient.includes('@')) return withoutNationalZero(recipient.replace('+', ''));
	// Only A to Z: `toLowerCase` would turn the Kelvin sign into k, which is another mailbox.
	return recipient.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** The digits for the history filter, which accepts only domestic numbers (field note 11). @throws InputError */
export function toHistoryNumber(value: unknown): string {
	const isGiven = value !== undefined && value !== null;
	const number = isGiven ? toCompactNumber(toEntry(value, 'to').trim()) : '';
	const digits = digitsOf(number);
	if (/^\+?\d+$/.test(number) && /^95\d{3,13}$/.test(digits)) return digits;
	return reject('to', value, errors.notDomestic);
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
