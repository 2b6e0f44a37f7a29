/** Larger than any response (1,000 history records are about 500 kB), small enough to parse. */
export const longestBody = 20_000_000;
/** A response of the service has 3 levels; n8n itself fails on data with some thousands. */
const mostLevels = 50;

/** Strings too, so that their digits stay. An unclosed string matches to the end, or the search is quadratic. */
const stringOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs;

function keepDigits(token: string): string {
	const isLosingDigits = /^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token));
	return isLosingDigits ? `"${token}"` : token;
}

function isDeeperThan(levels: number, value: unknown): boolean {
	if (typeof value !== 'object' || value === null) return false;
	if (levels === 0) return true;
	const inner: unknown[] = Array.isArray(value) ? value : Object.values(value);
	return inner.some((one) => typeof one === 'object' && isDeeperThan(levels - 1, one));
}

/** Large integers become text, so that IDs keep their digits. `undefined` if not JSON, too long or too deep. */
export function parseJson(text: unknown): unknown {
	if (typeof text !== 'string' || text.length > longestBody) return undefined;
	const source = /\d{16}/.test(text) ? text.replace(stringOrNumber, keepDigits) : text;
	try {
		const value = JSON.parse(source) as unknown;
		return isDeeperThan(mostLevels, value) ? undefined : value;
	} catch {
		return undefined;
	}
}

export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
