import type { LoggedRequest, ServiceAnswer, Settings } from '../entities';
import type { Deviation } from '../shapes';
import { formatDateTime } from './dateTime';
import {
	type Difference,
	history,
	sending,
	refuse,
	refuseKey,
	otherMethod,
	noNumber,
	everyFlag,
	changeQuery,
	otpDefault,
	changeJson,
	changeList,
	eachRecord,
	eachText,
	eachNumber,
	eachTime,
	shift,
	changeError,
	listErrors,
	confirm,
	wrongCode,
	changeNumbers,
} from './differences';
import type { Fields } from './fields';
import { readPhoneNumber } from './phoneNumber';
import { Refusal } from './refusal';

/** One switch for each assumption that a service may well break. Those with `{}` are where the service acts. */
const differences: Record<Deviation, Difference> = {
	'auth-bearer': refuseKey(({ headers }) => /^bearer/i.test(headers.authorization ?? '')),
	'wrong-key': changeError(/invalid credentials/, () => ({ status: 403 })),
	'token-in-query': refuseKey(({ rawQuery }) => /accessToken=[^&]*%/.test(rawQuery)),
	'error-status': changeError(/./, () => ({ status: 200 })),
	'error-422': changeError(/"status":422/, () => ({ status: 400 })),
	'error-422:list': changeError(/"status":422/, listErrors),
	'unknown-path': changeError(/Page not found/, () => ({ status: 200 })),
	'method-balance:type': refuse(
		415,
		'The only supported content type is application/json.',
		({ path, headers }) => path.includes('balance') && headers['content-type'] === undefined,
	),
	'method-send': otherMethod('/rest/send', 'POST'),
	'method-bulk': otherMethod('/rest/send/bulk', 'POST'),
	'method-history': otherMethod('/rest/messages', 'GET'),
	'method-balance': otherMethod('/rest/account/get-balance', 'GET'),
	'method-otp-request': otherMethod('/otp/request', 'POST'),
	'method-otp-verify': otherMethod('/otp/verify', 'POST'),
	'method-query': otherMethod('/http/send', 'POST'),
	'flag-test': noNumber('test'),
	'flag-unicode': noNumber('unicode'),
	'flag-encrypt': noNumber('encrypt'),
	'flags-numbers': everyFlag('number', /^[01]$/),
	'flags-booleans': everyFlag('boolean', /^(true|false)$/),
	'test-free': { settings: { testMessagesCost: true } },
	...eachNumber('number-form', sending),
	'number-plus': changeNumbers((to) => to.replace(/^\+/, 'plus ')),
	'number-plus:escaped': changeNumbers((to) => to.replace(/^\+/, 'plus ').replace(/^%2B/i, '+')),
	'time-form': eachTime((ms) => new Date(ms).toISOString()),
	'time-form:zone': eachTime((_, iso) => `${iso}+06:30`),
	'time-form:offset': eachTime((ms) => new Date(ms).toISOString().replace(/\.\d+Z$/, '+0000')),
	envelope: { body: (body) => ({ data: body }) },
	'envelope:list': { body: (body) => ('messages' in body ? (body.messages as object) : body) },
	'envelope:success': { body: (body) => ({ success: true, data: body }) },
	'envelope:records': {
		body: ({ messages, ...body }) =>
			messages ? { success: true, ...body, data: messages } : { success: true, data: body },
	},
	'reference-empty': eachRecord(/./, (one) => ({ clientReference: one.clientReference || null })),
	'send-by-query': refuse(
		403,
		'This account cannot send by query parameters.',
		({ path }) => path === '/api/http/send',
	),
	'sender-unregistered': {},
	'sender-unregistered:status': changeList(sending, (records) => {
		const isRefused = records.some(({ status }) => status === false);
		if (isRefused) throw new Refusal(422, 'Invalid Sender ID');
		return {};
	}),
	'sender-unregistered:data': eachRecord(sending, ({ status }) =>
		status === false ? { data: 'The sender ID is not registered for this network.' } : {},
	),
	// Field note 15.
	'sender-unregistered:bare': eachRecord(sending, ({ status }) =>
		status === false ? { to: undefined, from: undefined } : {},
	),
	'bulk-all-or-none': changeJson((body) => {
		const isGood = (one: Fields) => [one.to].flat().every((to) => readPhoneNumber(String(to)));
		const { messages } = body;
		return Array.isArray(messages) ? { messages: (messages as Fields[]).filter(isGood) } : body;
	}),
	// Its items may have a reference, which is stored (field note 23).
	'bulk-reference': {},
	'bulk-reference:own': changeList(/\/rest\/(send\/bulk|messages)$/, (records) => ({
		messages: records.map((one) => ({
			...one,
			clientReference: one.clientReference || `b-${String(one.messageId).slice(-12)}`,
		})),
	})),
	'schedule-zone': changeJson(({ scheduledAt: at, ...body }) =>
		at ? { ...body, scheduledAt: shift(String(at), 390) } : body,
	),
	'schedule-listed': changeList(history, (records) => ({
		messages: records.filter((one) => !one.scheduledAt || one.status !== 'Accepted'),
	})),
	'listing-time': { settings: { historyLagMs: 90_000 } },
	'reference-in-history': eachRecord(history, () => ({ clientReference: null })),
	'history-text': eachText((text) => text.replace(/\s+/g, ' ')),
	'history-text:cut': eachText((text) => text.slice(0, 10)),
	'history-text:escaped': eachText((text) =>
		text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;'),
	),
	'history-text:trimmed': eachText((text) => text.trim()),
	'history-text:extended': eachText((text) => `${text} Reply STOP to end.`),
	'history-text:lf': eachText((text) => text.replace(/\r\n/g, '\n')),
	...eachNumber('history-number', history),
	'history-sender': { settings: { historySender: 'INFO' } },
	'zone-created': eachTime((ms) => formatDateTime(ms - 390 * 60_000)),
	'history-newest-first': changeList(history, (all) => ({ messages: [...all].reverse() })),
	// The last day is not included.
	'history-filters': changeQuery(({ filterByCreatedDateTo: day }) =>
		day ? { filterByCreatedDateTo: shift(`${day} 00:00:00`, -60).slice(0, 10) } : {},
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
		...changeList(history, (_, __, { query }) => ({ limit: Number(query.limit ?? 20) })),
	},
	// Counted from 0.
	'history-pages': changeQuery(({ page }) => (page ? { page: String(Number(page) + 1) } : {})),
	'history-pages:repeated': changeList(history, (all) => ({
		messages: all.flatMap((one) => [one, one]),
	})),
	'history-no-codes': {},
	'otp-defaults': otpDefault('ttl', '600'),
	'otp-defaults:length': otpDefault('pinLength', '4'),
	'otp-defaults:attempts': otpDefault('maxInvalidAttempts', '3'),
	'verify-wrong': changeError(wrongCode, confirm),
	'verify-wrong:status': changeError(wrongCode, () => ({ status: 404 })),
	'verify-wrong:rejected': changeError(wrongCode, () => ({ status: 200 })),
	'verify-wrong:list': changeError(wrongCode, listErrors),
	'verify-right': {
		body: ({ request_id: requestId, ...body }) => (requestId ? { ...body, requestId } : body),
	},
	'verify-once': changeError(wrongCode, (answer, request) =>
		answer.reason === 'The code is verified.' ? confirm(answer, request) : {},
	),
	'verify-expired': changeQuery(({ ttl }) => (ttl ? { ttl: '3600' } : {})),
	'verify-blocked': changeQuery(({ maxInvalidAttempts: max }) =>
		max ? { maxInvalidAttempts: '10' } : {},
	),
	'receipt-retries': { settings: { receiptAttempts: 1 } },
	'receipt-statuses': {},
	'receipt-ping': {},
};

const active = ({ deviate }: Pick<Settings, 'deviate'>) => deviate.map((id) => differences[id]);

/** The settings that the chosen deviations imply. */
export function settingsOf(deviate: Deviation[]): Partial<Settings> {
	const all = active({ deviate }).map(({ settings }) => settings);
	return Object.assign({}, ...all) as Partial<Settings>;
}

/** @throws Refusal of a deviation */
export function deviateRequest(settings: Settings, received: LoggedRequest): LoggedRequest {
	return active(settings).reduce((one, { request }) => request?.(one) ?? one, received);
}

/** @throws Refusal of a deviation */
export function deviateBody(settings: Settings, plain: object, request: LoggedRequest): object {
	return active(settings).reduce((one, { body }) => body?.(one as Fields, request) ?? one, plain);
}

export function deviateAnswer(
	settings: Settings,
	plain: ServiceAnswer,
	request: LoggedRequest,
): ServiceAnswer {
	return active(settings).reduce((one, { answer }) => answer?.(one, request) ?? one, plain);
}
