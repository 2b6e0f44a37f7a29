import type { LoggedRequest, ServiceAnswer, Settings, StoredOtp } from '../entities';
import type { Deviation } from '../shapes';
import { formatDateTime, parseDateTime } from './dateTime';
import { type Fields, isFields } from './fields';
import { readPhoneNumber } from './phoneNumber';
import { Refusal } from './refusal';

/** The part of the state that is read; its own type would import the settings in a circle. */
interface Codes {
	codes: { list(where: string): StoredOtp[] };
}

/** How a service differs from one assumption; its ID is that of the check and of SUPPORTED.md. */
interface Difference {
	settings?: Partial<Settings>;
	/** Rejects a request, or changes it before the service acts. */
	request?: (request: LoggedRequest) => LoggedRequest;
	/** Changes the body of a success. */
	body?: (body: Fields, request: LoggedRequest, state: Codes) => object;
	/** Changes a response as a whole. */
	answer?: (answer: ServiceAnswer, request: LoggedRequest) => ServiceAnswer;
	/** Changes the fields of a receipt; undefined: there is none. */
	receipt?: (fields: Fields) => Fields | undefined;
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

/** Changes the responses to requests for history as a whole. */
const changeHistory = (change: (body: Fields, request: LoggedRequest) => object): Difference => ({
	body: (body, request) => (history.test(request.path) ? change(body, request) : body),
});

const mask = (to: unknown) => String(to).replace(/^(\d{3})\d+/, '$1*******');
const shorten = (to: unknown) => String(to).replace(/^95/, '');

const reverseRecords = (path: RegExp): Difference => ({
	body: (body, request) =>
		path.test(request.path) && Array.isArray(body.messages)
			? { ...body, messages: [...body.messages].reverse() }
			: body,
});

/** Another status for errors with these words. */
const otherStatus = (words: RegExp, status: number, paths = /./): Difference => ({
	answer: (answer, { path }) =>
		answer.status >= 400 && words.test(answer.body) && paths.test(path)
			? { ...answer, status }
			: answer,
});

const shift = (text: unknown, minutes: number): unknown => {
	const ms = parseDateTime(String(text));
	return ms === undefined ? text : formatDateTime(ms + minutes * 60_000);
};
/** Changes the times that the service made itself. */
const eachTime = (change: (text: unknown) => unknown): Difference =>
	eachRecord(/./, ({ createdAt, finishedAt }) => ({
		createdAt: change(createdAt),
		...(finishedAt !== undefined && { finishedAt: change(finishedAt) }),
	}));
const shiftTimes = (minutes: number): Difference => eachTime((text) => shift(text, minutes));
/** `null` and absent times stay. */
const writeTimes = (write: (ms: number, text: string) => string): Difference =>
	eachTime((text) => {
		const ms = parseDateTime(String(text));
		return ms === undefined ? text : write(ms, String(text).replace(' ', 'T'));
	});
const eachText = (change: (text: string) => string): Difference =>
	eachRecord(history, ({ message }) => ({ message: change(String(message)) }));

/** Rejects JSON whose `to` begins with a plus, or must begin with an escaped one. */
const refusePlus = (change: (to: string) => string): Difference => ({
	request: (request) => {
		const { body } = request;
		if (!isFields(body)) return request;
		const read = (to: unknown) => (typeof to === 'string' ? change(to) : to);
		const readItem = (one: Fields) => ({
			...one,
			to: Array.isArray(one.to) ? one.to.map(read) : read(one.to),
		});
		const { messages } = body;
		const items = Array.isArray(messages) && { messages: (messages as Fields[]).map(readItem) };
		return { ...request, body: { ...('to' in body ? readItem(body) : body), ...items } };
	},
});
const history = /rest\/messages$/;
const sending = /\/send/;

function confirm(answer: ServiceAnswer, { query }: LoggedRequest): ServiceAnswer {
	const verifiedAt = formatDateTime(Date.now());
	const body = JSON.stringify({ request_id: Number(query.requestId), to: '', verifiedAt });
	return { ...answer, status: 201, body };
}

/** One switch for each assumption that a service may well break. */
const differences: Record<Deviation, Difference> = {
	'auth-bearer': refuseIf(
		({ headers }) => /^bearer/i.test(headers.authorization ?? ''),
		unauthorized,
	),
	'wrong-key': otherStatus(/invalid credentials/, 403),
	'token-in-query': refuseIf(({ rawQuery }) => /accessToken=[^&]*%/.test(rawQuery), unauthorized),
	'error-status': {
		answer: (answer) => ({ ...answer, status: answer.status < 400 ? answer.status : 200 }),
	},
	'error-422': otherStatus(/"status":422/, 400),
	'error-422:list': {
		answer: (answer) => {
			if (answer.status !== 422) return answer;
			const { message } = JSON.parse(answer.body) as { message: string };
			const field = /^\w+/.exec(message)?.[0].toLowerCase();
			return { ...answer, body: JSON.stringify([{ field, message }]) };
		},
	},
	'unknown-path': otherStatus(/Page not found/, 200),
	'method-balance:type': refuseIf(
		({ path, headers }) => path.includes('balance') && headers['content-type'] === undefined,
		() => new Refusal(415, 'The only supported content type is application/json.'),
	),
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
	'flag-encrypt': noNumber('encrypt'),
	'test-free': { settings: { testMessagesCost: true } },
	'number-form': eachRecord(sending, ({ to }) => ({ to: String(to).replace(/^959/, '09') })),
	'number-form:masked': eachRecord(sending, ({ to }) => ({ to: to && mask(to) })),
	'number-form:short': eachRecord(sending, ({ to }) => ({ to: to && shorten(to) })),
	'number-form:missing': eachRecord(sending, () => ({ to: undefined })),
	'number-plus': refusePlus((to) => to.replace(/^\+/, 'plus ')),
	'number-plus:escaped': refusePlus((to) => to.replace(/^\+/, 'plus ').replace(/^%2B/i, '+')),
	'time-form': writeTimes((ms) => new Date(ms).toISOString()),
	'time-form:zone': writeTimes((_, text) => `${text}+06:30`),
	'time-form:offset': writeTimes((ms) => new Date(ms).toISOString().replace(/\.\d+Z$/, '+0000')),
	envelope: { body: (body) => ({ data: body }) },
	'envelope:list': { body: (body) => ('messages' in body ? (body.messages as object) : body) },
	'reference-empty': eachRecord(/./, ({ clientReference: one }) => ({
		clientReference: one || null,
	})),
	'links-plain': changeHistory(({ links, ...body }, { query }) => ({
		...body,
		links: Object.fromEntries(
			Object.entries(links as Record<string, string>).map(([name, link]) => {
				const { page } = Object.fromEntries(new URL(link).searchParams);
				const all = new URLSearchParams({ ...query, page: page ?? '1' });
				return [name, link.replace(/\/index\?.*/, `?${all.toString()}`)];
			}),
		),
	})),
	'send-by-query': refuseIf(
		({ path }) => path === '/api/http/send',
		() => new Refusal(403, 'This account cannot send by query parameters.'),
	),
	// In `account.ts`: all are registered.
	'sender-unregistered': {},
	'sender-unregistered:status': {
		body: (body) => {
			const records = Array.isArray(body.messages) ? (body.messages as Fields[]) : [];
			if (records.some(({ status }) => status === false))
				throw new Refusal(422, 'Invalid Sender ID');
			return body;
		},
	},
	'sender-unregistered:data': eachRecord(sending, ({ status }) =>
		status === false ? { data: 'The sender ID is not registered for this network.' } : {},
	),
	'bulk-all-or-none': {
		request: (request) => {
			const { body } = request;
			if (!isFields(body) || !Array.isArray(body.messages)) return request;
			const isGood = (one: Fields) => [one.to].flat().every((to) => readPhoneNumber(String(to)));
			return { ...request, body: { messages: (body.messages as Fields[]).filter(isGood) } };
		},
	},
	'schedule-zone': {
		request: (request) => {
			const { body } = request;
			if (!isFields(body) || !body.scheduledAt) return request;
			return { ...request, body: { ...body, scheduledAt: shift(body.scheduledAt, 390) } };
		},
	},
	'listing-time': { settings: { historyLagMs: 90_000 } },
	'reference-in-history': eachRecord(history, () => ({ clientReference: null })),
	'history-text': eachText((text) => text.replace(/\s+/g, ' ')),
	'history-text:cut': eachText((text) => text.slice(0, 10)),
	'history-text:escaped': eachText((text) =>
		text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;'),
	),
	'history-text:trimmed': eachText((text) => text.trim()),
	'history-text:lf': eachText((text) => text.replace(/\r\n/g, '\n')),
	'history-number': eachRecord(history, ({ to }) => ({ to: String(to).replace(/^959/, '09') })),
	'history-number:masked': eachRecord(history, ({ to }) => ({ to: mask(to) })),
	'history-number:short': eachRecord(history, ({ to }) => ({ to: shorten(to) })),
	'history-number:missing': eachRecord(history, () => ({ to: undefined })),
	'history-sender': { settings: { historySender: 'INFO' } },
	'zone-created': shiftTimes(-390),
	'history-newest-first': reverseRecords(history),
	// The last day is not included.
	'history-filters': changeQuery(({ filterByCreatedDateTo: day }) =>
		day ? { filterByCreatedDateTo: String(shift(`${day} 00:00:00`, -60)).slice(0, 10) } : {},
	),
	'history-filters:ignored': {
		request: (request) => {
			const { limit, page } = request.query;
			const query = { ...(limit && { limit }), ...(page && { page }) };
			return history.test(request.path) ? { ...request, query } : request;
		},
	},
	'page-sizes': changeQuery(({ limit }) => (Number(limit) > 100 ? { limit: '100' } : {})),
	'page-sizes:claimed': {
		...changeQuery(({ limit }) => (limit ? { limit: '20' } : {})),
		...changeHistory((body, { query }) => ({ ...body, limit: Number(query.limit ?? 20) })),
	},
	// Counted from 0.
	'history-pages': changeQuery(({ page }) => (page ? { page: String(Number(page) + 1) } : {})),
	'history-pages:repeated': changeHistory(({ messages, ...body }) => ({
		messages: (messages as object[]).flatMap((one) => [one, one]),
		...body,
	})),
	// In `history.ts`: a page after the last one is the last one.
	'history-last-page': {},
	'history-no-codes': {
		body: (body, { path }, { codes }) => {
			if (!history.test(path) || !Array.isArray(body.messages)) return body;
			const listed = codes.list('TRUE ORDER BY mark DESC LIMIT 5');
			const records = listed.map(({ to, from, message }) => ({ to, from, message }));
			return { ...body, messages: [...records, ...(body.messages as Fields[])] };
		},
	},
	'otp-defaults': changeQuery(({ brand, ttl }) => (brand && !ttl ? { ttl: '600' } : {})),
	'otp-defaults:length': changeQuery(({ brand, pinLength }) =>
		brand && !pinLength ? { pinLength: '4' } : {},
	),
	'otp-defaults:attempts': changeQuery(({ brand, maxInvalidAttempts }) =>
		brand && !maxInvalidAttempts ? { maxInvalidAttempts: '3' } : {},
	),
	'verify-wrong': {
		answer: (answer, request) =>
			/Invalid request!/.test(answer.body) ? confirm(answer, request) : answer,
	},
	'verify-wrong:status': otherStatus(/Invalid request!/, 404),
	'verify-wrong:rejected': otherStatus(/Invalid request!/, 200),
	'verify-wrong:list': {
		answer: (answer) =>
			/Invalid request!/.test(answer.body)
				? { ...answer, status: 422, body: '[{"field":"code","message":"Code is wrong."}]' }
				: answer,
	},
	'verify-right': {
		body: ({ request_id: requestId, ...body }) => (requestId ? { ...body, requestId } : body),
	},
	'verify-once': {
		answer: (answer, request) =>
			answer.reason === 'The code is verified.' ? confirm(answer, request) : answer,
	},
	'verify-expired': changeQuery(({ ttl }) => (ttl ? { ttl: '3600' } : {})),
	'verify-blocked': changeQuery(({ maxInvalidAttempts }) =>
		maxInvalidAttempts ? { maxInvalidAttempts: '10' } : {},
	),
	'receipt-retries': { settings: { receiptAttempts: 1 } },
	'receipt-statuses': { receipt: (fields) => (fields.status === 'Sent' ? undefined : fields) },
	// In `receipts.ts`: a receipt comes only if calls without one get a 200.
	'receipt-ping': {},
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

export function deviateBody(
	state: Codes & { settings: Settings },
	body: object,
	request: LoggedRequest,
): object {
	return active(state.settings).reduce(
		(one, { body: change }) => change?.(one as Fields, request, state) ?? one,
		body,
	);
}

/** Undefined: the service posts no such receipt. */
export function deviateReceipt<T extends Fields>(settings: Settings, fields: T): T | undefined {
	return active(settings).reduce<Fields | undefined>(
		(one, { receipt: change }) => (one && change ? change(one) : one),
		fields,
	) as T | undefined;
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
