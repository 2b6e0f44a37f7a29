import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

interface Door {
	/** The address the sandbox listens on. */
	host: string;
	allowedHosts: string[];
	/** User-Agent of the sandbox's own receipts. */
	userAgent: string;
	/** For its own paths; undefined if they need none. */
	controlToken?: string;
}

export interface GuardRefusal {
	status: 400 | 401 | 403 | 413 | 415;
	message: string;
}

export const maxBodyBytes = 1_000_000;
export const tooLong: GuardRefusal = { status: 413, message: 'A body may have 1 MB at most.' };

/**
 * Web pages in a browser on this machine must neither read nor control the sandbox (DNS rebinding, cross-site
 * requests), and the sandbox must not call itself. Returns the path for the routes, or the rejection.
 */
export function passGuard(incoming: IncomingMessage, door: Door): string | GuardRefusal {
	const { headers, url } = incoming;
	if (headers['user-agent'] === door.userAgent) {
		return refuse('The sandbox does not post receipts to itself.');
	}
	const name = URL.parse(`http://${headers.host ?? ''}`)?.hostname ?? '';
	if (!isOwnName(name, door)) {
		return refuse(
			`The sandbox does not respond to the name "${name}". To allow it, start the sandbox with --allow-host ${name}.`,
		);
	}
	const path = normalizePath(url);
	if (path === undefined) return { status: 400, message: 'The path cannot be read.' };
	if (isFromElsewhere(incoming, path)) return refuse('Other web pages cannot control the sandbox.');
	return findTokenRefusal(incoming, path, door) ?? findBodyRefusal(incoming, path) ?? path;
}

function refuse(message: string): GuardRefusal {
	return { status: 403, message };
}

/** Decoded once, without dot segments and repeated slashes. */
function normalizePath(url = ''): string | undefined {
	if (!url.startsWith('/')) return undefined;
	try {
		const decoded = decodeURIComponent(url.replace(/[?#].*$/s, '')).replace(/\/{2,}/g, '/');
		return decodeURIComponent(new URL(`http://x${encodeURI(decoded)}`).pathname);
	} catch {
		return undefined;
	}
}

export function isOfService(path: string): boolean {
	return /^\/api(?:\/|$)/.test(path);
}

/** Loopback names: DNS cannot point them elsewhere, so DNS rebinding cannot use them. */
export function isLoopback(host: string): boolean {
	return /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\]|::1)$/.test(host);
}

function isOwnName(name: string, { host, allowedHosts }: Door): boolean {
	if (isLoopback(name) || name === host.toLowerCase() || allowedHosts.includes(name)) return true;
	// DNS rebinding needs a name, so any IP address is safe if the sandbox listens beyond loopback.
	return isIP(name.replace(/^\[|\]$/g, '')) > 0 && !isLoopback(host);
}

/** Any site may link to a page of the inbox; all other paths serve only the inbox itself and programs. */
function isFromElsewhere({ method = '', headers }: IncomingMessage, path: string): boolean {
	const isPage = /^\/(?:_sandbox(?:\/(?!api(?:\/|$)).*)?)?$/.test(path);
	if (isPage && (method === 'GET' || method === 'HEAD')) return false;
	const site = headers['sec-fetch-site'] ?? 'none';
	if (site !== 'none' && site !== 'same-origin') return true;
	const { origin, host = '' } = headers;
	if (origin === undefined) return false;
	return /^https?:\/\/(.+)$/.exec(origin.toLowerCase())?.[1] !== host.toLowerCase();
}

/** In a browser, the address that was printed sets the cookie (see `ui/page.ts`). */
function findTokenRefusal(
	{ headers, url = '' }: IncomingMessage,
	path: string,
	{ controlToken: token }: Door,
): GuardRefusal | undefined {
	if (token === undefined || !path.startsWith('/_sandbox') || path === '/_sandbox/livez') return;
	const cookies = headers.cookie?.split('; ') ?? [];
	const given = [headers.authorization, ...cookies, url.slice(path.length)];
	const known = [`Bearer ${token}`, `controlToken=${token}`, `?token=${token}`];
	if (given.some((one) => one !== undefined && known.includes(one))) return;
	const message = `It needs the control token that was printed at the start: in the header "Authorization: Bearer TOKEN", or open the printed address of the inbox.`;
	return { status: 401, message };
}

/** Browsers post other content types cross-origin without a CORS preflight, so control requests must be JSON. */
function findBodyRefusal(incoming: IncomingMessage, path: string): GuardRefusal | undefined {
	const { method = '', headers } = incoming;
	const length = Number(headers['content-length'] ?? 0);
	if (length > maxBodyBytes) return tooLong;
	if (isOfService(path) || method === 'GET' || method === 'HEAD') return undefined;
	const type = headers['content-type'];
	const hasBody = length > 0 || headers['transfer-encoding'] !== undefined;
	if (type === undefined && !hasBody) return undefined;
	if (/^application\/json\s*(?:;|$)/i.test(type ?? '')) return undefined;
	return { status: 415, message: 'Control requests must have Content-Type: application/json.' };
}
