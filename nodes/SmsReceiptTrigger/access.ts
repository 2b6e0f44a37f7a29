import { randomBytes } from 'node:crypto';

import { isEmptyValue } from '../shared/fields/option';
import { describeValue, InputError } from '../shared/validation/InputError';
import { isSecretRight, type Rejection } from '../shared/receipt/receipt';
import { isInRanges } from './ipAllowlist';
import type { TriggerSettings } from './triggerOptions';

/** A shorter secret could be guessed. */
const shortestSecret = 16;

export function requireSecret(value: unknown): string {
	const secret = typeof value === 'number' ? String(value) : value;
	const hint =
		'Use a random text of letters and digits, and append it to the webhook URL as ?secret=YOUR-SECRET.';
	// n8n shows errors at publishing without the hint, so the message contains the remedy.
	if (isEmptyValue(secret)) {
		const random = randomBytes(16).toString('hex');
		throw new InputError(
			'secret',
			`Secret is empty: enter for example ${random}, and append ?secret=${random} to the webhook URL`,
			hint,
		);
	}
	if (typeof secret !== 'string')
		throw new InputError('secret', `Secret must be text, but is ${describeValue(value)}`, hint);
	if (!/^[\w.~-]*$/.test(secret))
		throw new InputError(
			'secret',
			'Secret has a character that breaks a URL: use only letters, digits and - . _ ~',
			hint,
		);
	const { length } = secret;
	if (length >= shortestSecret) return secret;
	throw new InputError(
		'secret',
		`Secret is too short: it has ${length} characters and needs ${shortestSecret} or more`,
		hint,
	);
}

/**
 * Why the call is rejected, if it is. Only an absent setting disables its check.
 * @param caller the address as n8n sees it, behind as many proxies as N8N_PROXY_HOPS says
 */
export function findRejection(
	{ ipAllowlist, secret }: Pick<TriggerSettings, 'ipAllowlist' | 'secret'>,
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
