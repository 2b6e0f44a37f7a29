import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/** What the guard needs to know about the sandbox. */
export interface Door {
	/** The address it listens on. */
	host: string;
	/** Further accepted host names. */
	allowedHosts: string[];
	/** User-Agent of the sandbox's own receipts. */
	userAgent: string;
}

export interface GuardRefusal {
	status: 400 | 403 | 413 | 415;
	message: string;
}

export const maxBodyBytes = 1_000_000;
/** A longer body is read and dropped up to this size. */
export const maxDroppedBytes = 64_000_000;

/** Loopback names: DNS cannot point them elsewhere, so DNS rebinding cannot use them. */
const ownNames = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Finds why a request must be rejected. Web pages in a browser on this machine must neither read nor control
 * the sandbox (DNS rebinding, cross-site requests), and the sandbox must not call itself.
 */
export function findGuardRefusal(
	incoming: IncomingMessage,
	path: string | undefined,
	door: Door,
): GuardRefusal | undefined {
	const { headers } = incoming;
	if (headers['user-agent'] === door.userAgent) {
		return refuse('The sandbox does not post receipts to itself.');
	}
	const name = readHostName(headers.host);
	if (!isOwnName(name, door)) {
		return refuse(
			`The sandbox does not respond to the name "${name}". To allow it, start the sandbox with --allow-host ${name}.`,
		);
	}
	if (path === undefined) return { status: 400, message: 'The path cannot be read.' };
	if (isFromElsewhere(incoming, path)) {
		return refuse('Other web pages cannot control the sandbox.');
	}
	return findBodyRefusal(incoming, path);
}

const maxPasses = 5;
/** Most paths need no decoding or normalizing. */
const plainPath = /^(?:\/[\w-]+)+$/;

/**
 * Normalizes a path for the guard and the routes: decoded, without `..` and repeated slashes. Undefined for a
 * path that no browser sends.
 */
export function normalizePath(url = ''): string | undefined {
	if (!url.startsWith('/')) return undefined;
	let path = url.replace(/[?#].*$/s, '');
	if (plainPath.test(path)) return path;
	for (let pass = 0; pass < maxPasses; pass += 1) {
		const next = decodePath(path);
		if (next === path || next === undefined) return next;
		path = next;
	}
	return undefined;
}

function decodePath(path: string): string | undefined {
	try {
		const decoded = decodeURIComponent(path).replace(/\/{2,}/g, '/');
		return decodeURIComponent(new URL(`http://x${encodeURI(decoded)}`).pathname);
	} catch {
		return undefined;
	}
}

function refuse(message: string): GuardRefusal {
	return { status: 403, message };
}

function readHostName(host = ''): string {
	const [, plain] = /^(localhost|127\.0\.0\.1)(?::\d+)?$/.exec(host) ?? [];
	if (plain !== undefined) return plain;
	const url = `http://${host}`;
	return URL.canParse(url) ? new URL(url).hostname : '';
}

function isOwnName(name: string, { host, allowedHosts }: Door): boolean {
	if (ownNames.test(name) || name === host.toLowerCase() || allowedHosts.includes(name))
		return true;
	// DNS rebinding needs a name, so any IP address is safe if the sandbox listens beyond loopback.
	return isIP(name.replace(/^\[|\]$/g, '')) > 0 && !isLoopback(host);
}

export function isLoopback(host: string): boolean {
	return ownNames.test(host) || host === '::1';
}

/** Any site may link to a page of the inbox; all other paths serve only the inbox itself and programs. */
function isFromElsewhere({ method = '', headers }: IncomingMessage, path: string): boolean {
	const isPage =
		(method === 'GET' || method === 'HEAD') &&
		/^\/(?:_sandbox(?:\/(?!api(?:\/|$)).*)?)?$/.test(path);
	if (isPage) return false;
	const site = headers['sec-fetch-site'] ?? 'none';
	if (site !== 'none' && site !== 'same-origin') return true;
	const { origin, host = '' } = headers;
	if (origin === undefined) return false;
	return (
		!/^https?:\/\//.test(origin) ||
		origin.toLowerCase().replace(/^https?:\/\//, '') !== host.toLowerCase()
	);
}

/** Browsers post other content types cross-origin without a CORS preflight, so control requests must be JSON. */
function findBodyRefusal(
	{ method = '', headers }: IncomingMessage,
	path: string,
): GuardRefusal | undefined {
	const length = Number(headers['content-length'] ?? 0);
	if (length > maxBodyBytes) return { status: 413, message: 'A body may have 1 MB at most.' };
	if (/^\/api(?:\/|$)/.test(path) || method === 'GET' || method === 'HEAD') return undefined;
	const type = headers['content-type'];
	const hasBody = length > 0 || headers['transfer-encoding'] !== undefined;
	const isJson = /^application\/json\s*(?:;|$)/i.test(type ?? '');
	if (isJson || (type === undefined && !hasBody)) return undefined;
	return { status: 415, message: 'Control requests must have Content-Type: application/json.' };
}
