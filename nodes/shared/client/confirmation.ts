import { isMasked } from '../input/comparison';
import { parseIso8601 } from '../input/time';
import { isRecord } from './json';
import {
	formOf,
	isNothing,
	isRejection,
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

/** Fields that deny a code where they plainly say so. Spelled `isValid`, `is_valid` or `Valid`, too. */
const denying: Array<[field: RegExp, denial: RegExp]> = [
	[
		/^(valid|verified|success|successful|ok|matched|correct|confirmed|approved|authenticated)$/,
		/^(0|false|no)$/i,
	],
	[
		/^(status|state|result|outcome|verification)$/,
		/^(false|no|fail|failed|failure|error|invalid|incorrect|wrong|rejected|denied|declined|expired|unverified|not[ _-]?(ok|valid|verified|approved|found))$/i,
	],
	[/^(status|result|response|error|http)?(status)?code$/, /^[345]\d\d$/],
];

function isDenial([field, value]: [string, unknown]): boolean {
	const name = field.replace(/^[iI]s(?=[A-Z_])|[_-]/g, '').toLowerCase();
	return denying.some(([fields, denial]) => fields.test(name) && says(value, denial));
}

/**
 * Whether a part of a response rejects a code. A code check fails closed. Error bodies have a `name` and an `error` ("Errors"),
 * and each field of `verdicts` that is present must say yes.
 */
export function isRejectionOfCode(part: ResponsePart): boolean {
	return (
		isRejection(part) ||
		namesError(part) ||
		!isNothing(part.name) ||
		Object.entries(part).some(isDenial) ||
		verdicts.some((field) => part[field] !== undefined && !says(part[field], yes))
	);
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

/** `YYYY-MM-DD HH:MM:SS`, or with a T, fractions and an offset. */
const dateTime = /^[2-9]\d{3}-\d\d-\d\d[ T](?!24)\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)?$/;

function isDateTime(value: unknown): value is string {
	return typeof value === 'string' && dateTime.test(value) && parseIso8601(value) !== null;
}

type Confirmation = Pick<OtpCheck & { verified: true }, 'to' | 'verifiedAt'>;

/** Of a complete 2xx body ("OTP verification result") with the ID of this request and no sign of a rejection anywhere. */
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
	const recipient = typeof to === 'number' ? String(to) : to;
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
	const form = rejection ? 'rejection' : formOf(response);
	const { ofCode: reason } = judge({ status: statusCode, form });
	if (!reason) return { verified: null, statusCode };
	const message = readWords(rejection ? { ...response, body: rejection } : response) ?? '';
	return { verified: false, reason, statusCode, message };
}
