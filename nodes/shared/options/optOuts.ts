import type { INodeProperties } from 'n8n-workflow';

import { attempt, describeValue, EmptyError, InputError, nameFirst } from '../input/InputError';
import { listRecipients } from '../input/notation';
import { normalizePhoneNumber, toRecipientKey } from '../input/number';

const mostNamed = 10;
/** `Mr. Tun 09…`: in To, it could be a date or an ID of another column. */
const nameInFront = /^\p{L}[\p{L}\p{M}.'’ -]*[\s.:]+(?=[+(]?\p{Nd})/u;

/** A row without fields is what n8n gives of an empty table. */
const listOfRows =
	"{{ $('Opt-outs').all().filter((row) => Object.keys(row.json).length).map((row) => row.json.phone) }}";

export const optedOut: INodeProperties = {
	displayName: 'Do Not Send To',
	name: 'doNotSendTo',
	type: 'string',
	typeOptions: { rows: 3 },
	default: '',
	placeholder: `e.g. ${listOfRows}`,
	description:
		'Opted-out numbers to skip, separated by commas or new lines, or a list from an expression',
};

/** An empty text or list means that nobody opted out; a list of nothing but blanks is a wrong column. @throws InputError */
function listOptOuts(value: unknown): string[] {
	const { name: field, displayName: label } = optedOut;
	const hint = `Return a list of numbers. An empty list means that nobody opted out: ${listOfRows}.`;
	if (value === undefined || value === null) throw new EmptyError(field, label, hint);
	const entries = listRecipients(value);
	const isEmpty = Array.isArray(value) ? value.flat().length === 0 : value === '';
	if (entries.length === 0 && !isEmpty)
		throw new InputError(field, `${label} has only empty entries: no opt-outs were read`, hint);
	return entries;
}

/**
 * As `toRecipientKey` returns them. Foreign numbers may lack the +, since services list them without it.
 * @param codes of the item: an entry is also the number that it would be in To
 * @throws InputError that names the entries that are not phone numbers
 */
function readKeys(entries: string[], codes: readonly string[] = []): ReadonlySet<string> {
	const { name: field, displayName: label } = optedOut;
	const keys = new Set<string>();
	const wrong: string[] = [];
	for (const given of entries) {
		const entry = given.replace(nameInFront, '');
		// Also as a number of Myanmar: rather one message too few.
		const own = attempt(() => normalizePhoneNumber(entry, field, codes));
		const isEnough = 'value' in own && codes.length === 0;
		const other = isEnough ? own : attempt(() => normalizePhoneNumber(entry, field, 'any'));
		for (const read of [own, other]) if ('value' in read) keys.add(toRecipientKey(read.value));
		if (!('value' in own) && !('value' in other)) wrong.push(describeValue(given));
	}
	if (wrong.length === 0) return keys;
	const message = `${label} contains entries that are not phone numbers: ${nameFirst(wrong, mostNamed)}`;
	const advice = 'Correct or remove them. Use numbers such as 09791234567 or +6591234567.';
	throw new InputError(field, message, advice);
}

/** The opted-out numbers, in which a number without a country code is one of the item's own country. */
export interface OptOuts {
	size: number;
	/** @param key as `toRecipientKey` returns it */
	has(key: string, codes?: readonly string[]): boolean;
}

export function toOptOuts(value: unknown): OptOuts {
	const entries = listOptOuts(value);
	const known = new Map<string, ReadonlySet<string>>();
	const has = (key: string, codes: readonly string[] = []) => {
		const keys = known.get(codes.join()) ?? readKeys(entries, codes);
		known.set(codes.join(), keys);
		return keys.has(key);
	};
	return { size: entries.length, has };
}
