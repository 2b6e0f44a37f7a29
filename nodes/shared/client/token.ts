import { InputError } from '../input/InputError';
import { isRecord } from './json';

export const credentialType = 'messagingServiceApi';

/** How messages carry flags: on as 1 and off not at all, or always, as a number or a boolean. */
const flagForms = ['whenOn', 'numbers', 'booleans'] as const;

export type ServiceCredentials = ReturnType<typeof readCredentials>;

/** Trims spaces, line breaks and invisible characters, which copying adds. */
function toText(value: unknown): string {
	const text = typeof value === 'number' ? String(value) : value;
	return typeof text === 'string' ? text.replace(/^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu, '') : '';
}

/** Reads the credential from n8n. Fields that an earlier version did not have get their default. */
export function readCredentials(data: unknown) {
	const fields = isRecord(data) ? data : {};
	const { onlySendTo = 'onlySendTo' in fields ? null : '' } = fields;
	return {
		baseUrl: toText(fields.baseUrl),
		apiKey: toText(fields.apiKey),
		apiSecret: toText(fields.apiSecret),
		authorizationScheme: fields.authorizationScheme === 'Basic' ? 'Basic' : 'Bearer',
		/** The zone in which the account reads schedules; empty for the default. */
		serviceTimeZone: toText(fields.serviceTimeZone),
		senderId: toText(fields.senderId),
		brand: toText(fields.brand),
		flags: flagForms.find((form) => form === fields.flags) ?? 'whenOn',
		/** As entered; null if an expression in the credential returned no text. */
		onlySendTo: typeof onlySendTo === 'string' ? onlySendTo : null,
	};
}

export type ApiKey = Pick<ServiceCredentials, 'apiKey' | 'apiSecret'>;

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
