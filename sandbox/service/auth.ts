import type { LoggedRequest, Surface } from '../entities';
import { buildToken, type Settings } from '../settings';
import { Refusal } from './refusal';

/**
 * Checks the credential of a request (specification, Authentication 3, 4 and 6).
 *
 * @param isSending whitelists limit sending only
 * @throws Refusal 401 for a wrong token, a key without this surface, or an IP that is not whitelisted
 */
export function authenticate(
	settings: Settings,
	{ headers, query, ipAddress }: LoggedRequest,
	surface: Surface,
	isSending = false,
): void {
	// An unescaped `+` in a query has become a space, and is a 401 (field note 4).
	const token = surface === 'rest' ? readHeaderToken(headers.authorization) : query.accessToken;
	const credential = settings.credentials.find((known) => buildToken(known) === token);
	const isListed = (whitelist: string[] = []): boolean =>
		!isSending || whitelist.length === 0 || whitelist.includes(ipAddress);
	const isAllowed =
		credential !== undefined &&
		(credential.products?.includes(surface) ?? true) &&
		isListed(settings.whitelist) &&
		isListed(credential.whitelist);
	if (!isAllowed) throw new Refusal(401, 'Your request was made with invalid credentials.');
}

/** RFC 9110, 11.1: the name of a scheme is case-insensitive. */
function readHeaderToken(authorization = ''): string | undefined {
	return /^(?:Bearer|Basic) +(\S+)$/i.exec(authorization)?.[1];
}
