import { attempt, describeValue, EmptyError, InputError, nameFirst } from '../input/InputError';
import { listRecipients, normalizePhoneNumber, toRecipientKey } from '../input/number';

const field = 'doNotSendTo';
const label = 'Do Not Send To';
const mostNamed = 10;

/** A row without fields is what n8n gives of an empty table. */
export const listOfRows =
	"{{ $('Opt-outs').all().filter((row) => Object.keys(row.json).length).map((row) => row.json.phone) }}";

/**
 * The opted-out numbers, as `toRecipientKey` returns them. An empty text or list means that nobody opted out; a list
 * of nothing but blanks is a wrong column. Foreign numbers may lack the +, since services list them without it.
 * @throws InputError that names the entries that are not phone numbers
 */
export function readOptOuts(value: unknown): ReadonlySet<string> {
	const hint = `Return a list of numbers. An empty list means that nobody opted out: ${listOfRows}.`;
	if (value === undefined || value === null) throw new EmptyError(field, label, hint);
	const entries = listRecipients(value);
	const isEmpty = Array.isArray(value) ? value.flat().length === 0 : value === '';
	if (entries.length === 0 && !isEmpty)
		throw new InputError(field, `${label} contains no number, only empty entries`, hint);
	const keys = new Set<string>();
	const wrong: string[] = [];
	for (const entry of entries) {
		const read = attempt(() => normalizePhoneNumber(entry, field, 'any'));
		if ('value' in read) keys.add(toRecipientKey(read.value));
		else wrong.push(describeValue(entry));
	}
	if (wrong.length === 0) return keys;
	const message = `${label} contains entries that are not phone numbers: ${nameFirst(wrong, mostNamed)}`;
	const advice = 'Correct or remove them. Use numbers such as 09791234567 or +6591234567.';
	throw new InputError(field, message, advice);
}
