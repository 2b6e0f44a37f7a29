import type { Endpoint, Method } from './address';
import { effectiveStatus, type AnyResponse } from './response';

/** The other methods that services asked for, by account and endpoint. */
const learned = new Map<string, Method>();

/** The method to try after this response; `undefined` if no other is worth a try. */
function findOther(endpoint: Endpoint, used: Method, response: AnyResponse): Method | undefined {
	const status = effectiveStatus(response);
	// Some routers respond 404 to a wrong method. Only a read may be repeated on that suspicion.
	const isRefused = status === 405 || (status === 404 && endpoint.isRead);
	// n8n's HTTP helper drops the body of a GET silently.
	if (!isRefused || endpoint.hasBody) return undefined;
	const { allow, retryAfter } = response;
	if (retryAfter !== undefined) return undefined;
	const other = used === 'GET' ? 'POST' : 'GET';
	const isAllowed = allow === undefined || new RegExp(`\\b${other}\\b`, 'i').test(allow);
	return isAllowed ? other : undefined;
}

/**
 * Sends a request, and once more by the other method if the service refuses the first one: a 405 certainly did nothing.
 * Only POST for `rest /send` is specified; the other methods are those of public clients (field note 22).
 * @param send sends the request by a method
 */
export async function sendByMethod<R extends AnyResponse>(
	account: string,
	endpoint: Endpoint,
	send: (method: Method) => Promise<R>,
): Promise<R> {
	const key = `${account} ${endpoint.surface}${endpoint.path}`;
	const method = learned.get(key) ?? endpoint.method;
	const response = await send(method);
	const other = findOther(endpoint, method, response);
	if (other === undefined) return response;
	const second = await send(other);
	if ([404, 405].includes(effectiveStatus(second))) return response;
	learned.set(key, other);
	return second;
}

/** The body of a request that has no fields: REST takes a POST as JSON only. */
export function emptyBodyOf({ surface, isRead }: Endpoint, method: Method): string | undefined {
	return surface === 'rest' && isRead && method === 'POST' ? '{}' : undefined;
}
