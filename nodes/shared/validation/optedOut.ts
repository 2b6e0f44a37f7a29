import { declareError } from './InputError';
import { normalizePhoneNumber, parseRecipients, toRecipientKey } from './recipient';

const field = 'doNotSendTo';
const notANumber = declareError(
	'Do Not Send To is not a phone number: <value>',
	"Separate numbers such as 09791234567 with commas or new lines, or use a list: {{ $('Opt-outs').all().map((row) => row.json.phone) }}.",
);

function requireEntry(entry: unknown): string {
	const isWritten = typeof entry === 'string' || typeof entry === 'number';
	const text = isWritten ? String(entry) : '';
	if (text.trim() !== '') return text;
	throw notANumber(field, { value: entry });
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
