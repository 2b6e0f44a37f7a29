import { isRecord } from './json';
import { isSuccess, readWords } from './answer';
import type { ServiceAnswer } from './transport';
import type { OtpCheck, OtpRejection } from './types';

type Body = Record<string, unknown>;

/** Fields by which services say whether it went well; the specification shows none of them in a confirmation. */
const verdicts = ['status', 'statusCode', 'verified', 'success', 'valid', 'ok'];
const yes = /^(1|2\d\d|true|ok|yes|success|successful|verified|valid|approved|accepted)$/i;

const dateTime =
	/^([2-9]\d{3})-(\d\d)-(\d\d)[ T]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:?\d\d)?$/;

function saysYes(value: unknown): boolean {
	const isWord = typeof value === 'string' || typeof value === 'number';
	return value === true || (isWord && yes.test(String(value).trim()));
}

/** Error bodies have a `name` and an `error` ("Errors"); services that mean nothing by `error` leave it empty. */
function isRefusal(body: Body): boolean {
	const isEmpty = (value: unknown) => value === undefined || value === null || value === '';
	const hasError = [body.error, body.errors].some((value) => !isEmpty(value) && value !== false);
	return (
		hasError ||
		!isEmpty(body.name) ||
		verdicts.some((field) => body[field] !== undefined && !saysYes(body[field]))
	);
}

/** The first part of an answer, at any depth, that says no. */
function findRefusal(value: unknown): Body | undefined {
	if (typeof value !== 'object' || value === null) return undefined;
	if (isRecord(value) && isRefusal(value)) return value;
	for (const part of Object.values(value)) {
		const found = findRefusal(part);
		if (found) return found;
	}
	return undefined;
}

function isDateTime(value: unknown): value is string {
	const match = typeof value === 'string' ? dateTime.exec(value) : null;
	if (!match) return false;
	const [, year, month, day] = match.map(Number);
	const date = new Date(Date.UTC(year, month - 1, day));
	return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

interface Confirmation {
	/** Number or e-mail address. */
	to: string;
	/** `YYYY-MM-DD HH:MM:SS` */
	verifiedAt: string;
}

/**
 * Whether an answer confirms a code: a 2xx whose body is whole ("OTP verification result"), names this very request,
 * and holds no sign of a refusal anywhere. Nobody gets in by less.
 */
export function isConfirmation(
	status: number,
	body: unknown,
	requestId: string,
): body is Confirmation {
	if (!isSuccess(status) || !isRecord(body) || findRefusal(body)) return false;
	const { request_id: answered, to, verifiedAt } = body;
	const isIdentifier = typeof answered === 'number' || typeof answered === 'string';
	const isText = typeof to === 'string' && to.trim() !== '';
	return isIdentifier && String(answered) === requestId && isText && isDateTime(verifiedAt);
}

/** 401, 403 and 429 are about the caller and not about the code. */
function rejectionFor(status: number): OtpRejection | undefined {
	if (status === 400) return 'wrongOrExpired';
	if (status === 401 || status === 403 || status === 429) return undefined;
	if (status >= 300 && status < 400) return 'redirected';
	return status >= 400 && status < 500 ? 'refused' : undefined;
}

/** The status of a refusal inside a 2xx, where it names one (field note 3). */
function statusWithin({ status, statusCode }: Body): number | undefined {
	return [status, statusCode].map(Number).find((number) => number >= 300 && number < 600);
}

/** An answer that leaves open whether the code is right. */
interface NoCheck {
	verified: null;
	statusCode: number;
}

/** What an answer says of a code. A 3xx and most 4xx say that it is invalid ("OTP surface", rules 2 and 3). */
export function readCheck(answer: ServiceAnswer, requestId: string): OtpCheck | NoCheck {
	const { status, body } = answer;
	if (isConfirmation(status, body, requestId)) {
		return { verified: true, to: body.to, verifiedAt: body.verifiedAt };
	}
	const refusal = isSuccess(status) ? findRefusal(body) : undefined;
	const statusCode = (refusal && statusWithin(refusal)) ?? status;
	const reason = refusal && isSuccess(statusCode) ? 'refused' : rejectionFor(statusCode);
	if (!reason) return { verified: null, statusCode };
	const message = readWords(refusal ? { ...answer, body: refusal } : answer) ?? '';
	return { verified: false, reason, statusCode, message };
}
