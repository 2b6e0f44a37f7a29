const day = 86_400_000;
/** Cached: creating a formatter is slow, and an execution uses few time zones many times. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function makeFormatter(timeZone: string): Intl.DateTimeFormat {
	return new Intl.DateTimeFormat('en-US', {
		timeZone,
		calendar: 'gregory',
		numberingSystem: 'latn',
		hourCycle: 'h23',
		year: 'numeric',
		month: 'numeric',
		day: 'numeric',
		hour: 'numeric',
		minute: 'numeric',
		second: 'numeric',
	});
}

/** Whether this is a name in the IANA time zone database, such as Asia/Yangon. */
export function isTimeZone(timeZone: unknown): timeZone is string {
	if (typeof timeZone !== 'string' || timeZone === '') return false;
	if (formatters.has(timeZone)) return true;
	try {
		formatters.set(timeZone, makeFormatter(timeZone));
		return true;
	} catch {
		// Intl offers no other check: its list of zones omits aliases.
		return false;
	}
}

/** The wall time of an instant in a zone, read as if it were UTC, in milliseconds (whole seconds). */
export function toWallTime(instant: number, timeZone: string): number {
	const formatter = formatters.get(timeZone) ?? makeFormatter(timeZone);
	const fields: Record<string, number> = {};
	for (const { type, value } of formatter.formatToParts(instant)) fields[type] = Number(value);
	const { year, month, day: date, hour, minute, second } = fields;
	return Date.UTC(year, month - 1, date, hour, minute, second);
}

/** In milliseconds since 1970. Null if clocks skip this wall time; the first instant if it occurs twice. */
export function toInstant(wallTime: number, timeZone: string): number | null {
	const candidates = [wallTime - day, wallTime + day].map(
		(nearby) => wallTime - (toWallTime(nearby, timeZone) - nearby),
	);
	return candidates.find((instant) => toWallTime(instant, timeZone) === wallTime) ?? null;
}
