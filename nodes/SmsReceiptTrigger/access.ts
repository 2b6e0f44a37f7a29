import { InputError } from '../shared/validation/InputError';
import { isAddressAllowed, parseAllowlist } from './ipAllowlist';
import { isSecretRight } from '../shared/receipt/isSecretRight';

/** Who may report receipts. An option asks for nothing only when it is not there at all. */
export interface AccessOptions {
	ipAllowlist?: unknown;
	secret?: unknown;
}

export interface Caller {
	/** The address as n8n sees it: behind proxies as far as N8N_PROXY_HOPS says. */
	address: string;
	secret: unknown;
}

/** An answer that starts no workflow. */
export interface Refusal {
	status: number;
	text: string;
}

/** A shorter one could be found by trying. */
export const shortestSecret = 16;

/**
 * Options that can be acted on. One that was added and left empty, or an expression that gives
 * nothing, protects nothing and is therefore refused.
 * @throws InputError
 */
export function requireUsableOptions(options: AccessOptions): void {
	if ('ipAllowlist' in options) parseAllowlist(String(options.ipAllowlist ?? ''));
	if (!('secret' in options)) return;
	const secret = String(options.secret ?? '').trim();
	if (secret.length >= shortestSecret) return;
	throw new InputError(
		'secret',
		secret === ''
			? 'Secret is empty: fill it in, or remove the option'
			: `Secret is too short: it has ${secret.length} characters, and needs ${shortestSecret} or more`,
		'Use a long random text of letters and digits, and put it in the address as ?secret=YOUR-SECRET.',
	);
}

/**
 * Why the caller may not report anything, if so.
 * @throws InputError for options that cannot be acted on
 */
export function findRefusal(options: AccessOptions, caller: Caller): Refusal | undefined {
	requireUsableOptions(options);
	const { ipAllowlist, secret } = options;
	if ('ipAllowlist' in options && !isAddressAllowed(String(ipAllowlist), [caller.address]))
		return { status: 403, text: 'This address may not report receipts here.' };
	if ('secret' in options && !isSecretRight(String(secret), caller.secret))
		return { status: 401, text: 'The secret in the address is missing or wrong.' };
	return undefined;
}
