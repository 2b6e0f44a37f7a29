import { describeValue, EmptyError, InputError, refuse, toLabel } from './InputError';
import {
	longestWritten,
	plainNumber,
	reversing,
	splitEntries,
	toCompact,
	toEntries,
	toWritten,
} from './notation';
import { normalizeEmail, rejectExpression } from './text';

// Phone numbers: which number a notation is, what is sent, and which are the same.

/** Numbers without a country code belong to this country (field note 16). */
export const homeCountryCode = '95';
/** Country codes whose numbers may lack the +, which spreadsheets drop. */
export type CountryCodes = readonly string[] | 'any';

/** Numbers of the home country have 6 to 10 digits after 09, 959 or +959. */
const domesticMobile = /^959\d{6,10}$/;
/** A domestic number without its 0. Abroad, only 960 and 961 have so short numbers that begin with 9. */
const lostZero = /^9(?!5)\d{7,9}$/;
const mayBeForeign = /^96[01]\d{7}$/;
/** The calling codes in use (ITU-T E.164), none of which is the start of another one, and the zeros dialed at home. */
const callingCode =
	/^([17]|2(?:[07]|1[1-368]|[2346]\d|5[0-8]|9[01789])|3(?:[0-469]|[57]\d|8[0-35-79])|4(?:[013-9]|2[013])|5(?:[1-8]|[09]\d)|6(?:[0-6]|7[02-9]|8[0-35-9]|9[0-2])|8(?:[1246]|5[02356]|70|8[0-36])|9(?:[0-58]|6[0-8]|7[0-7]|9[2-68]))(?:00\1)?0*/;
/** Countries whose numbers can begin with 0. */
const codesBeforeZero = ['39', '378', '379', '225', '226', '229', '242', '992'];
/** Countries with mobile numbers that begin with 9, by the length of the number. */
const codesBeforeNine: Record<number, string> = {
	8: '216 223 227 228 232 235 252 356 357 374 385 45 47 504 598 599 65 852 855 965 968 976',
	9: '211 218 243 244 245 249 251 252 260 265 34 351 359 380 385 421 51 56 593 595 66 84 855 886 963 992 994 996 998',
	10: '1 234 30 52 55 57 63 7 81 91 977 98',
};

/** Removes what is only dialed within a country: +44 07911… is +44 7911…. */
function withoutTrunk(digits: string): string {
	const [all = '', code = ''] = callingCode.exec(digits) ?? [];
	return codesBeforeZero.includes(code) ? digits : code + digits.slice(all.length);
}

const isAlike = (one: string, other: string) => one.startsWith(other) || other.startsWith(one);
const callingCodeOf = (digits: string) => callingCode.exec(digits)?.[1];

/** Numbers without a country code are of this country: the first of Allowed Country Codes. */
function homeOf(codes: CountryCodes): string {
	return (codes !== 'any' && codes.length > 0 && callingCodeOf(codes[0])) || homeCountryCode;
}

function listForeign(codes: CountryCodes): string[] {
	return codes === 'any' ? [] : codes.filter((code) => !isAlike(code, homeOf(codes)));
}

/** Without its +, a number that is too short would be read as one that lost its 0. */
function isForeign(digits: string): boolean {
	const isShort = lostZero.test(digits) && !mayBeForeign.test(digits);
	return (
		/^[1-9]\d{7,14}$/.test(digits) && !isDomestic(digits) && !isShort && callingCode.test(digits)
	);
}

/** The readings where the first of Allowed Country Codes is another country than Myanmar. */
function listAbroad(compact: string, codes: readonly string[], home: string): string[] {
	const [, prefix, zeros = '', rest = ''] = /^(\+|00)?(0?)([1-9]\d*)$/.exec(compact) ?? [];
	const { length } = rest;
	const isListedAt = (all: string) => all.split(' ').includes(home);
	const isListed = Object.values(codesBeforeNine).some(isListedAt);
	const hasCode = zeros === '' && codes.some((code) => rest.startsWith(code));
	const isMyanmar = zeros === '' && domesticMobile.test(withoutTrunk(rest));
	// A number that lost its 0, and one that begins with 9, have a known length, where the country has one.
	const isLong = zeros === '' && length > 8 && !isListed && !hasCode && !domesticMobile.test(rest);
	const isUsual = zeros === '0' && length > 5 && !(rest.startsWith('9') && isListed && length < 11);
	const isNational =
		isListedAt(codesBeforeNine[length] ?? '') || (length < 12 && (isLong || isUsual));
	const national = home + (codesBeforeZero.includes(home) ? zeros : '') + rest;
	const readings = prefix === undefined && isNational && isForeign(national) ? [national] : [];
	const digits = withoutTrunk(rest);
	const isWhole = isMyanmar || ((prefix !== undefined || hasCode) && isForeign(digits));
	return isWhole ? [...readings, digits] : readings;
}

/** The numbers that digits can be: none, one or two. Each is read as itself. */
function listReadings(compact: string, codes: CountryCodes): string[] {
	const home = homeOf(codes);
	if (codes !== 'any' && home !== homeCountryCode) return listAbroad(compact, codes, home);
	const [, zeros, rest = ''] = /^\+?(0*)([1-9]\d*)$/.exec(compact) ?? [];
	const isBare = compact === rest;
	const isNational = zeros === '0' || (lostZero.test(rest) && (isBare || zeros !== ''));
	const national = isNational ? homeCountryCode + rest : '';
	const digits = withoutTrunk(rest);
	// A form can have 95 printed in front of its field.
	const typed = zeros === '0' ? '' : digits.replace(/^95(?=95)/, '');
	const whole = [digits, typed].find((one) => domesticMobile.test(one)) ?? '';
	// Without + or 00, only these pass: a date or an ID from a wrong column looks like a foreign number.
	const hasCode = codes === 'any' || codes.some((code) => rest.startsWith(code));
	const isAbroad = isBare ? hasCode || mayBeForeign.test(rest) : zeros !== '0';
	const readings = [national, whole].filter((one) => domesticMobile.test(one));
	if (isAbroad && isForeign(digits)) readings.push(digits);
	if (!isBare || national === '') return readings;
	const abroad = codesBeforeNine[rest.length].split(' ');
	const other = listForeign(codes).find((code) => abroad.some((one) => isAlike(one, code)));
	return other === undefined ? readings : [...readings, other + rest];
}

const usual =
	'Use a mobile number such as 09791234567. For another country, use + and country code, such as +6591234567.';

/** Why digits are no number at all. */
function describeFault(compact: string, codes: CountryCodes): [what: string, hint: string] {
	const [code] = listForeign(codes);
	if (code !== undefined && homeOf(codes) === homeCountryCode && /^0?[1-9]\d{3,}$/.test(compact)) {
		const example = `+${withoutTrunk(code + compact)}`;
		const allowed = `Allowed Country Codes is ${[...codes].join(', ')}.`;
		return ['has no country code', `${allowed} Use + and country code, such as ${example}.`];
	}
	const { length } = compact.replace(/\D/g, '');
	if (plainNumber.test(compact) && length < 8) return ['is too short for a phone number', usual];
	if (length <= (/^\+?0?9/.test(compact) ? 12 : 15)) return ['is not a phone number', usual];
	return ['is too long for a phone number', `${usual} Separate several numbers with commas.`];
}

/** The text of one entry. A JavaScript number must still have all its digits. @throws InputError */
function toEntry(value: unknown, field: string): string {
	if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return String(value);
	if (typeof value !== 'string') return refuse(field, 'is not a phone number', usual, value);
	rejectExpression(value, field);
	if (!reversing.test(value)) return value;
	const hint =
		'An invisible character changes the order in which its digits are shown. Type it again.';
	return refuse(field, 'is not the number that it shows', hint, value);
}

/**
 * The entries of a text with commas, semicolons or new lines, a number, or a list of both: in order, with duplicates.
 * @throws InputError if there is no recipient, or an entry is of another type
 */
export function parseRecipients(value: unknown, field = 'to'): string[] {
	const entries = toEntries(value, (entry) => toEntry(entry, field));
	if (entries.length > 0) return entries;
	throw new EmptyError(field, toLabel(field), usual);
}

const date = /^[0-3]?\d([-./ ])[0-3]?\d\1(?:19|20)\d\d$|^(?:19|20)\d\d([-./ ])[01]?\d\2[0-3]?\d$/;
/** Another number by its last digits: `09791234567-8`. */
const more = /\d{7,}[^\p{L}\d]{1,3}\d{1,2}$|\/\D{0,2}\d{1,3}$/u;

/** One entry without its notation. @throws InputError also for digits that are something else */
export function readEntry(value: unknown, field: string): string {
	const given = toEntry(value ?? '', field);
	if (given.length > longestWritten) return given;
	const [text, ...others] = splitEntries(given);
	if (text === undefined) throw new EmptyError(field, toLabel(field), usual);
	const what = 'contains several numbers where one is expected';
	if (others.length > 0) refuse(field, what, 'Enter one number only.', value);
	if (plainNumber.test(text)) return text;
	const written = toWritten(text);
	if (more.test(written)) refuse(field, what, 'Enter one number only.', value);
	if (date.test(written))
		refuse(field, 'looks like a date', `Check which field is mapped to ${toLabel(field)}.`, value);
	if (!/^\d(\.\d+)?e\+?\d+$/i.test(written)) return toCompact(text);
	const hint = 'Format the column as text, and enter the number again, such as 09791234567.';
	return refuse(field, 'has lost digits in a spreadsheet', hint, value);
}

/**
 * The form that is sent: `959…` for the home country, `+` and E.164 digits for any other. (Specification, "Send
 * request", field `to`.)
 * @throws InputError also for digits that could be two numbers
 */
export function normalizePhoneNumber(
	value: unknown,
	field = 'to',
	codes: CountryCodes = [],
): string {
	const compact = readEntry(value, field);
	const [digits, other] = listReadings(compact, codes);
	if (digits === undefined) return refuse(field, ...describeFault(compact, codes), value);
	const hint = `Write the one that you mean: +${digits} or +${other}.`;
	if (other !== undefined) return refuse(field, 'could be two numbers', hint, value);
	return isDomestic(digits) ? digits : `+${digits}`;
}

/** The recipient of a one-time code: a phone number, or an email address as `normalizeEmail` returns it. @throws InputError */
export function normalizeOtpRecipient(
	value: unknown,
	codes: CountryCodes = [],
	field = 'to',
): string {
	if (typeof value !== 'string' || !value.includes('@'))
		return normalizePhoneNumber(value, field, codes);
	rejectExpression(value, field);
	const hint =
		'Use an address of Latin letters and digits, such as name@example.com, or a phone number without @.';
	return normalizeEmail(value) ?? refuse(field, 'is not an email address', hint, value);
}

/** The one key of a recipient in any notation: digits with country code, without +. Of other texts, the text itself. */
export function toRecipientKey(recipient: unknown): string {
	const text = String(recipient ?? '').trim();
	if (domesticMobile.test(text)) return text;
	const compact = toCompact(text);
	// Only A to Z: `toLowerCase` would turn the Kelvin sign into k, which is another mailbox.
	if (!plainNumber.test(compact)) return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
	const [digits, other] = listReadings(compact, 'any');
	const isClear = digits !== undefined && other === undefined;
	return isClear ? digits : withoutTrunk(compact.replace(/^(?:\+|00)/, ''));
}

/** Whether digits belong to the home country: history can filter only by these (field note 11). */
export function isDomestic(digits: string): boolean {
	return digits.startsWith(homeCountryCode);
}

/** Option Allowed Country Codes: the leading digits that phone numbers may have. @throws InputError */
export function readCountryCodes(value: unknown): string[] {
	const text = String(value ?? '');
	const codes = text.split(/[\s,;]+/).filter((code) => code !== '');
	if (codes.length > 0 && codes.every((code) => /^\+?[1-9]\d{0,6}$/.test(code)))
		return codes.map((code) => code.replace('+', ''));
	const message = `Allowed Country Codes: ${describeValue(text)} is not a country code`;
	const hint = 'Separate country codes with commas, such as 95, 65.';
	throw new InputError('allowedCountryCodes', message, hint);
}

/** @param number as `normalizePhoneNumber` returns it */
export function startsWithOneOf(number: string, countryCodes: string[]): boolean {
	return countryCodes.some((code) => number.replace('+', '').startsWith(code));
}
