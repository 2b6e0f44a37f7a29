import type { Surface } from '../entities';
import { type ApiCredential, buildToken, type Settings } from '../settings';
import { Refusal } from './refusal';

/** Credentials and address of a request. */
export interface Identification {
	surface: Surface;
	/** Authorization header as received. */
	authorization: string | undefined;
	/** Decoded query parameter; an unescaped `+` has become a space here, and is a 401 (field note 4). */
	accessToken: string | undefined;
	/** Undefined for requests that do not send: whitelists limit sending only. */
	ipAddress: string | undefined;
}

/**
 * Finds the credential of a request (specification, Authentication 3, 4 and 6).
 *
 * @throws Refusal 401 for a wrong token, a key without this surface, or an IP that is not whitelisted
 */
export function authenticate(settings: Settings, from: Identification): ApiCredential {
	const token = from.surface === 'rest' ? readHeaderToken(from.authorization) : from.accessToken;
	const credential = settings.credentials.find((known) => buildToken(known) === token);
	const isAllowed =
		credential !== undefined &&
		(credential.products?.includes(from.surface) ?? true) &&
		isListed(settings.whitelist, from.ipAddress) &&
		isListed(credential.whitelist ?? [], from.ipAddress);
	if (!isAllowed) throw new Refusal(401, 'Your request was made with invalid credentials.');
	return credential;
}

/** RFC 9110, 11.1: the name of a scheme is case-insensitive. */
function readHeaderToken(authorization: string | undefined): string | undefined {
	return /^(?:Bearer|Basic) +(\S+)$/i.exec(authorization ?? '')?.[1];
}

function isListed(whitelist: string[], ipAddress: string | undefined): boolean {
	return ipAddress === undefined || whitelist.length === 0 || whitelist.includes(ipAddress);
}

/** `::ffff:127.0.0.1` (an IPv4 address on an IPv6 socket) as `127.0.0.1`. */
export function readIpAddress(remoteAddress: string | undefined): string {
	return (remoteAddress ?? '').replace(/^::ffff:/, '');
}
