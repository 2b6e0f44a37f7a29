/** Larger than any response (1,000 history records are about 500 kB), small enough to parse. */
export const longestBody = 20_000_000;

/** Strings too, so that their digits stay. An unclosed string matches to the end, or the search is quadratic. */
const stringOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs;

function keepDigits(token: string): string {
	const isLosingDigits = /^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token));
	return isLosingDigits ? `"${token}"` : token;
}

/** Large integers become text, so that IDs keep their digits. `undefined` if not JSON or too long. */
export function parseJson(text: unknown): unknown {
	if (typeof text !== 'string' || text.length > longestBody) return undefined;
	const source = /\d{16}/.test(text) ? text.replace(stringOrNumber, keepDigits) : text;
	try {
		return JSON.parse(source) as unknown;
	} catch {
		return undefined;
	}
}

export function isHtml(text: string): boolean {
	return /^\s*<(!doctype html|html|head|body)\b/i.test(text);
}

export function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
