import { holdsUser, isWebAddress } from '../input/text';
import { ServiceError } from './failure';
import type { ServiceCredentials } from './token';

export type Surface = 'rest' | 'otp' | 'http';

export type Method = 'GET' | 'POST';

export interface Endpoint {
	readonly surface: Surface;
	/** The usual one. */
	readonly method: Method;
	readonly path: string;
	/** The field by which the body of a success is recognized. */
	readonly field?: string;
	/** Whether requests have their fields in the body, not in the query. */
	readonly hasBody?: boolean;
	/** Safe to repeat: costs nothing and sends nothing. */
	readonly isRead: boolean;
}

const sends = { method: 'POST', isRead: false } as const;
const reads = { method: 'GET', isRead: true } as const;

/** The specification gives a method only for `rest /send` ("Endpoints"); the others are those of public clients. */
export const endpoints = {
	send: { ...sends, surface: 'rest', path: '/send', hasBody: true, field: 'messages' },
	sendBulk: { ...sends, surface: 'rest', path: '/send/bulk', hasBody: true, field: 'messages' },
	listMessages: { ...reads, surface: 'rest', path: '/messages', field: 'messages' },
	getBalance: { ...reads, surface: 'rest', path: '/account/get-balance', field: 'balance' },
	requestOtp: { ...sends, surface: 'otp', path: '/request', field: 'requestId' },
	// Its body is read as strictly as a confirmation needs it.
	verifyOtp: { ...sends, surface: 'otp', path: '/verify' },
	sendByQuery: { ...sends, surface: 'http', path: '/send', field: 'messages' },
} satisfies Record<string, Endpoint>;

/** The common base of all surfaces, without a trailing slash; drops `/rest`, `/rest/send` or a query at the end. */
export function normalizeBaseUrl(pasted: unknown): string {
	const address = String(pasted ?? '').trim();
	return address
		.replace(/[?#].*$/s, '')
		.replace(/\/+$/, '')
		.replace(
			// Not a host with such a name.
			/(?<!:\/?)\/+(rest(\/(send(\/bulk)?|messages|account\/get-balance))?|otp(\/(request|verify))?|http(\/send)?)$/i,
			'',
		)
		.replace(/\/+$/, '');
}

/** The URL as it is requested: `..` resolved, host in lower case, default port omitted. */
function readAddress(address: string): URL | undefined {
	return URL.canParse(address) ? new URL(address) : undefined;
}

const longestPath = 2000;

/** Servers and proxies decode a path, some of them twice, and treat `..;a` as `..`. */
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

/** Whether the resolved address has the scheme, host, port and path prefix of the Base URL, and no user name. */
export function isUnderBaseUrl(address: string, baseUrl: string): boolean {
	const called = readAddress(address);
	const base = readAddress(normalizeBaseUrl(baseUrl));
	if (!called || !base) return false;
	const isSameOrigin = called.protocol === base.protocol && called.host === base.host;
	const isWithoutUser = called.username === '' && called.password === '';
	// Decoding takes quadratic time, so paths longer than any real one are rejected first.
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

/** The normalized Base URL of a credential. @throws ServiceError if it is not a valid address */
export function requireBaseUrl({ baseUrl }: Pick<ServiceCredentials, 'baseUrl'>): string {
	const address = normalizeBaseUrl(baseUrl);
	if (!isUsableBaseUrl(address)) throw new ServiceError('address');
	return address;
}

export function toAddress(baseUrl: string, { surface, path }: Endpoint): string {
	return `${baseUrl}/${surface}${path}`;
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
	const base = readAddress(baseUrl);
	return base?.protocol === 'http:' && !privateHost.test(base.hostname);
}

/** `rest` by default. `/otp` and `/http` count directly after the Base URL, or before the name of an endpoint. */
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
