import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/** Whom the sandbox answers. */
export interface Door {
	/** The address it listens on. */
	host: string;
	/** Further names that people reach it by. */
	allowedHosts: string[];
	/** What its own receipts say of their sender. */
	userAgent: string;
}

export interface GuardRefusal {
	status: 400 | 403 | 413 | 415;
	message: string;
}

export const maxBodyBytes = 1_000_000;
/** Of a longer body so much is read and dropped. */
export const maxDroppedBytes = 64_000_000;

/** Names that no stranger can point to another machine, nor another machine's name to us. */
const ownNames = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Why a request is not to be looked at: the user of this machine opens web pages too, and they must
 * neither read nor steer the sandbox (DNS rebinding, cross-site calls), nor may it be made to call itself.
 */
export function findGuardRefusal(
	incoming: IncomingMessage,
	path: string | undefined,
	door: Door,
): GuardRefusal | undefined {
	const { headers } = incoming;
	if (headers['user-agent'] === door.userAgent) {
		return refuse('The sandbox posts no receipt to itself.');
	}
	const name = readHostName(headers.host);
	if (!isOwnName(name, door)) {
		return refuse(
			`The sandbox does not answer to the name "${name}". Start it with --allow-host ${name} if it is meant.`,
		);
	}
	if (path === undefined) return { status: 400, message: 'The path cannot be read.' };
	if (isFromElsewhere(incoming, path)) {
		return refuse('The sandbox is not steered from other web pages.');
	}
	return findBodyRefusal(incoming, path);
}

const maxPasses = 5;
/** Most paths: nothing in them can be read in two ways. */
const plainPath = /^(?:\/[\w-]+)+$/;

/**
 * The path as the guard and the routes read it: decoded, without `..` and repeated slashes. Undefined for what no
 * browser sends.
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
	// Rebinding needs a name: an address can only be one of ours, if we are to be reached from elsewhere.
	return isIP(name.replace(/^\[|\]$/g, '')) > 0 && !isLoopback(host);
}

export function isLoopback(host: string): boolean {
	return ownNames.test(host) || host === '::1';
}

/** A page may be opened from anywhere by a link; everything else only by itself, or by a program. */
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

/** Text of another type can be posted from any page without asking: what steers must be JSON. */
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
	return { status: 415, message: 'The sandbox is steered by Content-Type: application/json only.' };
}
