import { toApiToken, type ServiceCredentials } from './token';

const mask = '[hidden]';

/** Text in the forms in which a server can echo it: as it is, percent-encoded, inside a JSON string, in Base64. */
function formsOf(secret: string): string[] {
	// A lone surrogate cannot be percent-encoded; U+FFFD is what a server would echo for it.
	const encoded = encodeURIComponent(secret.toWellFormed());
	return [
		secret,
		encoded,
		encoded.replace(/%20/g, '+'),
		encoded.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
		JSON.stringify(secret).slice(1, -1),
		secret.replace(/\+/g, ' '),
		Buffer.from(secret, 'utf8').toString('base64'),
	];
}

/** Everything that must never leave this package in an error: key, secret, token and what the call adds. */
export function secretsOf(credentials: ServiceCredentials, ofThisCall: string[] = []): string[] {
	const { apiKey, apiSecret } = credentials;
	const all = [toApiToken(credentials), `${apiKey}:${apiSecret}`, apiSecret, apiKey, ...ofThisCall];
	const forms = all.filter((secret) => secret.length > 1).flatMap(formsOf);
	// Longest first, so that a part of a longer secret does not leave the rest of it readable.
	return [...new Set(forms)].sort((a, b) => b.length - a.length);
}

export function hideSecrets(text: string, secrets: string[]): string {
	return secrets.reduce((hidden, secret) => hidden.split(secret).join(mask), text);
}
