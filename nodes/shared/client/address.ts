import { holdsUser, isWebAddress } from '../input/text';
import type { ServiceCredentials } from './credential';
import type { Endpoint } from './endpoints';
import { ServiceError } from './failure';

/** The common base of all surfaces, without a trailing slash; drops `/rest`, `/rest/send` or a query at the end. */
export function normalizeBaseUrl(pasted: unknown): string {
	// Not a host with such a name.
	const surface =
		/(?<!:\/?)\/+(rest(\/(send(\/bulk)?|messages|account\/get-balance))?|otp(\/(request|verify))?|http(\/send)?)$/i;
	const address = String(pasted ?? '')
		.trim()
		.replace(/[?#].*$/s, '');
	return address.replace(/\/+$/, '').replace(surface, '').replace(/\/+$/, '');
}

/** The path of an address behind the Base URL; `undefined` if it is elsewhere, or could lead elsewhere. */
function findPath(address: string, baseUrl: string): string | undefined {
	const base = normalizeBaseUrl(baseUrl);
	if (!URL.canParse(address) || !URL.canParse(base)) return undefined;
	// As it is requested: `..` resolved, host in lower case, default port omitted.
	const [called, { origin, pathname }] = [new URL(address), new URL(base)];
	const isWithUser = called.username !== '' || called.password !== '';
	// Servers and proxies decode a path, some of them twice, and treat `..;a` as `..`.
	const isEscaped = /%(25|2e|2f|5c)|;/i.test(called.pathname);
	const prefix = pathname.replace(/\/+$/, '');
	const isUnder = `${called.pathname}/`.startsWith(`${prefix}/`);
	if (called.origin !== origin || isWithUser || isEscaped || !isUnder) return undefined;
	return called.pathname.slice(prefix.length);
}

/** Whether the resolved address has the scheme, host, port and path prefix of the Base URL, and no user name. */
export function isUnderBaseUrl(address: string, baseUrl: string): boolean {
	return findPath(address, baseUrl) !== undefined;
}

/** The surface of an address under the Base URL: `rest` unless its path says otherwise. */
export function surfaceOf(address: string, baseUrl: string): Endpoint['surface'] {
	const [, surface] = /^\/(otp|http)(?:\/|$)/i.exec(findPath(address, baseUrl) ?? '') ?? [];
	return (surface?.toLowerCase() as 'otp' | 'http' | undefined) ?? 'rest';
}

export function isUsableBaseUrl(baseUrl: string): boolean {
	const isAddress = isWebAddress(baseUrl) && !holdsUser(baseUrl);
	return isAddress && isUnderBaseUrl(`${baseUrl}/rest`, baseUrl);
}

/** The normalized Base URL of a credential. @throws ServiceError if it is not a valid address */
export function requireBaseUrl({ baseUrl }: Pick<ServiceCredentials, 'baseUrl'>): string {
	const address = normalizeBaseUrl(baseUrl);
	if (!isUsableBaseUrl(address)) throw new ServiceError('address');
	return address;
}

/** Loopback, private and link-local addresses, and names that resolve only in a local network. */
const privateHost =
	/^(localhost|[^.:]+|.*\.(localhost|local|internal|lan|home\.arpa)|(127|10)\.[\d.]+|192\.168\.[\d.]+|169\.254\.[\d.]+|172\.(1[6-9]|2\d|3[01])\.[\d.]+|\[(::1|f[cd][\da-f]{2}:.*|fe[89ab][\da-f]:.*)\])$/;

const loopback = /^(localhost|.*\.localhost|127\.[\d.]+|0\.0\.0\.0|\[::1?\])$/;

/** Whether only programs on the same machine can open the URL, and no phone. */
export function isLoopback(url: string): boolean {
	return loopback.test(new URL(url).hostname);
}

export function isPrivate(url: string): boolean {
	return privateHost.test(new URL(url).hostname);
}

/** Whether key, secret and texts would cross the internet unencrypted. */
export function isOpenToReaders(baseUrl: string): boolean {
	return /^http:/i.test(baseUrl) && !isPrivate(baseUrl);
}
