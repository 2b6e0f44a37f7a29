import { startsWithOneOf } from '../validation/country';
import { declareError } from '../validation/InputError';
import { normalizePhoneNumber, parseRecipients } from '../validation/recipient';

/** Values of the options that limit recipients. */
export interface RecipientValues {
	allowedCountryCodes: string[] | undefined;
}

const forbiddenCountry = declareError(
	'To has a number of a country that is not allowed: <value>',
	'To send to this number, add its country code to Allowed Country Codes (<codes>).',
);

/** @param numbers as `normalizePhoneNumber` returns them */
function requireAllowedCountries(numbers: string[], codes: string[]): void {
	const other = numbers.find((number) => !startsWithOneOf(number, codes));
	if (other === undefined) return;
	throw forbiddenCountry('allowedCountryCodes', { value: other, codes: codes.join(', ') });
}

/**
 * The phone numbers of an item in the form to send. One invalid or disallowed number rejects the whole item.
 * @throws InputError
 */
export function readRecipients(
	value: unknown,
	{ allowedCountryCodes: codes }: RecipientValues,
): string[] {
	const numbers = parseRecipients(value).map((entry) => normalizePhoneNumber(entry, 'to', codes));
	if (codes) requireAllowedCountries(numbers, codes);
	return numbers;
}
