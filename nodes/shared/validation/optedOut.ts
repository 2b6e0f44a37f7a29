import { describeValue, InputError } from './InputError';
import { normalizePhoneNumber, parseRecipients } from './recipient';

const field = 'doNotSendTo';
const label = 'Do Not Send To';
const hint =
	"Nothing was sent. Give numbers such as 09791234567 or +6591234567, with commas, on lines of their own, or as a list of texts: {{ $('Opt-outs').all().map((row) => row.json.phone) }}. An entry that is no number would keep nobody from getting messages.";

function refuse(reason: string, value: unknown): never {
	throw new InputError(field, `${label} ${reason}: ${describeValue(value)}`, hint);
}

function requireNumber(entry: unknown): string {
	const isWritten = typeof entry === 'string' || typeof entry === 'number';
	return isWritten ? String(entry) : refuse('holds an entry that is no number', entry);
}

/**
 * Reads the option Do Not Send To: the numbers that get nothing, as `normalizePhoneNumber` gives them.
 * @throws InputError for an entry that is no number, since it would be an opt-out that does not work
 */
export function readOptedOut(value: unknown): ReadonlySet<string> {
	const given: unknown[] = Array.isArray(value) ? value.flat() : [value];
	const text = given.map(requireNumber);
	if (given.length === 0 || (!Array.isArray(value) && text[0].trim() === '')) return new Set();
	return new Set(parseRecipients(text, field).map((entry) => normalizePhoneNumber(entry, field)));
}
