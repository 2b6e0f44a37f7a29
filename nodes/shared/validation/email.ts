/** In UTF-16 units, before characters that show nothing are left out. No longer text is looked at. */
const longestGiven = 1000;
const longestAddress = 254;
const longestLocalPart = 64;

/**
 * The domain in lower case and Punycode, as DNS looks it up (UTS 46). `URL` reads digits as an IPv4 address and decodes
 * percent signs, so it gets letters, marks, digits, hyphens and dots only.
 */
function toAsciiDomain(domain: string): string | undefined {
	const host = `http://${domain}`;
	const isName = /^[\p{L}\p{M}\p{N}\p{Join_Control}.-]+$/u.test(domain) && URL.canParse(host);
	const name = isName ? new URL(host).hostname : '';
	const labels = /^([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+(?!\d+$)[a-z\d][a-z\d-]{0,61}[a-z\d]$/;
	return labels.test(name) ? name : undefined;
}

/** Signs that end an address or begin another one, also in full width, which NFKC turns into the usual ones. */
function isLocalPart(text: string): boolean {
	const dotAtom = /^[^\s\p{C}.,;:<>()[\]"\\@]+(\.[^\s\p{C}.,;:<>()[\]"\\@]+)*$/u;
	return text.length <= longestLocalPart && dotAtom.test(text.normalize('NFKC'));
}

/**
 * An e-mail address as it is sent: nothing around it and nothing invisible in it, its domain as DNS has it, the part
 * before the @ in the user's upper and lower case. `undefined` for anything else.
 */
export function normalizeEmail(text: string): string | undefined {
	if (text.length > longestGiven) return undefined;
	// Joiners change what some scripts write, so they are not noise: only a domain can have them, where IDNA allows it.
	const visible = text.replace(/(?!\p{Join_Control})\p{Default_Ignorable_Code_Point}/gu, '');
	const [localPart, domain = '', ...more] = visible.trim().split('@');
	const name = more.length === 0 && isLocalPart(localPart) ? toAsciiDomain(domain) : undefined;
	if (name === undefined) return undefined;
	const address = `${localPart}@${name}`;
	return address.length > longestAddress ? undefined : address;
}
