/** An absolute http or https address, with a host, and without spaces, backslashes and signs that nobody sees. */
export function isWebAddress(text: string): boolean {
	return /^https?:\/\/[^\s\\/?#\p{C}][^\s\\\p{C}]*$/iu.test(text) && URL.canParse(text);
}

/** Whether a user name or a password stands before the host. */
export function holdsUser(address: string): boolean {
	return /^[a-z]+:\/\/[^/?#]*@/i.test(address);
}
