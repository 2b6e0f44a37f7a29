import { isRecord } from './json';

export type AnswerPart = Record<string, unknown>;

/** Fields that report success or failure. In refusals inside a 2xx, only `status` was observed (field note 3). */
const verdicts = ['status', 'statusCode', 'verified', 'success', 'valid', 'ok'];
const yes = /^(1|2\d\d|true|ok|yes|success|successful|verified|valid|approved|accepted)$/i;
const no = /^(0|false)$/i;

const isWord = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);

function says(value: unknown, words: RegExp): boolean {
	return isWord(value) && words.test(String(value).trim());
}

/** Whether `status` is a refusal (field note 3). Every other status belongs to an accepted message. */
export function isRefusal({ status }: AnswerPart): boolean {
	return says(status, no);
}

/**
 * The same for a code check, which fails closed. Error bodies have a `name` and an `error` ("Errors"; some
 * successes have an empty one), and each field of `verdicts` that is present must say yes.
 */
export function isRefusalOfCode(part: AnswerPart): boolean {
	const isEmpty = (value: unknown) => value === undefined || value === null || value === '';
	const hasError = [part.error, part.errors].some((value) => !isEmpty(value) && value !== false);
	return (
		isRefusal(part) ||
		hasError ||
		!isEmpty(part.name) ||
		verdicts.some((field) => part[field] !== undefined && !says(part[field], yes))
	);
}

/** The refusal of a whole request: the body, or the first of its records. */
export function findRefusal(body: unknown): AnswerPart | undefined {
	if (!isRecord(body)) return undefined;
	const records: unknown[] = Array.isArray(body.messages) ? body.messages : [];
	return [body, records[0]].filter(isRecord).find(isRefusal);
}

/** The first part of a response, at any depth, that rejects a code. */
export function findRefusalOfCode(answer: unknown): AnswerPart | undefined {
	if (typeof answer !== 'object' || answer === null) return undefined;
	if (isRecord(answer) && isRefusalOfCode(answer)) return answer;
	for (const part of Object.values(answer)) {
		const found = findRefusalOfCode(part);
		if (found) return found;
	}
	return undefined;
}

/** The HTTP status (300 to 599) in an error body inside a 2xx. */
export function statusWithin({ status, statusCode }: AnswerPart): number | undefined {
	const numbers = [status, statusCode].filter(isWord).map(Number);
	return numbers.find((number) => Number.isInteger(number) && number >= 300 && number < 600);
}
