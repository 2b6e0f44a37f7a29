import type { IDataObject } from 'n8n-workflow';

import { readCountryCodes, startsWithOneOf } from '../validation/country';
import { describeValue, InputError } from '../validation/InputError';
import { normalizePhoneNumber, parseRecipients } from '../validation/recipient';
import { readLimit } from './readParameters';

const mostRecipients = 1_000_000;

/** Option Most Recipients per Item. */
function requireFew(entries: string[], maxRecipients: unknown): void {
	const label = 'Most Recipients per Item';
	const limit = readLimit(maxRecipients, 'maxRecipients', label, mostRecipients);
	if (entries.length <= limit) return;
	throw new InputError(
		'maxRecipients',
		`To holds ${entries.length} recipients, and ${label} allows ${limit}`,
		`Nothing was sent for this item. Check where its recipients come from, or raise ${label}.`,
	);
}

/**
 * Option Allowed Country Codes: all countries while it is absent.
 * @param number as `normalizePhoneNumber` gives it
 * @throws InputError
 */
export function requireAllowedCountries(numbers: string[], options: IDataObject): void {
	if (!Object.hasOwn(options, 'allowedCountryCodes')) return;
	const codes = readCountryCodes(options.allowedCountryCodes);
	const other = numbers.find((number) => !startsWithOneOf(number, codes));
	if (other === undefined) return;
	throw new InputError(
		'allowedCountryCodes',
		`To holds a number of a country that no messages are sent to: ${describeValue(other)}`,
		`Nothing was sent for this item. Messages go to numbers that start with ${codes.join(', ')}. The option Allowed Country Codes can allow others.`,
	);
}

/**
 * The numbers of an item in the form that is sent. One that is wrong, or not allowed, refuses the item.
 * @throws InputError
 */
export function readRecipients(value: unknown, options: IDataObject): string[] {
	const entries = parseRecipients(value);
	requireFew(entries, options.maxRecipients);
	const numbers = entries.map((entry) => normalizePhoneNumber(entry));
	requireAllowedCountries(numbers, options);
	return numbers;
}
