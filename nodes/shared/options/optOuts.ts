import { attempt, declareError, describeValue } from '../input/InputError';
import { listRecipients, toCompactNumber } from '../input/notation';
import { homeCountryCode, withoutCountryCode } from '../input/number';
import {
	isDomestic,
	normalizePhoneNumber,
	parseRecipients,
	toRecipientKey,
} from '../input/recipient';

const field = 'doNotSendTo';
const notAnOptOut = declareError(
	'Do Not Send To is not a phone number: <value>',
	"Separate numbers such as 09791234567 with commas or new lines, or use a list: {{ $('Opt-outs').all().map((row) => row.json.phone) }}.",
);

/** The opted-out numbers, as `toRecipientKey` returns them. */
export class OptOuts extends Set<string> {
	/** Entries that are not phone numbers, as they are written. */
	readonly unread: string[] = [];
	/** Digits of entries that may be written as people in another country do. */
	private readonly national = new Set<string>();

	/** Foreign numbers may lack the +, since services list them without it. @throws InputError */
	addEntry(entry: string): void {
		const [, digits] = /^0?([1-9]\d*)$/.exec(toCompactNumber(entry)) ?? [];
		if (digits !== undefined) this.national.add(digits);
		this.add(toRecipientKey(normalizePhoneNumber(entry, field, 'any')));
	}

	override has(key: string): boolean {
		return super.has(key) || (!isDomestic(key) && this.national.has(withoutCountryCode(key)));
	}
}

function requireWritten(entry: unknown): string {
	const isWritten = typeof entry === 'string' || typeof entry === 'number';
	if (isWritten && String(entry).trim() !== '') return String(entry);
	throw notAnOptOut(field, { value: entry });
}

/** As a person types it. @throws InputError for an entry that is not a phone number, which can be corrected */
export function readTypedOptOuts(value: unknown): OptOuts {
	const given: unknown[] = Array.isArray(value) ? value.flat() : [value];
	const optOuts = new OptOuts();
	for (const entry of parseRecipients(given.map(requireWritten), field)) optOuts.addEntry(entry);
	return optOuts;
}

/** What an entry that is no clear number can still be: digits with or without their country code. */
function toPossibleKeys(entry: string): string[] {
	const digits = toCompactNumber(entry).replace(/\D/g, '').replace(/^0+/, '');
	return digits === '' ? [] : [digits, homeCountryCode + digits];
}

/**
 * As an expression returns it: a list, or text. A bad entry of a table, where strangers may have written it, must not
 * stop a campaign.
 * @throws InputError if no entry is a phone number: the list would have no effect
 */
export function readOptOuts(value: unknown): OptOuts {
	const given: unknown[] = Array.isArray(value) ? value.flat() : [value];
	const optOuts = new OptOuts();
	for (const one of given) {
		const isWritten = typeof one === 'string' || typeof one === 'number';
		const entries = isWritten ? listRecipients(String(one)) : [];
		if (entries.length === 0) optOuts.unread.push(describeValue(one));
		for (const entry of entries) {
			const result = attempt(() => optOuts.addEntry(entry));
			if ('error' in result) optOuts.unread.push(describeValue(entry));
		}
	}
	if (optOuts.size === 0) throw notAnOptOut(field, { value: given[0] });
	for (const entry of optOuts.unread) for (const key of toPossibleKeys(entry)) optOuts.add(key);
	return optOuts;
}
