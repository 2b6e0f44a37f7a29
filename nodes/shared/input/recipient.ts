import { withoutTrunk } from './country';
import { declareError, describeValue } from './InputError';
import {
	longestWritten,
	plainNumber,
	splitEntries,
	toAsciiDigits,
	toCompactNumber,
} from './notation';
import {
	allowsHome,
	type CountryCodes,
	domesticMobile,
	homeCountryCode,
	readNumber,
} from './readNumber';
import * as errors from './recipientErrors';
import { rejectExpression } from './text';

/** In UTF-16 units, before invisible characters are removed. Longer text is not processed. */
const longestGiven = 1000;
const longestAddress = 254;
const longestLocalPart = 64;
/** Chats, not mailboxes: WhatsApp exports numbers as 959…@s.whatsapp.net. */
const chatDomain = /(?:^|\.)(?:whatsapp\.net|[cg]\.us)$/;

/**
 * The domain in lower case and Punycode, as in DNS (UTS 46). `URL` reads digits as an IPv4 address and decodes percent
 * signs, so it is given only letters, marks, digits, hyphens and dots.
 */
function toAsciiDomain(domain: string): string | undefined {
	const host = `http://${domain}`;
	const isName = /^[\p{L}\p{M}\p{N}\p{Join_Control}.-]+$/u.test(domain) && URL.canParse(host);
	const name = isName ? new URL(host).hostname : '';
	const labels = /^([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+(?!\d+$)[a-z\d][a-z\d-]{0,61}[a-z\d]$/;
	return labels.test(name) && !chatDomain.test(name) ? name : undefined;
}

/** Excludes characters that delimit addresses, also in full width (NFKC). */
function isLocalPart(text: string): boolean {
	const dotAtom = /^[^\s\p{C}.,;:<>()[\]"\\@]+(\.[^\s\p{C}.,;:<>()[\]"\\@]+)*$/u;
	return text.length <= longestLocalPart && dotAtom.test(text.normalize('NFKC'));
}

/**
 * An email address as it is sent: trimmed, without invisible characters, the domain as in DNS, the case of the local
 * part unchanged. `undefined` for anything else.
 */
export function normalizeEmail(text: string): string | undefined {
	if (text.length > longestGiven) return undefined;
	// Joiners are significant in some scripts, so they stay. Only a domain may contain them, where IDNA allows it.
	const visible = text.replace(/(?!\p{Join_Control})\p{Default_Ignorable_Code_Point}/gu, '');
	const [localPart, domain = '', ...more] = visible.trim().split('@');
	const name = more.length === 0 && isLocalPart(localPart) ? toAsciiDomain(domain) : undefined;
	if (name === undefined) return undefined;
	const address = `${localPart}@${name}`;
	return address.length > longestAddress ? undefined : address;
}

/** Fast path for the most common notation. */
const plainMobile = /^(?:0|\+?95)(9(?!59\d{6})\d{6,10})$/;

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

function toEntries(value: unknown, toText: (entry: unknown) => string): string[] {
	const given: unknown[] = Array.isArray(value) ? value.flat() : [value];
	return given
		.filter((entry) => entry !== undefined && entry !== null)
		.flatMap((entry) => splitEntries(toText(entry)));
}

/**
 * The entries of a text with commas, semicolons or new lines, a number, or a list of both: in order, with duplicates.
 * @throws InputError if there is no recipient, or an entry is of another type
 */
export function parseRecipients(value: unknown, field = 'to'): string[] {
	const entries = toEntries(value, (entry) => toEntry(entry, field));
	if (entries.length > 0) return entries;
	throw errors.empty(field, label(field));
}

/** The same entries as `parseRecipients`, also for values that it rejects. */
export function listRecipients(value: unknown): string[] {
	return toEntries(value, (entry) => (typeof entry === 'string' ? entry : describeValue(entry)));
}

function reject(field: string, value: unknown, error: errors.NumberError): never {
	throw error(field, { Field: label(field), value });
}

/** What else an entry can be, of which the digits alone could be a number. */
const notNumbers: Array<[RegExp, errors.NumberError]> = [
	[/^[0-3]?\d([-./])[0-3]?\d\1(?:19|20)\d\d$|^(?:19|20)\d\d([-./])[01]?\d\2[0-3]?\d$/, errors.date],
	[/^\d(\.\d+)?e\+?\d+$|^\+?\d+\.0+$/i, errors.decimal],
	[/^\+?\d{8,}(?:\s+\+?\d{8,})+$/, errors.onlySpaces],
	// Another number by its last digits: 09791234567-8.
	[/\d{7,}[^\p{L}\d]{1,3}\d{1,2}$|\/\D{0,2}\d{1,3}$/u, errors.several],
	[/^(?=\+?\d*[OoIl\u101D\u101B])\+?[\dOoIl\u101D\u101B]{7,}$/, errors.letterAsDigit],
];

/** One entry as written and without its notation. @throws InputError */
function readEntry(value: unknown, field: string): { text: string; compact: string } {
	if (typeof value === 'string' && value.length > longestWritten) {
		return reject(field, value, errors.tooLong);
	}
	const [text, ...others] = splitEntries(toEntry(value ?? '', field));
	if (text === undefined) throw errors.empty(field, label(field));
	if (others.length > 0) return reject(field, value, errors.several);
	const compact = toCompactNumber(text);
	const forms = [toAsciiDigits(text), compact];
	const [, error] = notNumbers.find(([form]) => forms.some((one) => form.test(one))) ?? [];
	return error ? reject(field, text, error) : { text, compact };
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
	const mobile = typeof value === 'string' && plainMobile.exec(value)?.[1];
	if (mobile && allowsHome(codes)) return `95${mobile}`;
	const { text, compact } = readEntry(value, field);
	const reading = readNumber(compact, codes);
	if (typeof reading === 'function') throw reading(field, label(field), text);
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
	rejectExpression(value, field, label(field));
	return reject(field, value, errors.notAnEmail);
}

/** The leading digits, with country code, from a prefix such as `9597910*`, `097910*` or `+65*`. @throws InputError */
export function normalizePrefix(text: string, field: string): string {
	const compact = toCompactNumber(text.slice(0, text.length < longestWritten ? -1 : 0));
	const [, plus, zeros, rest = ''] = /^(\+?)(0{0,2})([1-9]\d*)$/.exec(compact) ?? [];
	const isNational = zeros === '0';
	const isReadable = !isNational || (plus === '' && rest.startsWith('9'));
	if (!text.endsWith('*') || rest === '' || !isReadable)
		return reject(field, text, errors.wrongPrefix);
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
	return /^95\d{3,13}$/.test(digits) ? digits : reject('to', value, errors.notDomestic);
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

const optOuts = 'doNotSendTo';
const notAnOptOut = declareError(
	'Do Not Send To is not a phone number: <value>',
	"Separate numbers such as 09791234567 with commas or new lines, or use a list: {{ $('Opt-outs').all().map((row) => row.json.phone) }}.",
);

function requireOptOut(entry: unknown): string {
	const isWritten = typeof entry === 'string' || typeof entry === 'number';
	const text = isWritten ? String(entry) : '';
	if (text.trim() !== '') return text;
	throw notAnOptOut(optOuts, { value: entry });
}

/**
 * Do Not Send To: the opted-out numbers, as `toRecipientKey` returns them. Foreign numbers may lack the +, since services list them without it.
 * @throws InputError for an entry that is not a phone number: this opt-out would have no effect
 */
export function readOptedOut(value: unknown): ReadonlySet<string> {
	const given: unknown[] = Array.isArray(value) ? value.flat() : [value];
	const entries = parseRecipients(given.map(requireOptOut), optOuts);
	return new Set(
		entries.map((entry) => toRecipientKey(normalizePhoneNumber(entry, optOuts, 'any'))),
	);
}
