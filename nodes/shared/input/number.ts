import { declareError, type InputError } from './InputError';

const phoneHint =
	'Use a mobile number such as 09791234567 or, with country code, +959791234567 or +6591234567.';
export const notANumber = declareError('<Field> is not a phone number: <value>', phoneHint);
export const tooLong = declareError('<Field> is too long for a phone number: <value>', phoneHint);
const tooShort = declareError('<Field> is too short for a phone number: <value>', phoneHint);
const notMobile = declareError('<Field> is not a mobile number: <value>', phoneHint);
const twoNumbers = declareError(
	'<Field> could be two numbers: <value>',
	'Write the one that you mean: <one> or <other>.',
);
const noCountryCode = declareError(
	'<Field> has no country code: <value>',
	'Allowed Country Codes is <codes>. Use + and country code, such as <example>.',
);
const shortForeign = declareError(
	'<Field> is too short for a number in another country: <value>',
	'For a number in Myanmar, use 0<digits>. For any other, check the country code.',
);
const unassigned = declareError(
	'<Field> has a country code that no country has: <value>',
	phoneHint,
);
const otherCountry = declareError(
	'<Field> is not a phone number in Myanmar: <value>',
	'Check which field is mapped to <Field>. A mobile number in Myanmar starts with 09; any other needs + and its country code, or the code in Allowed Country Codes.',
);
const notACode = declareError(
	'Allowed Country Codes: <value> is not a country code',
	'Separate country codes with commas, such as 95, 65.',
);
export type NumberError = typeof notANumber;

/** Numbers without a country code belong to this country (field note 16). */
export const homeCountryCode = '95';
/** Numbers of the home country have 6 to 10 digits after 09, 959 or +959. */
export const domesticMobile = /^959\d{6,10}$/;
const e164Digits = /^[1-9]\d{7,14}$/;
/** A domestic mobile number without its 0: abroad, only 960 and 961 have so short numbers that begin with 9. */
const lostZero = /^9(?!59)\d{7,9}$/;
const mayBeForeign = /^96[01]\d{7}$/;
const isWithoutZero = (digits: string) =>
	lostZero.test(digits) && !digits.startsWith(homeCountryCode);

/**
 * The networks of which the ITU's numbering plan (T0202000092) and libphonenumber agree that all numbers have 9 digits
 * after 09 or 959. Other networks have numbers of several lengths.
 */
const networksOfNine = /^959(?:7[5-9]|9[5-7])/;

/** How many digits more (or, negative, less) a number has than those of its network; 0 where their length is not sure. */
export function countExtraDigits(number: string): number {
	return networksOfNine.test(number) ? number.length - '959123456789'.length : 0;
}

/** The calling codes in use (ITU-T E.164). None is the start of another one. */
const callingCode = new RegExp(
	[
		...[
			'^(?:[17]',
			'2(?:[07]|1[1-368]|[2346]\\d|5[0-8]|9[01789])',
			'3(?:[0-469]|[57]\\d|8[0-35-79])',
		],
		...['4(?:[013-9]|2[013])', '5(?:[1-8]|[09]\\d)', '6(?:[0-6]|7[02-9]|8[0-35-9]|9[0-2])'],
		...['8(?:[1246]|5[02356]|70|8[0-36])', '9(?:[0-58]|6[0-8]|7[0-7]|9[2-68]))'],
	].join('|'),
);

/** Calling codes of countries whose numbers can begin with 0. */
const codesBeforeZero = ['39', '378', '379', '225', '226', '229', '242', '992'];

/** Removes the zeros that are only dialed within a country: +44 07911… is +44 7911…. */
export function withoutTrunk(number: string): string {
	const [code] = callingCode.exec(number) ?? [''];
	if (code === '' || codesBeforeZero.includes(code)) return number;
	const isTwice = number.startsWith(`${code}00${code}`);
	return code + number.slice(isTwice ? 2 * code.length + 2 : code.length).replace(/^0+/, '');
}

/** The digits of a number as people in its country write them, without a 0 in front. */
export function withoutCountryCode(digits: string): string {
	return digits.replace(callingCode, '');
}

/** Calling codes of countries with mobile numbers that begin with 9, by the length of the number. */
const codesBeforeNine: Record<number, string> = {
	8: '216 223 227 228 232 235 252 356 357 374 385 45 47 504 598 599 65 852 855 965 968 976',
	9: '211 218 243 244 245 249 251 252 260 265 34 351 359 380 385 421 51 56 593 595 66 84 855 886 963 992 994 996 998',
	10: '1 234 30 52 55 57 63 7 81 91 977 98',
};

/** Whether digits without country code can be a mobile number of that country. */
function isAtHomeIn(code: string, digits: string): boolean {
	const codes = codesBeforeNine[digits.length]?.split(' ') ?? [];
	return codes.some((one) => one.startsWith(code) || code.startsWith(one));
}

/**
 * Option Allowed Country Codes: the leading digits that phone numbers may have.
 * @throws InputError
 */
export function readCountryCodes(value: unknown): string[] {
	const text = String(value ?? '');
	const codes = text.split(/[\s,;]+/).filter((code) => code !== '');
	if (codes.length > 0 && codes.every((code) => /^\+?[1-9]\d{0,6}$/.test(code))) {
		return codes.map((code) => code.replace('+', ''));
	}
	throw notACode('allowedCountryCodes', { value: text });
}

/** @param number as `normalizePhoneNumber` returns it */
export function startsWithOneOf(number: string, countryCodes: string[]): boolean {
	const digits = number.replace('+', '');
	return countryCodes.some((code) => digits.startsWith(code));
}

/** Country codes whose numbers may lack the +, which spreadsheets drop. */
export type CountryCodes = readonly string[] | 'any';

/** The digits of a number with its country code, or what is wrong with it. */
type Reading = { digits: string } | ((field: string, value: unknown) => InputError);

function fault(error: NumberError): Reading {
	return (field, value) => error(field, { value });
}

function couldBe(one: string, other: string): Reading {
	return (field, value) => twoNumbers(field, { value, one, other });
}

function isHome(code: string): boolean {
	return code.startsWith(homeCountryCode) || homeCountryCode.startsWith(code);
}

/** Whether numbers of the home country, or only these, are allowed. */
export const allowsHome = (codes: CountryCodes) =>
	codes === 'any' || codes.length === 0 || codes.some(isHome);
const allowsOnlyHome = (codes: CountryCodes) => codes === 'any' || codes.every(isHome);

/** A number of a country in Allowed Country Codes, written as people in that country do. */
function local(codes: CountryCodes, national: string): Reading {
	const all = [...codes].join(', ');
	const code = [...codes].find((one) => !isHome(one));
	const example = `+${withoutTrunk(code + national)}`;
	return (field, value) => noCountryCode(field, { value, codes: all, example });
}

function readDomestic(digits: string): Reading {
	if (domesticMobile.test(digits)) return { digits };
	// Written behind a printed +95.
	const inner = digits.slice(homeCountryCode.length);
	if (domesticMobile.test(inner)) return { digits: inner };
	if (!digits.startsWith('959')) return fault(notMobile);
	return fault(digits.length > 13 ? tooLong : tooShort);
}

/** @param rest what follows one 0, which is the national one, or an extra 0 in front of the country code */
function readNational(rest: string, codes: CountryCodes): Reading {
	const isMobile = rest.startsWith('9');
	if (!allowsHome(codes) || (!isMobile && !allowsOnlyHome(codes))) return local(codes, `0${rest}`);
	if (!isMobile) return fault(notMobile);
	const isExtra = domesticMobile.test(rest);
	const digits = homeCountryCode + rest;
	if (!isExtra) return readDomestic(digits);
	return domesticMobile.test(digits) ? couldBe(`+${rest}`, `+${digits}`) : { digits: rest };
}

/** @param digits a number that begins with 9 and has lost its 0, or got a second one */
function readWithoutZero(digits: string, codes: CountryCodes): Reading {
	if (!allowsHome(codes)) return local(codes, digits);
	const restored = `0${digits}`;
	if (digits.startsWith(homeCountryCode) || mayBeForeign.test(digits)) {
		return couldBe(restored, `+${digits}`);
	}
	const others = codes === 'any' ? [] : codes.filter((code) => !isHome(code));
	const other = others.find((code) => isAtHomeIn(code, digits));
	if (other !== undefined) return couldBe(restored, `+${other}${digits}`);
	return { digits: homeCountryCode + digits };
}

function readInternational(rest: string): Reading {
	const digits = withoutTrunk(rest);
	if (digits.startsWith(homeCountryCode)) return readDomestic(digits);
	if (!e164Digits.test(digits)) return fault(digits.length > 15 ? tooLong : tooShort);
	if (isWithoutZero(digits) && !mayBeForeign.test(digits)) {
		return (field, value) => shortForeign(field, { value, digits });
	}
	return callingCode.test(digits) ? { digits } : fault(unassigned);
}

/** Without + or 00, only these countries pass: a date or an ID from a wrong column looks like a foreign number. */
function readBare(digits: string, codes: CountryCodes): Reading {
	if (lostZero.test(digits)) return readWithoutZero(digits, codes);
	if (digits.startsWith(homeCountryCode)) return readInternational(digits);
	if (codes === 'any' || codes.some((code) => digits.startsWith(code)))
		return readInternational(digits);
	if (!allowsOnlyHome(codes)) return local(codes, digits);
	if (!e164Digits.test(digits)) return readInternational(digits);
	return fault(otherCountry);
}

/** The one reader of phone numbers. What it returns, it reads as the same. @param compact as `toCompactNumber` returns it */
export function readNumber(compact: string, codes: CountryCodes): Reading {
	const [, plus, zeros, rest = ''] = /^(\+?)(0*)([1-9]\d*)$/.exec(compact) ?? [];
	if (rest === '') return fault(notANumber);
	if (zeros.length === 1) return readNational(rest, codes);
	// 00 is an extra 0 in front of 09…; a + is none.
	if (zeros !== '' && isWithoutZero(rest)) return readWithoutZero(rest, 'any');
	return plus === '' && zeros === '' ? readBare(rest, codes) : readInternational(rest);
}
