import { DateTime, IANAZone } from 'luxon';

import { EmptyError, refuse, toLabel } from './InputError';

/** A date and time in whole seconds, in milliseconds: with an offset an instant, without one a wall time as if in UTC. */
export type Written = { instant: number } | { wallTime: number };

const farthestOffset = 14 * 60;

/** A whole date, with or without dashes; luxon would complete a month, a year or a time of day. */
const date = /\d{4}(?:-\d\d-\d\d|\d{4})/;
const time = /\d\d(?::?[0-5]\d(?::?[0-5]\d(?:[.,]\d+)?)?)?/;
const offset = /Z|[+-]\d\d(?::?[0-5]\d)?/;
const dateTime = new RegExp(`^(${date.source})(?:[T ](${time.source})(?: ?(${offset.source}))?)?$`);

/**
 * A calendar date of ISO 8601, optionally with a time (after T or a space) and an offset. A date alone means midnight.
 * Null for anything else, and for dates that do not exist.
 */
export function parseIso8601(text: string): Written | null {
	const plain = text.trim().toUpperCase().replace('\u2212', '-');
	const [, day, clock = '00', zone] = dateTime.exec(plain) ?? [];
	if (day === undefined) return null;
	// n8n sets luxon's default zone, so each call names one.
	const moment = DateTime.fromISO(`${day}T${clock}${zone ?? ''}`, { zone: 'utc', setZone: true });
	if (!moment.isValid || Math.abs(moment.offset) > farthestOffset) return null;
	const time = moment.startOf('second').toMillis();
	return zone === undefined ? { wallTime: time } : { instant: time };
}

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

export const zoneHint = 'Use a time zone such as Asia/Yangon, Asia/Singapore or UTC.';

/** Whether this is a name in the IANA time zone database, such as Asia/Yangon. */
export function isTimeZone(timeZone: unknown): timeZone is string {
	return typeof timeZone === 'string' && IANAZone.isValidZone(timeZone);
}

/** The wall time of an instant in a zone, read as if it were UTC, in milliseconds (whole seconds). */
export function toWallTime(instant: number, timeZone: string): number {
	const second = Math.floor(instant / 1000) * 1000;
	return second + IANAZone.create(timeZone).offset(second) * minuteMs;
}

/** In milliseconds since 1970. Null if clocks skip this wall time; the first instant if it occurs twice. */
export function toInstant(wallTime: number, timeZone: string): number | null {
	const candidates = [wallTime - dayMs, wallTime + dayMs].map(
		(nearby) => wallTime - (toWallTime(nearby, timeZone) - nearby),
	);
	return candidates.find((instant) => toWallTime(instant, timeZone) === wallTime) ?? null;
}

/** Time zone of the service's own dates: GMT+6:30, without daylight saving time ("Events"). */
export const serviceTimeZone = 'Asia/Yangon';

/** n8n's own date objects (luxon). */
function isIsoDateTime(value: unknown): value is { toISO(): unknown } {
	return typeof (value as { toISO?: unknown } | null | undefined)?.toISO === 'function';
}

/** @throws InputError */
export function requireTimeZone(timeZone: unknown, field = 'scheduledAtTimeZone'): string {
	if (isTimeZone(timeZone)) return timeZone;
	return refuse(field, 'is not a known time zone', zoneHint, timeZone);
}

/** @throws InputError */
export function readWritten(
	value: unknown,
	field: string,
	hint: string,
	label = toLabel(field),
): Written {
	const isDate = value instanceof Date && !Number.isNaN(value.getTime());
	if (isDate) return { instant: Math.floor(value.getTime() / 1000) * 1000 };
	const text = isIsoDateTime(value) ? value.toISO() : value;
	if (text === undefined || text === null || (typeof text === 'string' && text.trim() === ''))
		throw new EmptyError(field, label, hint);
	const written = typeof text === 'string' ? parseIso8601(text) : null;
	return written ?? refuse(field, 'is not a valid date', hint, text, label);
}

export function formatWallTime(wallTime: number): string {
	return new Date(wallTime).toISOString().slice(0, 19).replace('T', ' ');
}

/** `$today` of any zone means its day. */
const midnight = /^(\d{4}-\d\d-\d\d)T00:00(?::00(?:\.0+)?)?(?:Z|[+-]\d\d:?\d\d)$/;

/**
 * A day for the history filters.
 * @returns gives it as `YYYY-MM-DD`; of an instant other than midnight, the day in the given zone of the service
 * @throws InputError
 */
export function readDay(
	value: unknown,
	field: string,
	label: string,
): (zoneOfService: string) => string {
	const written = readWritten(value, field, 'Use a date such as 2027-01-31.', label);
	const [, day] = midnight.exec(String(isIsoDateTime(value) ? value.toISO() : value)) ?? [];
	return (zoneOfService) => {
		if (day !== undefined) return day;
		const isInstant = 'instant' in written;
		const wallTime = isInstant ? toWallTime(written.instant, zoneOfService) : written.wallTime;
		return formatWallTime(wallTime).slice(0, 10);
	};
}

/** Converts `YYYY-MM-DD HH:MM:SS`, by default in GMT+6:30 ("Events"), to ISO 8601 in UTC. Null for other text. */
export function serviceTimeToUtc(value: unknown, timeZone = serviceTimeZone): string | null {
	if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(value)) return null;
	const written = parseIso8601(value);
	if (!written || !('wallTime' in written) || !isTimeZone(timeZone)) return null;
	const instant = toInstant(written.wallTime, timeZone);
	return instant === null ? null : new Date(instant).toISOString();
}

/** A schedule in the output: `2027-01-31 09:30 (Asia/Yangon)`, and in UTC. Empty if the service returned none. */
export function describeSchedule(
	scheduledAt: unknown,
	timeZone: string,
): { scheduledAtLocal?: string; scheduledAtUtc?: string } {
	const scheduledAtUtc = serviceTimeToUtc(scheduledAt, timeZone);
	if (scheduledAtUtc === null) return {};
	return { scheduledAtLocal: `${String(scheduledAt).slice(0, 16)} (${timeZone})`, scheduledAtUtc };
}

const longestMs = 365 * dayMs;

/** A duration in milliseconds; `undefined` for what is not a number above 0, or is more than 365 days. */
export function readDuration(amount: unknown, unitMs: number): number | undefined {
	const isWritten = typeof amount === 'string' && amount.trim() !== '';
	const number = isWritten ? Number(amount) : amount;
	const ms = typeof number === 'number' ? number * unitMs : NaN;
	return ms > 0 && ms <= longestMs ? ms : undefined;
}
