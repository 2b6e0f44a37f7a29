import { declareError } from '../validation/InputError';
import {
	normalizeOtpRecipient,
	normalizePrefix,
	parseRecipients,
	toRecipientKey,
} from '../validation/recipient';
import { normalizeBaseUrl, toAddress } from './address';
import { endpoints } from './endpoints';
import { hasBody, readRequest, type RequestParts } from './readRequest';
import type { ServiceCredentials } from './token';

const field = 'onlySendTo';

const noList = declareError(
	'The expression in Only Send To of the credential returned no value',
	'Enter the list itself, or leave the field empty to allow everybody.',
);
const notOnList = declareError(
	'Not sent: the credential may not reach <value>',
	'Add the recipient to Only Send To in the credential, or use another credential.',
);
const noRecipient = declareError(
	'Not sent: the credential has Only Send To, and the request names no recipient',
	'Name the recipient in the field to of the request, or use another credential.',
);

export type IsReachable = (recipient: string) => boolean;

/**
 * The list Only Send To of the credential.
 * @returns undefined for an empty list, which allows every recipient
 * @throws InputError for null, or for the first entry that is not valid
 */
export function readOnlySendTo(text: string | null): IsReachable | undefined {
	if (text === null) throw noList(field);
	if (text.trim() === '') return undefined;
	const entries = parseRecipients(text, field);
	const isPrefix = (entry: string) => entry.includes('*');
	const prefixes = entries.filter(isPrefix).map((entry) => normalizePrefix(entry, field));
	const keys = new Set(
		entries
			.filter((entry) => !isPrefix(entry))
			.map((entry) => toRecipientKey(normalizeOtpRecipient(entry, 'any', field))),
	);
	return (recipient) => {
		const key = toRecipientKey(recipient);
		const isNumber = /^\d+$/.test(key);
		return keys.has(key) || (isNumber && prefixes.some((prefix) => key.startsWith(prefix)));
	};
}

/** @throws InputError for the first recipient that is not on the list */
export function requireReachable(isReachable: IsReachable, recipients: string[]): void {
	const other = recipients.find((recipient) => !isReachable(recipient));
	if (other !== undefined) throw notOnList('to', { value: other });
}

/** Balance, history and code checks. A read with a body may be something else. */
function reachesNobody(called: URL, baseUrl: string, request: RequestParts): boolean {
	const { getBalance, listMessages, verifyOtp } = endpoints;
	return [getBalance, listMessages, verifyOtp].some(
		(endpoint) =>
			new URL(toAddress(normalizeBaseUrl(baseUrl), endpoint)).pathname === called.pathname &&
			!(endpoint.isRead && hasBody(request)),
	);
}

/**
 * For requests from outside these nodes, such as those of n8n's HTTP Request node.
 * @param address under the Base URL
 * @returns what replaces parts of the request, so that it sends what was checked
 * @throws InputError unless the request reaches nobody, or only recipients on the list
 */
export function requireReachableRequest(
	{ onlySendTo, baseUrl }: Pick<ServiceCredentials, 'onlySendTo' | 'baseUrl'>,
	address: string,
	request: RequestParts,
): RequestParts {
	const called = new URL(address);
	if (onlySendTo?.trim() === '' || reachesNobody(called, baseUrl, request)) return {};
	const isReachable = readOnlySendTo(onlySendTo);
	if (!isReachable) return {};
	const { parts, recipients } = readRequest(called, request);
	requireReachable(
		isReachable,
		recipients.map((to) => normalizeOtpRecipient(to, 'any')),
	);
	if (recipients.length > 0) return parts;
	throw noRecipient('to');
}
