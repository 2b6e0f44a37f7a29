/** In UTF-16 units, before invisible characters are removed. Longer text is not processed. */
const longestGiven = 1000;
const longestAddress = 254;
const longestLocalPart = 64;
/** Chats, not mailboxes: WhatsApp exports numbers as 959…@s.whatsapp.net. */
const chatDomain = /(?:^|\.)(?:whatsapp\.net|[cg]\.us)$/;

/**
 * The domain in lower case and Punycode, as in DNS (UTS 46). `URL` reads digits as an IPv4 address and decodes percent
 * signs, so it is given only letters, marks, digits, hyphens and dots.
 */
function toAsciiDomain(domain: string): string | undefined {
	const host = `http://${domain}`;
	const isName = /^[\p{L}\p{M}\p{N}\p{Join_Control}.-]+$/u.test(domain) && URL.canParse(host);
	const name = isName ? new URL(host).hostname : '';
	const labels = /^([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+(?!\d+$)[a-z\d][a-z\d-]{0,61}[a-z\d]$/;
	return labels.test(name) && !chatDomain.test(name) ? name : undefined;
}

/** Excludes characters that delimit addresses, also in full width (NFKC). */
function isLocalPart(text: string): boolean {
	const dotAtom = /^[^\s\p{C}.,;:<>()[\]"\\@]+(\.[^\s\p{C}.,;:<>()[\]"\\@]+)*$/u;
	return text.length <= longestLocalPart && dotAtom.test(text.normalize('NFKC'));
}

/**
 * An email address as it is sent: trimmed, without invisible characters, the domain as in DNS, the case of the local
 * part unchanged. `undefined` for anything else.
 */
export function normalizeEmail(text: string): string | undefined {
	if (text.length > longestGiven) return undefined;
	// Joiners are significant in some scripts, so they stay. Only a domain may contain them, where IDNA allows it.
	const visible = text.replace(/(?!\p{Join_Control})\p{Default_Ignorable_Code_Point}/gu, '');
	const [localPart, domain = '', ...more] = visible.trim().split('@');
	const name = more.length === 0 && isLocalPart(localPart) ? toAsciiDomain(domain) : undefined;
	if (name === undefined) return undefined;
	const address = `${localPart}@${name}`;
	return address.length > longestAddress ? undefined : address;
}
