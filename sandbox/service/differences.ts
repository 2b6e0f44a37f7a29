import type { LoggedRequest, ServiceAnswer, Settings } from '../entities';
import { formatDateTime, parseDateTime } from './dateTime';
import { type Fields, isFields, toLabel } from './fields';
import { Refusal } from './refusal';

/** How a service differs from one assumption. */
export interface Difference {
	settings?: Partial<Settings>;
	/** Rejects a request, or changes it before the service acts. */
	request?: (request: LoggedRequest) => LoggedRequest;
	/** Changes the body of a success. */
	body?: (body: Fields, request: LoggedRequest) => object;
	/** Changes a response as a whole. */
	answer?: (answer: ServiceAnswer, request: LoggedRequest) => ServiceAnswer;
}

export const history = /rest\/messages$/;
export const sending = /\/send/;

/** Rejects the requests that match. */
export const refuse = (
	status: number,
	message: string,
	applies: (request: LoggedRequest) => boolean,
): Difference => ({
	request: (request) => {
		if (applies(request)) throw new Refusal(status, message);
		return request;
	},
});
export const refuseKey = (applies: (request: LoggedRequest) => boolean) =>
	refuse(401, 'Your request was made with invalid credentials.', applies);
/** Accepts the other method only. */
export const otherMethod = (path: string, usual: 'GET' | 'POST'): Difference =>
	refuse(405, 'Method Not Allowed.', (one) => one.path === `/api${path}` && one.method === usual);
/** Accepts booleans only, as the specification says. */
export const noNumber = (flag: string): Difference =>
	refuse(422, `${flag} must be a boolean`, ({ body }) => isFields(body) && body[flag] === 1);

const flags = ['test', 'unicode', 'encrypt'];
/** Wants all flags in every message, in bulk too (field notes 2 and 21). */
export const everyFlag = (type: 'number' | 'boolean', inQuery: RegExp): Difference => ({
	request: (request) => {
		const { body, path, query } = request;
		if (!sending.test(path)) return request;
		const isByQuery = path === '/api/http/send';
		const fields = isFields(body) ? body : {};
		const items = Array.isArray(fields.messages) ? (fields.messages as Fields[]) : [fields];
		const isGood = (flag: string) =>
			isByQuery
				? inQuery.test(query[flag] ?? '')
				: items.every(({ [flag]: value }) => typeof value === type);
		const missing = flags.find((flag) => !isGood(flag));
		if (missing !== undefined) throw new Refusal(422, `${toLabel(missing)} must be a ${type}`);
		return request;
	},
});

export const changeQuery = (change: (query: Record<string, string>) => object): Difference => ({
	request: (request) => ({ ...request, query: { ...request.query, ...change(request.query) } }),
});
/** Of a request for a code: unless it says so itself. */
export const otpDefault = (name: string, value: string): Difference =>
	changeQuery((query) => (query.brand && !query[name] ? { [name]: value } : {}));
/** Changes the JSON of a request. */
export const changeJson = (change: (body: Fields) => Fields): Difference => ({
	request: (request) =>
		isFields(request.body) ? { ...request, body: change(request.body) } : request,
});

/** Changes the responses that have records. */
export const changeList = (
	paths: RegExp,
	change: (records: Fields[], body: Fields, request: LoggedRequest) => object,
): Difference => ({
	body: (body, request) =>
		paths.test(request.path) && Array.isArray(body.messages)
			? { ...body, ...change(body.messages as Fields[], body, request) }
			: body,
});
export const eachRecord = (paths: RegExp, change: (record: Fields) => object): Difference =>
	changeList(paths, (messages) => ({
		messages: messages.map((one) => ({ ...one, ...change(one) })),
	}));
export const eachText = (change: (text: string) => string): Difference =>
	eachRecord(history, ({ message }) => ({ message: change(String(message)) }));

const numberForms = {
	'': (to: string) => to.replace(/^959/, '09'),
	':masked': (to: string) => to.replace(/^(\d{3})\d+/, '$1*******'),
	':short': (to: string) => to.replace(/^95/, ''),
	':missing': () => undefined,
};
/** The same forms in responses and in history. */
export function eachNumber<Id extends string>(id: Id, paths: RegExp) {
	const forms = Object.entries(numberForms).map(([form, write]) => [
		`${id}${form}`,
		eachRecord(paths, ({ to }) => ({ to: to && write(String(to)) })),
	]);
	return Object.fromEntries(forms) as Record<`${Id}${keyof typeof numberForms}`, Difference>;
}

/** Changes the times that the service made itself. */
export const eachTime = (write: (ms: number, iso: string) => string): Difference => {
	const change = (text: unknown) => {
		const ms = parseDateTime(String(text));
		return ms === undefined ? text : write(ms, String(text).replace(' ', 'T'));
	};
	return eachRecord(/./, ({ createdAt, finishedAt }) => ({
		createdAt: change(createdAt),
		...(finishedAt !== undefined && { finishedAt: change(finishedAt) }),
	}));
};
export const shift = (text: string, minutes: number): string => {
	const ms = parseDateTime(text);
	return ms === undefined ? text : formatDateTime(ms + minutes * 60_000);
};

/** Changes the rejections with these words. */
export const changeError = (
	words: RegExp,
	change: (answer: ServiceAnswer, request: LoggedRequest) => Partial<ServiceAnswer>,
): Difference => ({
	answer: (answer, request) =>
		answer.status >= 400 && words.test(answer.body)
			? { ...answer, ...change(answer, request) }
			: answer,
});
export const listErrors = ({ body }: ServiceAnswer): Partial<ServiceAnswer> => {
	const { message } = JSON.parse(body) as { message: string };
	const field = /^\w+/.exec(message)?.[0].toLowerCase();
	return { status: 422, body: JSON.stringify([{ field, message }]) };
};
export const confirm = (_: ServiceAnswer, { query }: LoggedRequest): Partial<ServiceAnswer> => {
	const verifiedAt = formatDateTime(Date.now());
	const body = JSON.stringify({ request_id: Number(query.requestId), to: '', verifiedAt });
	return { status: 201, body };
};
export const wrongCode = /Invalid request!/;

/** Rewrites the numbers of a JSON body, of which one that begins with "plus" is rejected. */
export const changeNumbers = (change: (to: string) => string): Difference => {
	const read = (to: unknown): unknown =>
		Array.isArray(to) ? to.map(read) : typeof to === 'string' ? change(to) : to;
	const item = (one: Fields): Fields => ('to' in one ? { ...one, to: read(one.to) } : one);
	return changeJson((body) => ({
		...item(body),
		...(Array.isArray(body.messages) && { messages: (body.messages as Fields[]).map(item) }),
	}));
};
