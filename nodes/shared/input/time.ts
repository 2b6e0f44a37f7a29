import { DateTime, IANAZone } from 'luxon';

/** A date and time as written. Without an offset, it is a wall time in an unnamed zone. */
export interface WrittenDateTime {
	/** The wall time read as if it were UTC, in milliseconds, without fractions of a second. */
	wallTime: number;
	/** Minutes east of UTC; null if absent. */
	offset: number | null;
}

const farthestOffset = 14 * 60;

/** A whole date, in the extended or the basic format; luxon would complete a month, a year or a time of day. */
const date = /\d{4}(?:-\d\d-\d\d|\d{4}|-?W\d\d(?:-?[1-7])?|-?\d{3})/;
const time = /\d\d(?::?[0-5]\d(?::?[0-5]\d(?:[.,]\d+)?)?)?/;
const offset = /Z|[+-]\d\d(?::?[0-5]\d)?/;
const dateTime = new RegExp(`^(${date.source})(?:[T ](${time.source})(?: ?(${offset.source}))?)?$`);

/**
 * Any ISO 8601 date (calendar, week or ordinal; extended or basic), optionally with a time (after T or a space) and an
 * offset. A date alone means midnight. Null for anything else, and for dates that do not exist.
 */
export function parseIso8601(text: string): WrittenDateTime | null {
	const plain = text.trim().toUpperCase().replace('\u2212', '-');
	const [, day, clock = '00', zone] = dateTime.exec(plain) ?? [];
	if (day === undefined) return null;
	// n8n sets luxon's default zone, so each call names one.
	const moment = DateTime.fromISO(`${day}T${clock}${zone ?? ''}`, { zone: 'utc', setZone: true });
	if (!moment.isValid || Math.abs(moment.offset) > farthestOffset) return null;
	const wallTime = moment.setZone('utc', { keepLocalTime: true }).startOf('second').toMillis();
	return { wallTime, offset: zone === undefined ? null : moment.offset };
}

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
