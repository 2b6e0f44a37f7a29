import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { Refusal } from './service/refusal';

interface Door {
	/** The address the sandbox listens on. */
	host: string;
	allowedHosts: string[];
	/** User-Agent of the sandbox's own receipts. */
	userAgent: string;
	/** For its own paths; undefined if they need none. */
	controlToken?: string;
}

export const maxBodyBytes = 1_000_000;
export const refuseLong = () => new Refusal(413, 'A body may have 1 MB at most.');

/**
 * Web pages in a browser on this machine must neither read nor control the sandbox (DNS rebinding, cross-site
 * requests), and the sandbox must not call itself.
 *
 * @returns the path for the routes @throws Refusal
 */
export function passGuard(incoming: IncomingMessage, door: Door): string {
	const { headers, url } = incoming;
	if (headers['user-agent'] === door.userAgent) {
		throw new Refusal(403, 'The sandbox does not post receipts to itself.');
	}
	const name = URL.parse(`http://${headers.host ?? ''}`)?.hostname ?? '';
	if (!isOwnName(name, door)) {
		throw new Refusal(
			403,
			`The sandbox does not respond to the name "${name}". To allow it, start the sandbox with --allow-host ${name}.`,
		);
	}
	const path = normalizePath(url);
	if (path === undefined) throw new Refusal(400, 'The path cannot be read.');
	if (isFromElsewhere(incoming, path)) {
		throw new Refusal(403, 'Other web pages cannot control the sandbox.');
	}
	checkToken(incoming, path, door);
	checkBody(incoming, path);
	return path;
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
	const names = [host, ...allowedHosts].map((one) => one.toLowerCase());
	if (isLoopback(name) || names.includes(name)) return true;
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
function checkToken(
	{ headers, url }: IncomingMessage,
	path: string,
	{ controlToken: token }: Door,
): void {
	if (token === undefined || !path.startsWith('/_sandbox') || path === '/_sandbox/livez') return;
	const cookies = headers.cookie?.split('; ') ?? [];
	const given = [headers.authorization, ...cookies, url];
	const known = [`Bearer ${token}`, `controlToken=${token}`, `/_sandbox?token=${token}`];
	if (given.some((one) => one !== undefined && known.includes(one))) return;
	const message = `It needs the control token that was printed at the start: in the header "Authorization: Bearer TOKEN", or open the printed address of the inbox.`;
	throw new Refusal(401, message);
}

/** Browsers post other content types cross-origin without a CORS preflight, so control requests must be JSON. */
function checkBody(incoming: IncomingMessage, path: string): void {
	const { method = '', headers } = incoming;
	const length = Number(headers['content-length'] ?? 0);
	if (length > maxBodyBytes) throw refuseLong();
	if (isOfService(path) || method === 'GET' || method === 'HEAD') return;
	const type = headers['content-type'];
	const hasBody = length > 0 || headers['transfer-encoding'] !== undefined;
	if (type === undefined && !hasBody) return;
	if (/^application\/json\s*(?:;|$)/i.test(type ?? '')) return;
	throw new Refusal(415, 'Control requests must have Content-Type: application/json.');
}
