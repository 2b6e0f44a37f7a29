export type Method = 'GET' | 'POST';

export interface Endpoint {
	readonly surface: 'rest' | 'otp' | 'http';
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

/** The other methods that services asked for, by account and endpoint. */
const learned = new Map<string, Method>();

/**
 * Sends a request, and once more by the other method after a 405, which certainly did nothing (field note 22).
 * @param send sends the request by a method
 */
export async function sendByMethod<R extends { status: number }>(
	account: string,
	endpoint: Endpoint,
	send: (method: Method) => Promise<R>,
): Promise<R> {
	const key = `${account} ${endpoint.surface}${endpoint.path}`;
	const method = learned.get(key) ?? endpoint.method;
	const response = await send(method);
	// n8n's HTTP helper drops the body of a GET silently.
	if (response.status !== 405 || endpoint.hasBody) return response;
	const other = method === 'GET' ? 'POST' : 'GET';
	const second = await send(other);
	if ([404, 405].includes(second.status)) return response;
	learned.set(key, other);
	return second;
}
