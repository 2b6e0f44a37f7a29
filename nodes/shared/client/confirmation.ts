import { parseIso8601 } from '../validation/time';
import { isRecord } from './json';
import { findRejectionOfCode, isSuccess, readWords, statusWithin } from './response';
import type { ServiceResponse } from './transport';
import type { OtpCheck } from './types';
import { judge } from './verdict';

/** `YYYY-MM-DD HH:MM:SS`, or with a T, fractions and an offset. */
const dateTime = /^[2-9]\d{3}-\d\d-\d\d[ T](?!24)\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)?$/;

function isDateTime(value: unknown): value is string {
	return typeof value === 'string' && dateTime.test(value) && parseIso8601(value) !== null;
}

/** A complete 2xx body ("OTP verification result") with the ID of this request and no sign of a rejection. */
export function isConfirmation(
	status: number,
	body: unknown,
	requestId: string,
): body is Pick<OtpCheck & { verified: true }, 'to' | 'verifiedAt'> {
	if (!isSuccess(status) || !isRecord(body) || findRejectionOfCode(body)) return false;
	const { request_id: confirmedId, to, verifiedAt } = body;
	const isIdentifier = typeof confirmedId === 'number' || typeof confirmedId === 'string';
	const isText = typeof to === 'string' && to.trim() !== '';
	return isIdentifier && String(confirmedId) === requestId && isText && isDateTime(verifiedAt);
}

interface NoCheck {
	verified: null;
	statusCode: number;
}

/** What a response says about a code. */
export function readCheck(response: ServiceResponse, requestId: string): OtpCheck | NoCheck {
	const { status, body } = response;
	if (isConfirmation(status, body, requestId)) {
		return { verified: true, to: body.to, verifiedAt: body.verifiedAt };
	}
	const rejection = isSuccess(status) ? findRejectionOfCode(body) : undefined;
	const statusCode = (rejection && statusWithin(rejection)) ?? status;
	const { ofCode: reason } = judge({ status: statusCode, isRejection: rejection !== undefined });
	if (!reason) return { verified: null, statusCode };
	const message = readWords(rejection ? { ...response, body: rejection } : response) ?? '';
	return { verified: false, reason, statusCode, message };
}
