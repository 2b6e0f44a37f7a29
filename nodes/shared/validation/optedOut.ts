import { describeValue, InputError } from './InputError';
import { normalizePhoneNumber, parseRecipients, toRecipientKey } from './recipient';

const field = 'doNotSendTo';
const label = 'Do Not Send To';
const hint =
	"Separate numbers such as 09791234567 with commas or new lines, or use a list: {{ $('Opt-outs').all().map((row) => row.json.phone) }}.";

function reject(reason: string, value: unknown): never {
	throw new InputError(field, `${label} ${reason}: ${describeValue(value)}`, hint);
}

function requireEntry(entry: unknown): string {
	const isWritten = typeof entry === 'string' || typeof entry === 'number';
	const text = isWritten ? String(entry) : '';
	return text.trim() === '' ? reject('has an entry that is not a phone number', entry) : text;
}

/**
 * Do Not Send To: the opted-out numbers, as `toRecipientKey` returns them. Foreign numbers may lack the +, since services list them without it.
 * @throws InputError for an entry that is not a phone number: this opt-out would have no effect
 */
export function readOptedOut(value: unknown): ReadonlySet<string> {
	const given: unknown[] = Array.isArray(value) ? value.flat() : [value];
	const entries = parseRecipients(given.map(requireEntry), field);
	return new Set(entries.map((entry) => toRecipientKey(normalizePhoneNumber(entry, field, 'any'))));
}
