import { isRecord } from './json';
import { isSuccess, readWords } from './answer';
import { findRefusalOfCode, statusWithin } from './refusal';
import type { ServiceAnswer } from './transport';
import type { OtpCheck, OtpRejection } from './types';

const dateTime =
	/^([2-9]\d{3})-(\d\d)-(\d\d)[ T]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:?\d\d)?$/;

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
	if (!isSuccess(status) || !isRecord(body) || findRefusalOfCode(body)) return false;
	const { request_id: answered, to, verifiedAt } = body;
	const isIdentifier = typeof answered === 'number' || typeof answered === 'string';
	const isText = typeof to === 'string' && to.trim() !== '';
	return isIdentifier && String(answered) === requestId && isText && isDateTime(verifiedAt);
}

/** 401, 403, 408 and 429 are about the caller and not about the code. */
function rejectionFor(status: number): OtpRejection | undefined {
	if (status === 400) return 'wrongOrExpired';
	if ([401, 403, 408, 429].includes(status)) return undefined;
	if (status >= 300 && status < 400) return 'redirected';
	return status >= 400 && status < 500 ? 'refused' : undefined;
}

/** An answer that leaves open whether the code is right. */
interface NoCheck {
	verified: null;
	statusCode: number;
}

/** What an answer says of a code. A 3xx and most 4xx say that it is invalid ("OTP rules", rules 2 and 3). */
export function readCheck(answer: ServiceAnswer, requestId: string): OtpCheck | NoCheck {
	const { status, body } = answer;
	if (isConfirmation(status, body, requestId)) {
		return { verified: true, to: body.to, verifiedAt: body.verifiedAt };
	}
	const refusal = isSuccess(status) ? findRefusalOfCode(body) : undefined;
	const statusCode = (refusal && statusWithin(refusal)) ?? status;
	const reason = refusal && isSuccess(statusCode) ? 'refused' : rejectionFor(statusCode);
	if (!reason) return { verified: null, statusCode };
	const message = readWords(refusal ? { ...answer, body: refusal } : answer) ?? '';
	return { verified: false, reason, statusCode, message };
}
