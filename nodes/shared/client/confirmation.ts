import { isMasked } from '../input/comparison';
import { parseIso8601 } from '../input/time';
import { isRecord } from './json';
import {
	isNothing,
	isSuccess,
	namesError,
	readWords,
	says,
	statusWithin,
	unwrapBody,
	type ResponsePart,
	type ServiceResponse,
} from './response';
import type { OtpCheck } from './types';
import { judge } from './verdict';

/** Fields that report success or failure. */
const verdicts = ['status', 'statusCode', 'verified', 'success', 'valid', 'ok'];
const yes = /^(1|2\d\d|true|ok|yes|success|successful|verified|valid|approved|accepted)$/i;

/** Whether the body, or `data` in it, rejects a code: each of these fields that is present must say yes. */
export function findRejectionOfCode(body: unknown): ResponsePart | undefined {
	if (!isRecord(body)) return undefined;
	return [body, body.data]
		.filter(isRecord)
		.find(
			(part) =>
				namesError(part) ||
				!isNothing(part.name) ||
				verdicts.some((field) => part[field] !== undefined && !says(part[field], yes)),
		);
}

/** `YYYY-MM-DD HH:MM:SS`, or with a T, fractions and an offset. */
const dateTime = /^[2-9]\d{3}-\d\d-\d\d[ T](?!24)\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)?$/;

function isDateTime(value: unknown): value is string {
	return typeof value === 'string' && dateTime.test(value) && parseIso8601(value) !== null;
}

type Confirmation = Pick<OtpCheck & { verified: true }, 'to' | 'verifiedAt'>;

/** Of a complete 2xx body ("OTP verification result") with the ID of this request and without a rejection. */
export function readConfirmation(
	status: number,
	body: unknown,
	requestId: string,
): Confirmation | undefined {
	const confirmed = unwrapBody(body, 'request_id');
	if (!isSuccess(status) || !confirmed || findRejectionOfCode(body)) return undefined;
	const { request_id: confirmedId, to, verifiedAt } = confirmed;
	const isIdentifier = typeof confirmedId === 'number' || typeof confirmedId === 'string';
	const isOwn = isIdentifier && String(confirmedId) === requestId;
	const recipient = typeof to === 'number' && to > 0 ? String(to) : to;
	const isText = typeof recipient === 'string' && recipient.trim() !== '';
	if (!isOwn || !isText || !isDateTime(verifiedAt)) return undefined;
	return isMasked(recipient) ? { verifiedAt } : { to: recipient, verifiedAt };
}

interface NoCheck {
	verified: null;
	statusCode: number;
}

/** What a response says about a code. */
export function readCheck(response: ServiceResponse, requestId: string): OtpCheck | NoCheck {
	const { status, body } = response;
	const confirmation = readConfirmation(status, body, requestId);
	if (confirmation) return { verified: true, ...confirmation };
	const rejection = isSuccess(status) ? findRejectionOfCode(body) : undefined;
	const statusCode = (rejection && statusWithin(rejection)) ?? status;
	const form = response.isPage ? 'page' : undefined;
	const { ofCode: reason } = judge({ status: statusCode, form: rejection ? 'rejection' : form });
	if (!reason) return { verified: null, statusCode };
	const message = readWords(rejection ? { ...response, body: rejection } : response) ?? '';
	return { verified: false, reason, statusCode, message };
}
