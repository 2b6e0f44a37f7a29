import { isSecretRight } from '../shared/client/secrets';
import type { ErrorResponse } from '../shared/receipt/receipt';
import { describeValue, EmptyError, InputError, refuse } from '../shared/input/InputError';
import { isInRange, parseAddress, parseRange, type AddressRange } from './network';

const ofRanges =
	'Use IP addresses and ranges such as 203.0.113.7, 198.51.100.0/24 or 2001:db8::/32.';
/** IPv4 and IPv6 addresses and CIDR ranges, separated by commas, spaces or new lines. @throws InputError */
export function parseAllowlist(allowlist: unknown): AddressRange[] {
	const entries = String(allowlist)
		.split(/[\s,;]+/)
		.filter((entry) => entry !== '');
	if (entries.length === 0) throw new EmptyError('ipAllowlist', 'IP Allowlist', ofRanges);
	return entries.map((entry) => {
		const range = parseRange(entry);
		if (range !== null) return range;
		const what = `IP Allowlist: ${describeValue(entry)} is not an IP address or range`;
		throw new InputError('ipAllowlist', what, ofRanges);
	});
}

export function isInRanges(ranges: AddressRange[], text: string): boolean {
	const address = parseAddress(text);
	return address !== null && ranges.some((range) => isInRange(address, range));
}

/** A shorter secret could be guessed. */
export const shortestSecret = 16;

const hint =
	'Use a random text of letters and digits, and append it to the webhook URL as ?secret=YOUR-SECRET.';
/** @throws InputError */
export function readSecret(value: unknown): string {
	const secret = typeof value === 'number' ? String(value) : value;
	if (typeof secret !== 'string')
		return refuse('secret', `must be text, but is ${describeValue(value)}`, hint);
	if (!/^[\w.~-]*$/.test(secret)) {
		const allowed = 'use only letters, digits and - . _ ~';
		return refuse('secret', `has a character that breaks a URL: ${allowed}`, hint);
	}
	const { length } = secret;
	if (length >= shortestSecret) return secret;
	return refuse(
		'secret',
		`is too short: it has ${length} characters and needs ${shortestSecret} or more`,
		hint,
	);
}

/**
 * Why the call is rejected, if it is. Only an absent setting disables its check.
 * @param caller the address as n8n sees it, behind as many proxies as N8N_PROXY_HOPS says
 */
export function findError(
	{ ipAllowlist, secret }: { ipAllowlist?: AddressRange[]; secret?: string },
	caller: { address: string; secret: unknown },
): ErrorResponse | undefined {
	if (ipAllowlist && !isInRanges(ipAllowlist, caller.address))
		return { status: 403, text: 'This IP address is not on the allowlist.' };
	if (secret !== undefined && !isSecretRight(secret, caller.secret))
		return {
			status: 401,
			text: 'The secret in the URL is missing or wrong. Add ?secret= and the secret to its end.',
		};
	return undefined;
}
