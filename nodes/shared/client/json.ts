/** Larger than any answer of the service (1,000 history records are about 500 kB), small enough to parse. */
export const longestAnswer = 20_000_000;
/** An answer of the service has 3 levels; n8n itself breaks on data of some thousands. */
const mostLevels = 50;

/** Strings too, so that digits within them stay. One without an end goes to the end: otherwise searching is quadratic. */
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

/** Big whole numbers become text, so that ids keep their digits. `undefined` for what is not JSON or nests too deep. */
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
