import { isRecord } from './json';

export type ResponsePart = Record<string, unknown>;

/** Fields that report success or failure. In rejections inside a 2xx, only `status` was observed (field note 3). */
const verdicts = ['status', 'statusCode', 'verified', 'success', 'valid', 'ok'];
const yes = /^(1|2\d\d|true|ok|yes|success|successful|verified|valid|approved|accepted)$/i;
const no = /^(0|false|rejected)$/i;

const isWord = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);

function says(value: unknown, words: RegExp): boolean {
	return isWord(value) && words.test(String(value).trim());
}

/** Whether `status` is a rejection (field note 3). Every other status belongs to an accepted message. */
export function isRejection({ status }: ResponsePart): boolean {
	return says(status, no);
}

/**
 * The same for a code check, which fails closed. Error bodies have a `name` and an `error` ("Errors"; some
 * successes have an empty one), and each field of `verdicts` that is present must say yes.
 */
export function isRejectionOfCode(part: ResponsePart): boolean {
	const isEmpty = (value: unknown) => value === undefined || value === null || value === '';
	const hasError = [part.error, part.errors].some((value) => !isEmpty(value) && value !== false);
	return (
		isRejection(part) ||
		hasError ||
		!isEmpty(part.name) ||
		verdicts.some((field) => part[field] !== undefined && !says(part[field], yes))
	);
}

/** The rejection of a whole request: the body, or the first of its records. */
export function findRejection(body: unknown): ResponsePart | undefined {
	if (!isRecord(body)) return undefined;
	const records: unknown[] = Array.isArray(body.messages) ? body.messages : [];
	return [body, records[0]].filter(isRecord).find(isRejection);
}

/** The first part of a response, at any depth, that rejects a code. */
export function findRejectionOfCode(response: unknown): ResponsePart | undefined {
	if (typeof response !== 'object' || response === null) return undefined;
	if (isRecord(response) && isRejectionOfCode(response)) return response;
	for (const part of Object.values(response)) {
		const found = findRejectionOfCode(part);
		if (found) return found;
	}
	return undefined;
}

/** The HTTP status (300 to 599) in an error body inside a 2xx. */
export function statusWithin({ status, statusCode }: ResponsePart): number | undefined {
	const numbers = [status, statusCode].filter(isWord).map(Number);
	return numbers.find((number) => Number.isInteger(number) && number >= 300 && number < 600);
}
