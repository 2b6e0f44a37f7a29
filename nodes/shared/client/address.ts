import { holdsUser, isWebAddress } from '../validation/text';
import type { Endpoint, Surface } from './endpoints';
import { ServiceError } from './ServiceError';
import type { ServiceCredentials } from './token';

/** The address of all surfaces, without a slash at its end; `/rest`, `/rest/send` or a query behind it is dropped. */
export function normalizeBaseUrl(pasted: unknown): string {
	const address = String(pasted ?? '').trim();
	return address
		.replace(/[?#].*$/s, '')
		.replace(/\/+$/, '')
		.replace(
			// Not a host that is called so.
			/(?<!:\/?)\/+(rest(\/(send(\/bulk)?|messages|account\/get-balance))?|otp(\/(request|verify))?|http(\/send)?)$/i,
			'',
		)
		.replace(/\/+$/, '');
}

/** As the address is read when it is called: `..` walked, host in lower case, the usual port left out. */
function readAddress(address: string): URL | undefined {
	return URL.canParse(address) ? new URL(address) : undefined;
}

const longestPath = 2000;

/** Servers and proxies decode a path, some of them twice, and take `..;a` for `..`. */
function isLeavingItsFolder(path: string): boolean {
	let decoded = path;
	for (let before = ''; before !== decoded; ) {
		before = decoded;
		decoded = before.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
			String.fromCharCode(parseInt(hex, 16)),
		);
	}
	return decoded.split(/[/\\]/).some((segment) => /^\.{1,2}(;.*)?$/s.test(segment));
}

/** Whether an address, once it is resolved, has the scheme, host, port and path prefix of the Base URL. */
export function isUnderBaseUrl(address: string, baseUrl: string): boolean {
	const called = readAddress(address);
	const base = readAddress(normalizeBaseUrl(baseUrl));
	if (!called || !base) return false;
	const isSameOrigin = called.protocol === base.protocol && called.host === base.host;
	const isWithoutUser = called.username === '' && called.password === '';
	// Decoding takes quadratic time, so a path that is longer than any is not decoded.
	const isLong = called.pathname.length > longestPath;
	if (!isSameOrigin || !isWithoutUser || isLong) return false;
	if (isLeavingItsFolder(called.pathname)) return false;
	const prefix = base.pathname.replace(/\/+$/, '');
	return called.pathname === prefix || called.pathname.startsWith(`${prefix}/`);
}

export function isUsableBaseUrl(baseUrl: string): boolean {
	const isAddress = isWebAddress(baseUrl) && !holdsUser(baseUrl);
	return isAddress && isUnderBaseUrl(`${baseUrl}/rest`, baseUrl);
}

/** The Base URL of a credential as every request begins with it. @throws ServiceError */
export function requireBaseUrl({ baseUrl }: Pick<ServiceCredentials, 'baseUrl'>): string {
	const address = normalizeBaseUrl(baseUrl);
	if (!isUsableBaseUrl(address)) throw new ServiceError('address');
	return address;
}

export function toAddress(baseUrl: string, { surface, path }: Endpoint): string {
	return `${baseUrl}/${surface}${path}`;
}

/** Loopback, private and link-local addresses, and names that are only known in a network of one's own. */
const privateHost =
	/^(localhost|[^.:]+|.*\.(localhost|local|internal|lan|home\.arpa)|(127|10)\.[\d.]+|192\.168\.[\d.]+|169\.254\.[\d.]+|172\.(1[6-9]|2\d|3[01])\.[\d.]+|\[(::1|f[cd][\da-f]{2}:.*|fe[89ab][\da-f]:.*)\])$/;

/** Whether key, secret and texts would cross the internet for everybody on the way to read. */
export function isOpenToReaders(baseUrl: string): boolean {
	const base = readAddress(baseUrl);
	return base?.protocol === 'http:' && !privateHost.test(base.hostname);
}

/** `rest` when an address names none. `/otp` and `/http` count right behind the base, or before an endpoint's name. */
export function surfaceOf(url: string, baseUrl: string): Surface {
	const pathOf = (address: string) =>
		(readAddress(address)?.href ?? address).replace(/[?#].*$/s, '');
	const path = pathOf(url);
	const base = pathOf(normalizeBaseUrl(baseUrl)).replace(/\/+$/, '');
	const rest = path.toLowerCase().startsWith(`${base.toLowerCase()}/`)
		? path.slice(base.length)
		: path;
	const match =
		/^\/(rest|otp|http)(\/|$)/i.exec(rest) ??
		/\/(otp(?=\/(?:request|verify)$)|http(?=\/send$))/i.exec(rest);
	return (match?.[1].toLowerCase() as Surface | undefined) ?? 'rest';
}
