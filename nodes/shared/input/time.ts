import { DateTime, IANAZone } from 'luxon';

import { declareEmpty, declareError } from './InputError';

/** A date and time in whole seconds, in milliseconds: with an offset an instant, without one a wall time as if in UTC. */
export type Written = { instant: number } | { wallTime: number };

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

/** In milliseconds since 1970: two if the wall time occurs twice, none if clocks skip it. */
export function toInstants(wallTime: number, timeZone: string): number[] {
	const candidates = [wallTime - dayMs, wallTime + dayMs].map(
		(nearby) => wallTime - (toWallTime(nearby, timeZone) - nearby),
	);
	return [...new Set(candidates)].filter((instant) => toWallTime(instant, timeZone) === wallTime);
}

/** In milliseconds since 1970. Null if clocks skip this wall time; the first instant if it occurs twice. */
export function toInstant(wallTime: number, timeZone: string): number | null {
	return toInstants(wallTime, timeZone)[0] ?? null;
}

/** Time zone of the service's own dates: GMT+6:30, without daylight saving time ("Events"). */
export const serviceTimeZone = 'Asia/Yangon';
const serviceOffset = (6 * 60 + 30) * minuteMs;

const dateHint = 'Use a date such as 2027-01-31.';
const ofDay = {
	empty: declareEmpty(dateHint),
	invalid: declareError('<Field> is not a valid date: <value>', dateHint),
};
type DateErrors = typeof ofDay;
const zoneErrors = {
	scheduledAtTimeZone: declareError(
		'Scheduled At Time Zone is not a known time zone: <value>',
		zoneHint,
	),
	serviceTimeZone: declareError(
		'Service Time Zone in the credential is not a known time zone: <value>',
		zoneHint,
	),
};
/** n8n's own date objects (luxon). */
function isIsoDateTime(value: unknown): value is { toISO(): unknown } {
	return typeof (value as { toISO?: unknown } | null | undefined)?.toISO === 'function';
}

/** @throws InputError */
export function requireTimeZone(
	timeZone: unknown,
	field: keyof typeof zoneErrors = 'scheduledAtTimeZone',
): string {
	if (isTimeZone(timeZone)) return timeZone;
	throw zoneErrors[field](field, { value: timeZone });
}

export function readWritten(
	value: unknown,
	{ empty, invalid }: DateErrors,
	field: string,
	Field?: string,
): Written {
	if (value instanceof Date) {
		if (Number.isNaN(value.getTime())) throw invalid(field, { Field, value: 'Invalid Date' });
		return { instant: Math.floor(value.getTime() / 1000) * 1000 };
	}
	const text = isIsoDateTime(value) ? value.toISO() : value;
	if (text === undefined || text === null || (typeof text === 'string' && text.trim() === ''))
		throw empty(field, Field);
	const written = typeof text === 'string' ? parseIso8601(text) : null;
	if (written === null) throw invalid(field, { Field, value: text });
	return written;
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
	const written = readWritten(value, ofDay, field, label);
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
	const isUsual = timeZone === serviceTimeZone;
	const instant = isUsual
		? written.wallTime - serviceOffset
		: toInstant(written.wallTime, timeZone);
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

/** An instant in local time: `Monday 2026-11-23 at 09:00 (Asia/Yangon)`. */
export function describeMoment(instant: number, timeZone: string): string {
	const local = new Date(toWallTime(instant, timeZone));
	const weekday = local.toLocaleDateString('en-US', { weekday: 'long', timeZone: 'UTC' });
	const [date, time] = local.toISOString().split('T');
	return `${weekday} ${date} at ${time.slice(0, 5)} (${timeZone})`;
}
