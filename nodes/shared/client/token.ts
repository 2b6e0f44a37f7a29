export interface ServiceCredentials {
	baseUrl: string;
	apiKey: string;
	apiSecret: string;
	authorizationScheme: 'Bearer' | 'Basic';
	/** The zone in which the account reads schedules. Credentials that were made before the field lack it. */
	serviceTimeZone?: string;
}

/** The API token: Base64 of `APIKey:APISecret` in UTF-8 ("Authentication", rule 2). */
export function toApiToken(credentials: Pick<ServiceCredentials, 'apiKey' | 'apiSecret'>): string {
	return Buffer.from(`${credentials.apiKey}:${credentials.apiSecret}`, 'utf8').toString('base64');
}
