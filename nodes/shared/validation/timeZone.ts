import { IANAZone } from 'luxon';

const day = 86_400_000;
const minute = 60_000;

export const zoneHint = 'Use a time zone such as Asia/Yangon, Asia/Singapore or UTC.';

/** Whether this is a name in the IANA time zone database, such as Asia/Yangon. */
export function isTimeZone(timeZone: unknown): timeZone is string {
	return typeof timeZone === 'string' && IANAZone.isValidZone(timeZone);
}

/** The wall time of an instant in a zone, read as if it were UTC, in milliseconds (whole seconds). */
export function toWallTime(instant: number, timeZone: string): number {
	const second = Math.floor(instant / 1000) * 1000;
	return second + IANAZone.create(timeZone).offset(second) * minute;
}

/** In milliseconds since 1970. Null if clocks skip this wall time; the first instant if it occurs twice. */
export function toInstant(wallTime: number, timeZone: string): number | null {
	const candidates = [wallTime - day, wallTime + day].map(
		(nearby) => wallTime - (toWallTime(nearby, timeZone) - nearby),
	);
	return candidates.find((instant) => toWallTime(instant, timeZone) === wallTime) ?? null;
}
