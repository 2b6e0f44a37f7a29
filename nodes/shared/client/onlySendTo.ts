import { describeValue, InputError } from '../validation/InputError';
import {
	normalizeOtpRecipient,
	normalizePrefix,
	parseRecipients,
	toRecipientKey,
} from '../validation/recipient';
import { normalizeBaseUrl, toAddress } from './address';
import { endpoints } from './endpoints';
import { isRecord, parseJson } from './json';
import type { ServiceCredentials } from './token';

const field = 'onlySendTo';

export type IsReachable = (recipient: string) => boolean;

/**
 * The list Only Send To of the credential.
 * @returns undefined for an empty list, which allows every recipient
 * @throws InputError for null, or for the first entry that is not valid
 */
export function readOnlySendTo(text: string | null): IsReachable | undefined {
	if (text === null) {
		throw new InputError(
			field,
			'The expression in Only Send To of the credential returned no value',
			'Enter the list itself, or leave the field empty to allow everybody.',
		);
	}
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
	if (other === undefined) return;
	throw new InputError(
		'to',
		`Not sent: the credential may not reach ${describeValue(other)}`,
		'Add the recipient to Only Send To in the credential, or use another credential.',
	);
}

/** The parts of a request to be signed. `form` and `formData` come from n8n's HTTP Request node. */
export type SignedRequest = { [field in 'qs' | 'body' | 'form' | 'formData']?: unknown };

/** Every value in a request that can name a recipient; null for a part that cannot be read. */
function listNamed(address: URL, { qs, body, form, formData }: SignedRequest): unknown[] {
	const written = [qs, typeof body === 'string' ? (parseJson(body) ?? null) : body, form, formData];
	const inFields = written.map((fields = {}) => {
		if (!isRecord(fields)) return null;
		const { to = [], messages = [] } = fields;
		const ofMessages = Array.isArray(messages) ? messages : [messages];
		return [to, ofMessages.map((one) => (isRecord(one) ? (one.to ?? null) : null))];
	});
	return [address.searchParams.getAll('to'), inFields].flat(4);
}

/**
 * For requests from outside these nodes, such as those of n8n's HTTP Request node.
 * @param address under the Base URL
 * @throws InputError unless the request reaches nobody, or only recipients on the list
 */
export function requireReachableRequest(
	{ onlySendTo, baseUrl }: Pick<ServiceCredentials, 'onlySendTo' | 'baseUrl'>,
	address: string,
	request: SignedRequest,
): void {
	if (onlySendTo?.trim() === '') return;
	const called = new URL(address);
	const { getBalance, listMessages, verifyOtp } = endpoints;
	const reachesNobody = [getBalance, listMessages, verifyOtp].some(
		(endpoint) =>
			new URL(toAddress(normalizeBaseUrl(baseUrl), endpoint)).pathname === called.pathname,
	);
	const isReachable = reachesNobody ? undefined : readOnlySendTo(onlySendTo);
	if (!isReachable) return;
	const named = listNamed(called, request);
	requireReachable(
		isReachable,
		named.map((to) => normalizeOtpRecipient(to, 'any')),
	);
	if (named.length > 0) return;
	throw new InputError(
		'to',
		'Not sent: the credential has Only Send To, and the request names no recipient',
		'Name the recipient in the field to of the request, or use another credential.',
	);
}
