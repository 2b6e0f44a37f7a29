import type { Surface } from './endpoints';

/**
 * The address that the three surfaces share, without a slash at its end. What people paste is often longer:
 * the ending of a surface (`/rest`), a whole endpoint (`/rest/send`), slashes, a query. All of it is dropped.
 */
export function normalizeBaseUrl(pasted: unknown): string {
	const address = String(pasted ?? '').trim();
	return address
		.replace(/[?#].*$/s, '')
		.replace(/\/+$/, '')
		.replace(
			// Not a host that is called so.
			/(?<!:\/?)\/+(rest(\/(send(\/bulk)?|messages|account\/get-balance))?|otp(\/(request|verify))?|http(\/send)?)$/i,
			'',
		)
		.replace(/\/+$/, '');
}

/** True for an absolute http or https address with a host and without a user name in it. */
export function isUsableBaseUrl(baseUrl: string): boolean {
	return /^https?:\/\/[^\s/@]+(\/\S*)?$/i.test(baseUrl);
}

/**
 * Which surface a whole address belongs to; `rest` when it names none. The last path segment of the base tells
 * ("Versioning"), so `/otp` and `/http` count right behind the base address, or right before an endpoint's name.
 */
export function surfaceOf(url: string, baseUrl: string): Surface {
	const path = url.replace(/[?#].*$/s, '');
	const base = normalizeBaseUrl(baseUrl);
	const rest = path.toLowerCase().startsWith(`${base.toLowerCase()}/`)
		? path.slice(base.length)
		: path;
	const match =
		/^\/(rest|otp|http)(\/|$)/i.exec(rest) ??
		/\/(otp(?=\/(?:request|verify)$)|http(?=\/send$))/i.exec(rest);
	return (match?.[1].toLowerCase() as Surface | undefined) ?? 'rest';
}
