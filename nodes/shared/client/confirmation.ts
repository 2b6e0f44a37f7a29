import { isMasked } from '../input/comparison';
import { parseIso8601 } from '../input/time';
import { isObject } from './json';
import { isNamed, isSuccess, readWords, says, statusWithin } from './response';
import type { ServiceResponse } from './response';
import type { OtpCheck } from './types';
import { judge } from './verdict';

const verdicts = ['status', 'statusCode', 'verified', 'success', 'valid', 'ok'];
const yes = /^(1|2\d\d|true|ok|yes|success|successful|verified|valid|approved|accepted)$/i;

/** What rejects a code, the body or `data` in it: each of these fields that is present must say yes. */
export function findRejectionOfCode(body: unknown): Record<string, unknown> | undefined {
	if (!isObject(body)) return undefined;
	return [body, body.data]
		.filter(isObject)
		.find(
			(part) =>
				[part.error, part.errors, part.name].some(isNamed) ||
				verdicts.some((field) => part[field] !== undefined && !says(part[field], yes)),
		);
}

/** `YYYY-MM-DD HH:MM:SS`, or with a T, fractions and an offset. */
const dateTime = /^[2-9]\d{3}-\d\d-\d\d[ T](?!24)\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)?$/;

/** Of a complete 2xx body ("OTP verification result") with the ID of this request and without a rejection. */
export function readConfirmation(
	status: number,
	body: unknown,
	requestId: string,
): Pick<OtpCheck & { verified: true }, 'to' | 'verifiedAt'> | undefined {
	if (!isSuccess(status) || !isObject(body) || findRejectionOfCode(body)) return undefined;
	// A service may wrap it (field note 23).
	const confirmed = isObject(body.data) && !('request_id' in body) ? body.data : body;
	const { request_id: id, to, verifiedAt } = confirmed;
	const isOwn = ['number', 'string'].includes(typeof id) && String(id) === requestId;
	const recipient = typeof to === 'number' && to > 0 ? String(to) : to;
	const isText = typeof recipient === 'string' && recipient.trim() !== '';
	const isTime = typeof verifiedAt === 'string' && dateTime.test(verifiedAt);
	if (!isOwn || !isText || !isTime || parseIso8601(verifiedAt) === null) return undefined;
	return isMasked(recipient) ? { verifiedAt } : { to: recipient, verifiedAt };
}

/** What a response says about a code; `verified` is null if it was not checked. */
export function readCheck(
	{ status, body, isPage, isSecret }: ServiceResponse,
	requestId: string,
): OtpCheck | { verified: null; statusCode: number } {
	const confirmation = readConfirmation(status, body, requestId);
	if (confirmation) return { verified: true, ...confirmation };
	const rejection = isSuccess(status) ? findRejectionOfCode(body) : undefined;
	const statusCode = (rejection && statusWithin(rejection)) ?? status;
	const form = rejection ? 'rejection' : isPage ? 'page' : undefined;
	const { ofCode: reason } = judge({ status: statusCode, form });
	if (!reason) return { verified: null, statusCode };
	const message = readWords(rejection ?? body, isSecret) ?? '';
	return { verified: false, reason, statusCode, message };
}
