import { describeValue, InputError, refuse } from '../input/InputError';
import { toCompact } from '../input/notation';
import {
	homeCountryCode,
	normalizeOtpRecipient,
	parseRecipients,
	toRecipientKey,
} from '../input/number';
import { isObject } from './json';

export const credentialType = 'messagingServiceApi';

export type ServiceCredentials = ReturnType<typeof readCredentials>;
export type ApiKey = Pick<ServiceCredentials, 'apiKey' | 'apiSecret'>;

/** Trims spaces, line breaks and invisible characters, which copying adds. */
function toText(value: unknown): string {
	const text = typeof value === 'number' ? String(value) : value;
	return typeof text === 'string' ? text.replace(/^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu, '') : '';
}

/** Reads the credential from n8n. Fields that an earlier version did not have get their default. */
export function readCredentials(data: unknown) {
	const fields = isObject(data) ? data : {};
	const { onlySendTo = 'onlySendTo' in fields ? null : '' } = fields;
	const forms = ['whenOn', 'numbers', 'booleans'] as const;
	return {
		baseUrl: toText(fields.baseUrl),
		apiKey: toText(fields.apiKey),
		apiSecret: toText(fields.apiSecret),
		authorizationScheme: fields.authorizationScheme === 'Basic' ? 'Basic' : 'Bearer',
		serviceTimeZone: toText(fields.serviceTimeZone),
		senderId: toText(fields.senderId),
		brand: toText(fields.brand),
		flags: forms.find((form) => form === fields.flags) ?? 'whenOn',
		/** As entered; null if an expression in the credential returned no text. */
		onlySendTo: typeof onlySendTo === 'string' ? onlySendTo : null,
	};
}

/** The API token: Base64 of `APIKey:APISecret` in UTF-8 ("Authentication", rule 2). */
export function toApiToken({ apiKey, apiSecret }: ApiKey): string {
	return Buffer.from(`${apiKey}:${apiSecret}`, 'utf8').toString('base64');
}

/** Requests of our nodes, which check recipients themselves. n8n passes the same object on to the credential. */
const ownRequests = new WeakSet<object>();

export function rememberAsOwn<T extends object>(request: T): T {
	ownRequests.add(request);
	return request;
}

/** @throws InputError with a list, for a request from outside these nodes, such as one of n8n's HTTP Request node */
export function requireOwnRequest(
	{ onlySendTo }: Pick<ServiceCredentials, 'onlySendTo'>,
	request: object,
): void {
	if (onlySendTo?.trim() === '' || ownRequests.has(request)) return;
	throw new InputError(
		'onlySendTo',
		'Not sent: a credential with Only Send To works only in its own nodes',
		'Use SMS Send or another node of its package, or a credential without Only Send To.',
	);
}

/** The digits, with country code, with which the numbers of an entry such as `097910*` begin. @throws InputError */
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
	const field = 'onlySendTo';
	if (text === null) {
		throw new InputError(
			field,
			'The expression in Only Send To of the credential returned no value',
			'Enter the list itself, or leave the field empty to allow everybody.',
		);
	}
	if (text.trim() === '') return () => undefined;
	const prefixes: string[] = [];
	const keys = new Set<string>();
	for (const entry of parseRecipients(text, field)) {
		if (entry.includes('*')) prefixes.push(normalizePrefix(entry, field));
		else keys.add(toRecipientKey(normalizeOtpRecipient(entry, 'any', field)));
	}
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
