import { describeValue, InputError, refuse } from '../input/InputError';
import {
	homeCountryCode,
	normalizeOtpRecipient,
	parseRecipients,
	toCompact,
	toRecipientKey,
} from '../input/number';

const field = 'onlySendTo';

/** The leading digits, with country code, from a prefix such as `9597910*`, `097910*` or `+65*`. @throws InputError */
function normalizePrefix(text: string, field: string): string {
	const [, zero, digits] = /^\+?(0?)([1-9]\d*)\*$/.exec(toCompact(text)) ?? [];
	const hint = 'Write it with its country code and one * at the end, such as 9597910*.';
	if (digits === undefined) return refuse(field, 'has an invalid number prefix', hint, text);
	return zero ? homeCountryCode + digits : digits;
}

/**
 * The list Only Send To of the credential. An empty one allows every recipient.
 * @returns what throws an InputError for the first recipient that is not on the list
 * @throws InputError for null, or for the first entry that is not valid
 */
export function readOnlySendTo(text: string | null): (recipients: string[]) => void {
	if (text === null) {
		throw new InputError(
			field,
			'The expression in Only Send To of the credential returned no value',
			'Enter the list itself, or leave the field empty to allow everybody.',
		);
	}
	if (text.trim() === '') return () => undefined;
	const entries = parseRecipients(text, field);
	const isPrefix = (entry: string) => entry.includes('*');
	const prefixes = entries.filter(isPrefix).map((entry) => normalizePrefix(entry, field));
	const keys = new Set(
		entries
			.filter((entry) => !isPrefix(entry))
			.map((entry) => toRecipientKey(normalizeOtpRecipient(entry, 'any', field))),
	);
	const isReachable = (recipient: string) => {
		const key = toRecipientKey(recipient);
		const isNumber = /^\d+$/.test(key);
		return keys.has(key) || (isNumber && prefixes.some((prefix) => key.startsWith(prefix)));
	};
	return (recipients) => {
		const other = recipients.find((recipient) => !isReachable(recipient));
		if (other === undefined) return;
		throw new InputError(
			'to',
			`Not sent: ${describeValue(other)} is not in Only Send To`,
			'Add the recipient to Only Send To in the credential, or use another credential.',
		);
	};
}
