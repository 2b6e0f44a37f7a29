/** Larger than any answer of the service (1,000 history records are about 500 kB), small enough to parse. */
export const longestAnswer = 20_000_000;
/** An answer of the service has 3 levels; n8n itself breaks on data of some thousands. */
const mostLevels = 50;

/**
 * A JSON string, or a number: strings are matched so that digits inside of them stay as they are. One that is
 * not closed is matched to the end of the text, or a broken answer would be searched again from each of its quotes.
 */
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

/**
 * Parses the text of an answer. Whole numbers that JavaScript cannot hold become text, so that ids keep all of
 * their digits. Anything that is no JSON, or nests beyond all reason, gives `undefined`.
 */
export function parseAnswer(text: unknown): unknown {
	if (typeof text !== 'string' || text.length > longestAnswer) return undefined;
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
