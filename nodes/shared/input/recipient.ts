import { declareEmpty, declareError } from './InputError';
import {
	longestWritten,
	plainNumber,
	splitEntries,
	withoutName,
	hasForeignDigits,
	hasMixedDigits,
	toCompactNumber,
	toEntries,
	unwrap,
} from './notation';
import {
	allowsHome,
	type CountryCodes,
	domesticMobile,
	homeCountryCode,
	notANumber,
	type NumberError,
	readNumber,
	tooLong,
	withoutTrunk,
} from './number';
import { invisible, normalizeEmail, rejectExpression, showDeceptive } from './text';

const empty = declareEmpty(
	'Use a mobile number such as 09791234567 or, with country code, +959791234567 or +6591234567.',
);
const several = declareError(
	'<Field> contains several numbers where one is expected: <value>',
	'Enter one number only.',
);
const onlySpaces = declareError(
	'<Field> contains several numbers separated only by spaces: <value>',
	'Separate several numbers with commas: 09791234567, 09797654321.',
);
const decimal = declareError(
	'<Field> is a decimal number: <value>',
	'Format the column of the spreadsheet as text, and enter the number again, such as 09791234567.',
);
const date = declareError(
	'<Field> looks like a date: <value>',
	'Check which field is mapped to <Field>.',
);
const mixedDigits = declareError(
	'<Field> mixes digits of several scripts: <value>',
	'Write the number with one kind of digits, such as 09791234567.',
);
const foreignDigits = declareError(
	'<Field> has digits of another script: <value>',
	'Write the number with Latin or Burmese digits.',
);
const hasInvisible = declareError(
	'<Field> contains invisible characters: "<shown>"',
	'Write the recipient with visible characters only.',
);
const letterAsDigit = declareError(
	'<Field> contains a letter that looks like a digit: <value>',
	'Type digits: 0 and 1, not O and l; ၀ and ၇, not the letters ဝ and ရ.',
);
const notAnEmail = declareError(
	'<Field> is not an email address: <value>',
	'Use an email address such as name@example.com, or a phone number without @.',
);
const wrongPrefix = declareError(
	'<Field> has an invalid number prefix: <value>',
	'Write a number prefix with its country code and one * at the end, such as 9597910*.',
);
const notDomestic = declareError(
	'<Field> is not a number that starts with 95: <value>',
	'Use a number such as 959791234567: the service can filter history only by numbers in Myanmar.',
);

/** Fast path for the most common notations. */
const plainMobile = /^(?:0|\+?95)(9(?!59\d{6})\d{6,10})$/;
const groupedMobile = /^(?:0|\+?95[ -]?)(9[ -]?(?!59)\d{2,3}[ -]?\d{3}[ -]?\d{3,4})$/;

function readPlainMobile(value: unknown): string | undefined {
	if (typeof value !== 'string') return undefined;
	const [, plain] = plainMobile.exec(value) ?? groupedMobile.exec(value) ?? [];
	return plain && `95${plain.replace(/[ -]/g, '')}`;
}

/** The text of one entry. A JavaScript number must still have all its digits. @throws InputError */
function toEntry(value: unknown, field: string): string {
	if (typeof value === 'string') {
		rejectExpression(value, field);
		return value;
	}
	if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return String(value);
	return reject(field, value, notANumber);
}

/**
 * The entries of a text with commas, semicolons or new lines, a number, or a list of both: in order, with duplicates.
 * @throws InputError if there is no recipient, or an entry is of another type
 */
export function parseRecipients(value: unknown, field = 'to'): string[] {
	const entries = toEntries(value, (entry) => toEntry(entry, field));
	if (entries.length > 0) return entries;
	throw empty(field);
}

function reject(field: string, value: unknown, error: NumberError): never {
	throw error(field, { value });
}

/** What else an entry can be, of which the digits alone could be a number. */
const notNumbers: Array<[RegExp, NumberError]> = [
	[/^[0-3]?\d([-./ ])[0-3]?\d\1(?:19|20)\d\d$|^(?:19|20)\d\d([-./ ])[01]?\d\2[0-3]?\d$/, date],
	[/^\d(\.\d+)?e\+?\d+$|^\+?\d+\.0+$/i, decimal],
	[/^\+?\d{8,}(?:\s+\+?\d{8,})+$/, onlySpaces],
	// Another number by its last digits: 09791234567-8.
	[/\d{7,}[^\p{L}\d]{1,3}\d{1,2}$|\/\D{0,2}\d{1,3}$/u, several],
	[/^(?=\+?\d*[OoIl\u101D\u101B])\+?[\dOoIl\u101D\u101B]{7,}$/, letterAsDigit],
];

/** One entry as written and without its notation. @throws InputError */
function readEntry(value: unknown, field: string): { text: string; compact: string } {
	if (typeof value === 'string' && value.length > longestWritten) {
		return reject(field, value, tooLong);
	}
	const [text, ...others] = splitEntries(toEntry(value ?? '', field));
	if (text === undefined) throw empty(field);
	if (others.length > 0) return reject(field, value, several);
	const compact = toCompactNumber(text);
	const forms = [withoutName(unwrap(text)), compact];
	if (hasMixedDigits(text)) return reject(field, text, mixedDigits);
	const [, error] = notNumbers.find(([form]) => forms.some((one) => form.test(one))) ?? [];
	return error ? reject(field, text, error) : { text, compact };
}

/** Whether a text with spaces or tabs is two numbers, one behind the other. */
function isSeveral(text: string): boolean {
	const words = text.split(/\s+/);
	const isNumber = (some: string[]) =>
		typeof readNumber(toCompactNumber(some.join(' ')), 'any') !== 'function';
	return words.some((_, n) => isNumber(words.slice(0, n)) && isNumber(words.slice(n)));
}

/**
 * The form that is sent: `959…` for the home country, `+` and E.164 digits for any other. Notation is removed, `00` is
 * read as `+`, and what is only dialed within a country goes. (Specification, "Send request", field `to`.)
 * @throws InputError also where a number can be read in two ways
 */
export function normalizePhoneNumber(
	value: unknown,
	field = 'to',
	codes: CountryCodes = [],
): string {
	const mobile = readPlainMobile(value);
	if (mobile && allowsHome(codes)) return mobile;
	const { text, compact } = readEntry(value, field);
	const reading = readNumber(compact, codes);
	if (typeof reading === 'function') {
		if (isSeveral(text)) return reject(field, text, onlySpaces);
		throw reading(field, text);
	}
	const { digits } = reading;
	return digits.startsWith(homeCountryCode) ? digits : `+${digits}`;
}

/**
 * The recipient of a one-time code: a phone number as `normalizePhoneNumber` returns it, or an email address as
 * `normalizeEmail` does. Compare recipients by `toRecipientKey`.
 * @throws InputError
 */
export function normalizeOtpRecipient(
	value: unknown,
	codes: CountryCodes = [],
	field = 'to',
): string {
	if (typeof value !== 'string' || !value.includes('@')) {
		return normalizePhoneNumber(value, field, codes);
	}
	const address = normalizeEmail(value);
	if (address !== undefined) return address;
	rejectExpression(value, field);
	return reject(field, value, notAnEmail);
}

/** The leading digits, with country code, from a prefix such as `9597910*`, `097910*` or `+65*`. @throws InputError */
export function normalizePrefix(text: string, field: string): string {
	const compact = toCompactNumber(text.slice(0, text.length < longestWritten ? -1 : 0));
	const [, plus, zeros, rest = ''] = /^(\+?)(0{0,2})([1-9]\d*)$/.exec(compact) ?? [];
	const isNational = zeros === '0';
	const isReadable = !isNational || (plus === '' && rest.startsWith('9'));
	if (!text.endsWith('*') || rest === '' || !isReadable) return reject(field, text, wrongPrefix);
	return withoutTrunk(isNational ? homeCountryCode + rest : rest);
}

/** The key that identifies a recipient: digits with country code, or an email address. */
export function toRecipientKey(recipient: string): string {
	if (!recipient.includes('@')) return withoutTrunk(recipient.replace('+', ''));
	// Only A to Z: `toLowerCase` would turn the Kelvin sign into k, which is another mailbox.
	return recipient.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** The digits for the history filter, which accepts only Myanmar numbers (field note 11). @throws InputError */
export function toHistoryNumber(value: unknown): string {
	const { compact } = readEntry(value, 'to');
	const digits = plainNumber.test(compact) ? digitsOf(compact) : '';
	return /^95\d{3,13}$/.test(digits) ? digits : reject('to', value, notDomestic);
}

/** Digits for comparing numbers in any notation: with country code, without +; empty if there are none. */
export function digitsOf(number: unknown): string {
	const text = String(number ?? '');
	if (domesticMobile.test(text)) return text;
	const [entry = '', ...others] = splitEntries(text);
	const compact = toCompactNumber(others.length === 0 ? entry : text);
	const reading = readNumber(compact, 'any');
	if (typeof reading !== 'function') return reading.digits;
	return withoutTrunk(compact.replace(/\D/g, '').replace(/^00(?=[1-9])/, ''));
}

/** Whether digits belong to the home country: history can filter only by these (field note 11). */
export function isDomestic(digits: string): boolean {
	return digits.startsWith(homeCountryCode);
}

/** A recipient that an AI model filled in must be what a person sees. @throws InputError */
export function requirePlain(value: unknown, field: string): void {
	const texts = [value].flat().filter((entry) => typeof entry === 'string');
	const hidden = texts.find((text) => invisible.test(text));
	if (hidden !== undefined) {
		const shown = showDeceptive(hidden).slice(0, 40);
		throw hasInvisible(field, { shown });
	}
	const foreign = texts.find(hasForeignDigits);
	if (foreign !== undefined) return reject(field, foreign, foreignDigits);
}
