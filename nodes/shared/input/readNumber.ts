import { isAssigned, isAtHomeIn, isTooLong, withoutTrunk } from './country';
import type { InputError } from './InputError';
import * as errors from './recipientErrors';

/** Numbers without a country code belong to this country (field note 16). */
export const homeCountryCode = '95';
/** Numbers of the home country have 6 to 10 digits after 09, 959 or +959. */
export const domesticMobile = /^959\d{6,10}$/;
const e164Digits = /^[1-9]\d{7,14}$/;
/** A domestic mobile number without its 0: abroad, only 960 and 961 have so short numbers that begin with 9. */
const lostZero = /^9(?!59)\d{7,9}$/;
const mayBeForeign = /^96[01]\d{7}$/;

/** Country codes whose numbers may lack the +, which spreadsheets drop. */
export type CountryCodes = readonly string[] | 'any';

/** The digits of a number with its country code, or what is wrong with it. */
type Reading = { digits: string } | ((field: string, label: string, value: unknown) => InputError);

function fault(error: errors.NumberError): Reading {
	return (field, Field, value) => error(field, { Field, value });
}

function couldBe(one: string, other: string): Reading {
	return (field, Field, value) => errors.twoNumbers(field, { Field, value, one, other });
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
	return (field, Field, value) =>
		errors.noCountryCode(field, { Field, value, codes: all, example });
}

function readDomestic(digits: string): Reading {
	if (domesticMobile.test(digits)) return { digits };
	// Written behind a printed +95.
	const inner = digits.slice(homeCountryCode.length);
	if (domesticMobile.test(inner)) return { digits: inner };
	if (!digits.startsWith('959')) return fault(errors.notMobile);
	return fault(digits.length > 13 ? errors.mobileTooLong : errors.mobileTooShort);
}

/** @param rest what follows one 0, which is the national one, or an extra 0 in front of the country code */
function readNational(rest: string, codes: CountryCodes): Reading {
	const isMobile = rest.startsWith('9');
	if (!allowsHome(codes) || (!isMobile && !allowsOnlyHome(codes))) return local(codes, `0${rest}`);
	if (!isMobile) return fault(errors.notMobile);
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
	if (isTooLong(digits)) return fault(errors.tooLong);
	if (!e164Digits.test(digits)) return fault(errors.tooShort);
	return isAssigned(digits) ? { digits } : fault(errors.unassigned);
}

/** Without + or 00, only these countries pass: a date or an ID from a wrong column looks like a foreign number. */
function readBare(digits: string, codes: CountryCodes): Reading {
	if (lostZero.test(digits)) return readWithoutZero(digits, codes);
	if (digits.startsWith(homeCountryCode)) return readInternational(digits);
	if (codes === 'any' || codes.some((code) => digits.startsWith(code)))
		return readInternational(digits);
	if (!allowsOnlyHome(codes)) return local(codes, digits);
	if (!e164Digits.test(digits)) return readInternational(digits);
	return fault(errors.otherCountry);
}

/** The one reader of phone numbers. @param compact as `toCompactNumber` returns it */
export function readNumber(compact: string, codes: CountryCodes): Reading {
	const [, plus, zeros, rest = ''] = /^(\+?)(0*)([1-9]\d*)$/.exec(compact) ?? [];
	if (rest === '') return fault(errors.notANumber);
	if (zeros.length === 1) return readNational(rest, codes);
	const isShort = lostZero.test(rest) && !rest.startsWith(homeCountryCode);
	// 00 is an extra 0 in front of 09…; a + is none.
	if (zeros !== '') return isShort ? readWithoutZero(rest, 'any') : readInternational(rest);
	if (plus === '') return readBare(rest, codes);
	if (!isShort || mayBeForeign.test(rest)) return readInternational(rest);
	return (field, Field, value) => errors.shortForeign(field, { Field, value, digits: rest });
}
