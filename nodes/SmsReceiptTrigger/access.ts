import { randomBytes } from 'node:crypto';

import { isEmptyValue } from '../shared/fields/option';
import { declareError } from '../shared/validation/InputError';
import { isSecretRight, type Rejection } from '../shared/receipt/receipt';
import { isInRanges, type AddressRange } from './ipAllowlist';

/** A shorter secret could be guessed. */
export const shortestSecret = 16;

const hint =
	'Use a random text of letters and digits, and append it to the webhook URL as ?secret=YOUR-SECRET.';
// n8n shows errors at publishing without the hint, so the message contains the remedy.
const noSecret = declareError(
	'Secret is empty: enter for example <random>, and append ?secret=<random> to the webhook URL',
	hint,
);
const notText = declareError('Secret must be text, but is <value>', hint);
const breaksUrl = declareError(
	'Secret has a character that breaks a URL: use only letters, digits and - . _ ~',
	hint,
);
const tooShort = declareError(
	'Secret is too short: it has <length> characters and needs <shortest> or more',
	hint,
);

export function requireSecret(value: unknown): string {
	const secret = typeof value === 'number' ? String(value) : value;
	if (isEmptyValue(secret)) throw noSecret('secret', { random: randomBytes(16).toString('hex') });
	if (typeof secret !== 'string') throw notText('secret', { value });
	if (!/^[\w.~-]*$/.test(secret)) throw breaksUrl('secret');
	const { length } = secret;
	if (length >= shortestSecret) return secret;
	throw tooShort('secret', { length, shortest: shortestSecret });
}

/**
 * Why the call is rejected, if it is. Only an absent setting disables its check.
 * @param caller the address as n8n sees it, behind as many proxies as N8N_PROXY_HOPS says
 */
export function findRejection(
	{ ipAllowlist, secret }: { ipAllowlist?: AddressRange[]; secret: string | undefined },
	caller: { address: string; secret: unknown },
): Rejection | undefined {
	if (ipAllowlist && !isInRanges(ipAllowlist, caller.address))
		return { status: 403, text: 'This IP address is not on the allowlist.' };
	if (secret !== undefined && !isSecretRight(secret, caller.secret))
		return {
			status: 401,
			text: 'The secret in the URL is missing or wrong. Add ?secret= and the secret to its end.',
		};
	return undefined;
}
