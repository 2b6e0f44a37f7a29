import { isRecord } from './json';

type Fields = Record<string, unknown>;

const isOf = (value: unknown, field: string): value is Fields => isRecord(value) && field in value;

/** Whether this can be a message record: those that are accepted have an ID, rejected ones a status. */
const isMessage = (value: unknown): value is Fields =>
	isRecord(value) && ('messageId' in value || 'status' in value);

/** Message records as a list, as one record, or by key, as PHP writes a list with gaps. */
function listMessages(value: unknown): unknown[] | undefined {
	if (Array.isArray(value)) return value;
	if (!isRecord(value)) return undefined;
	if (isMessage(value)) return [value];
	const entries = Object.values(value);
	return entries.length > 0 && entries.every(isMessage) ? entries : undefined;
}

/** A list or record where only `messages` is expected must show what it is: an error can be one, too. */
function listBareMessages(value: unknown): unknown[] | undefined {
	if (Array.isArray(value)) return value.every(isMessage) ? value : undefined;
	return isRecord(value) && 'messageId' in value ? [value] : undefined;
}

function unwrapMessages(body: unknown): Fields | undefined {
	const outer = isRecord(body) ? body : {};
	const { messages, data } = outer;
	if (messages !== undefined) {
		const list = listMessages(messages);
		return list && { ...outer, messages: list };
	}
	if (isOf(data, 'messages')) return unwrapMessages(data);
	const list = isMessage(data) ? [data] : (listBareMessages(data) ?? listBareMessages(body));
	return list && { ...outer, data: undefined, messages: list };
}

/**
 * The body of a success with the specified field at its top. Services may wrap it in `data`, beside `success`
 * (field note 23).
 * @param field what the body of this endpoint is recognized by
 * @returns `undefined` if the field is nowhere
 */
export function unwrap(body: unknown, field: string): Fields | undefined {
	if (field === 'messages') return unwrapMessages(body);
	if (isOf(body, field)) return body;
	return isRecord(body) && isOf(body.data, field) ? body.data : undefined;
}
