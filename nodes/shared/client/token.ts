import { isRecord } from './json';

export interface ServiceCredentials {
	baseUrl: string;
	apiKey: string;
	apiSecret: string;
	authorizationScheme: 'Bearer' | 'Basic';
	/** The zone in which the account reads schedules; empty for the default. */
	serviceTimeZone: string;
	/** As entered; null if an expression in the credential returned no text. */
	onlySendTo: string | null;
}

/** Trims spaces, line breaks and invisible characters, which copying adds. */
function toText(value: unknown): string {
	const text = typeof value === 'number' ? String(value) : value;
	return typeof text === 'string' ? text.replace(/^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu, '') : '';
}

/** Reads the credential from n8n. Fields that an earlier version did not have get their default. */
export function readCredentials(data: unknown): ServiceCredentials {
	const fields = isRecord(data) ? data : {};
	const { onlySendTo = 'onlySendTo' in fields ? null : '' } = fields;
	return {
		baseUrl: toText(fields.baseUrl),
		apiKey: toText(fields.apiKey),
		apiSecret: toText(fields.apiSecret),
		authorizationScheme: fields.authorizationScheme === 'Basic' ? 'Basic' : 'Bearer',
		serviceTimeZone: toText(fields.serviceTimeZone),
		onlySendTo: typeof onlySendTo === 'string' ? onlySendTo : null,
	};
}

export type ApiKey = Pick<ServiceCredentials, 'apiKey' | 'apiSecret'>;

/** The API token: Base64 of `APIKey:APISecret` in UTF-8 ("Authentication", rule 2). */
export function toApiToken({ apiKey, apiSecret }: ApiKey): string {
	return Buffer.from(`${apiKey}:${apiSecret}`, 'utf8').toString('base64');
}
