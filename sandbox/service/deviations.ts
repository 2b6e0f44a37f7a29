import type { LoggedRequest, ServiceAnswer, Settings } from '../entities';
import type { Deviation } from '../shapes';
import { formatDateTime, parseDateTime } from './dateTime';
import { type Fields, isFields } from './fields';
import { readPhoneNumber } from './phoneNumber';
import { Refusal } from './refusal';

/** How a service differs from one assumption; its ID is that of the check and of SUPPORTED.md. */
interface Difference {
	settings?: Partial<Settings>;
	/** Rejects a request, or changes it before the service acts. */
	request?: (request: LoggedRequest) => LoggedRequest;
	/** Changes the body of a success. */
	body?: (body: Fields, request: LoggedRequest) => object;
	/** Changes a response as a whole. */
	answer?: (answer: ServiceAnswer, request: LoggedRequest) => ServiceAnswer;
}

const unauthorized = () => new Refusal(401, 'Your request was made with invalid credentials.');

function refuseIf(
	applies: (request: LoggedRequest) => boolean,
	refusal: () => Refusal,
): Difference {
	return {
		request: (request) => {
			if (applies(request)) throw refusal();
			return request;
		},
	};
}

/** Takes the other method only. */
function otherMethod(path: string, usual: 'GET' | 'POST'): Difference {
	const refusal = () => new Refusal(405, 'Method Not Allowed.');
	return refuseIf((one) => one.path === `/api${path}` && one.method === usual, refusal);
}

/** Takes booleans only, as the specification says. */
function noNumber(flag: string): Difference {
	const isOne = ({ body }: LoggedRequest) => isFields(body) && body[flag] === 1;
	return refuseIf(isOne, () => new Refusal(422, `${flag} must be a boolean`));
}

const changeQuery = (change: (query: Record<string, string>) => object): Difference => ({
	request: (request) => ({ ...request, query: { ...request.query, ...change(request.query) } }),
});

/** Changes each record in responses of these paths. */
function eachRecord(paths: RegExp, change: (record: Fields) => object): Difference {
	return {
		body: (body, { path }) => {
			if (!paths.test(path) || !Array.isArray(body.messages)) return body;
			return {
				...body,
				messages: body.messages.map((one: Fields) => ({ ...one, ...change(one) })),
			};
		},
	};
}

const reverseRecords = (path: RegExp): Difference => ({
	body: (body, request) =>
		path.test(request.path) && Array.isArray(body.messages)
			? { ...body, messages: [...body.messages].reverse() }
			: body,
});

/** Another status for errors with these words. */
const otherStatus = (words: RegExp, status: number): Difference => ({
	answer: (answer) =>
		answer.status >= 400 && words.test(answer.body) ? { ...answer, status } : answer,
});

const shift = (text: unknown, minutes: number): unknown => {
	const ms = parseDateTime(String(text));
	return ms === undefined ? text : formatDateTime(ms + minutes * 60_000);
};
const shiftTimes = (minutes: number): Difference =>
	eachRecord(/./, ({ createdAt, finishedAt }) => ({
		createdAt: shift(createdAt, minutes),
		...(finishedAt !== undefined && { finishedAt: shift(finishedAt, minutes) }),
	}));
const history = /rest\/messages$/;
const sending = /\/send/;

/** One switch for each assumption that a service may well break. */
const differences: Record<Deviation, Difference> = {
	'auth-bearer': refuseIf(
		({ headers }) => /^bearer/i.test(headers.authorization ?? ''),
		unauthorized,
	),
	'auth-basic': refuseIf(
		({ headers }) => /^basic/i.test(headers.authorization ?? ''),
		unauthorized,
	),
	'wrong-key': otherStatus(/invalid credentials/, 403),
	'no-redirect': refuseIf(
		({ path }) => path.includes('balance'),
		() => new Refusal(307, 'Moved.', 'Moved.', { Location: 'https://elsewhere.example/' }),
	),
	'success-201': { settings: { successStatus: 200 } },
	'error-status': {
		answer: (answer) => ({ ...answer, status: answer.status < 400 ? answer.status : 200 }),
	},
	'error-422': otherStatus(/"status":422/, 400),
	'method-send': refuseIf(
		({ path, method }) => path === '/api/rest/send' && method === 'POST',
		() => new Refusal(405, 'Method Not Allowed.'),
	),
	'method-bulk': otherMethod('/rest/send/bulk', 'POST'),
	'method-history': otherMethod('/rest/messages', 'GET'),
	'method-balance': otherMethod('/rest/account/get-balance', 'GET'),
	'method-otp-request': otherMethod('/otp/request', 'POST'),
	'method-otp-verify': otherMethod('/otp/verify', 'POST'),
	'method-query': otherMethod('/http/send', 'POST'),
	...{ 'flag-test': noNumber('test'), 'flag-unicode': noNumber('unicode') },
	...{ 'flag-encrypt': noNumber('encrypt'), 'flag-forms': { settings: { strictFlags: 'all' } } },
	'test-free': { settings: { testMessagesCost: true } },
	'status-accepted': eachRecord(sending, ({ status }) => ({ status: status && 'Queued' })),
	'number-form': eachRecord(sending, ({ to }) => ({ to: String(to).replace(/^959/, '09') })),
	'reference-empty': eachRecord(sending, ({ clientReference: one }) => ({
		clientReference: one || null,
	})),
	'query-reference-null': eachRecord(sending, ({ clientReference: one }) => ({
		clientReference: one ?? '',
	})),
	'sender-unregistered': {
		body: (body) => {
			const records = Array.isArray(body.messages) ? (body.messages as Fields[]) : [];
			if (records.some(({ status }) => status === false))
				throw new Refusal(422, 'Invalid Sender ID');
			return body;
		},
	},
	'bulk-all-or-none': {
		request: (request) => {
			const { body } = request;
			if (!isFields(body) || !Array.isArray(body.messages)) return request;
			const isGood = (one: Fields) => [one.to].flat().every((to) => readPhoneNumber(String(to)));
			return { ...request, body: { messages: (body.messages as Fields[]).filter(isGood) } };
		},
	},
	'bulk-order': reverseRecords(/bulk$/),
	'schedule-zone': {
		request: (request) => {
			const { body } = request;
			if (!isFields(body) || !body.scheduledAt) return request;
			return { ...request, body: { ...body, scheduledAt: shift(body.scheduledAt, 390) } };
		},
	},
	'listing-time': { settings: { historyLagMs: 90_000 } },
	'reference-in-history': eachRecord(history, () => ({ clientReference: null })),
	'history-text': eachRecord(history, ({ message }) => ({
		message: String(message).replace(/\s+/g, ' '),
	})),
	'history-number': eachRecord(history, ({ to }) => ({ to: String(to).replace(/^959/, '09') })),
	'history-sender': { settings: { historySender: 'INFO' } },
	'zone-created': shiftTimes(-390),
	clock: shiftTimes(5),
	'history-newest-first': reverseRecords(history),
	'history-to-95': changeQuery(({ to }) => (to ? { to: to.replace(/^09/, '959') } : {})),
	'page-sizes': changeQuery(({ limit }) => (Number(limit) > 100 ? { limit: '100' } : {})),
	'history-last-page': changeQuery(({ page }) => (page ? { page: '1' } : {})),
	'links-own-host': { settings: { linksBaseUrl: 'https://elsewhere.example/api' } },
	'otp-bad-parameter': otherStatus(/missing or invalid parameters/, 422),
	'otp-defaults': changeQuery(({ brand, ttl }) => (brand && !ttl ? { ttl: '600' } : {})),
	'otp-id': { settings: { largeRequestIds: true } },
	'verify-wrong': otherStatus(/Invalid request!/, 404),
	'verify-right': {
		body: ({ request_id: requestId, ...body }) => (requestId ? { ...body, requestId } : body),
	},
	'verify-expired': changeQuery(({ ttl }) => (ttl ? { ttl: '3600' } : {})),
	'verify-blocked': changeQuery(({ maxInvalidAttempts }) =>
		maxInvalidAttempts ? { maxInvalidAttempts: '10' } : {},
	),
	'receipt-method': { settings: { receiptMethod: 'get' } },
	'receipt-retries': { settings: { receiptAttempts: 1 } },
};

const active = ({ deviate }: Pick<Settings, 'deviate'>) => deviate.map((id) => differences[id]);

/** The settings that the chosen deviations imply. */
export function settingsOf(deviate: Deviation[]): Partial<Settings> {
	return Object.assign(
		{},
		...active({ deviate }).map(({ settings }) => settings),
	) as Partial<Settings>;
}

/** @throws Refusal of a deviation */
export function deviateRequest(settings: Settings, request: LoggedRequest): LoggedRequest {
	return active(settings).reduce((one, { request: change }) => change?.(one) ?? one, request);
}

export function deviateBody(settings: Settings, body: object, request: LoggedRequest): object {
	return active(settings).reduce(
		(one, { body: change }) => change?.(one as Fields, request) ?? one,
		body,
	);
}

export function deviateAnswer(
	settings: Settings,
	answer: ServiceAnswer,
	request: LoggedRequest,
): ServiceAnswer {
	return active(settings).reduce(
		(one, { answer: change }) => change?.(one, request) ?? one,
		answer,
	);
}
