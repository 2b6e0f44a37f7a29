import { describeValue, EmptyError, InputError } from './InputError';
import { parseIso8601 } from './iso8601';
import { isTimeZone, toInstant, toWallTime } from './timeZone';

/** Time zone of the service's own dates: GMT+6:30, without daylight saving time ("Events"). */
export const serviceTimeZone = 'Asia/Yangon';
const serviceOffset = (6 * 60 + 30) * 60_000;

const dateTimeHint =
	'Use a date and time such as 2030-01-31T09:30:00 or 2030-01-31T09:30:00+06:30.';
const zoneHint = 'Use a time zone such as Asia/Yangon, Asia/Singapore or UTC.';
const dateHint = 'Use a date such as 2030-01-31.';
const scheduledAt = { field: 'scheduledAt', label: 'Scheduled At', hint: dateTimeHint };
const userZone = { field: 'scheduledAtTimeZone', label: 'Scheduled At Time Zone', hint: zoneHint };
const zoneInCredential = {
	field: 'serviceTimeZone',
	label: 'Service Time Zone in the credential',
	hint: zoneHint,
};

interface Place {
	field: string;
	label: string;
	hint: string;
}

/** n8n's own date objects (luxon). */
function isIsoDateTime(value: unknown): value is { toISO(): unknown } {
	return typeof (value as { toISO?: unknown } | null | undefined)?.toISO === 'function';
}

function reject({ field, label, hint }: Place, value: unknown, reason: string): never {
	throw new InputError(field, `${label} ${reason}: ${describeValue(value)}`, hint);
}

export function requireTimeZone(timeZone: unknown, place: Place = userZone): string {
	return isTimeZone(timeZone) ? timeZone : reject(place, timeZone, 'is not a known time zone');
}

/** @throws InputError */
export function requireServiceTimeZone(timeZone: string): void {
	requireTimeZone(timeZone, zoneInCredential);
}

/** In milliseconds: an instant if an offset was given, otherwise a wall time without its zone. */
type Written = { instant: number } | { wallTime: number };

function readWritten(value: unknown, place: Place): Written {
	if (value instanceof Date) {
		if (Number.isNaN(value.getTime())) return reject(place, 'Invalid Date', 'is not a valid date');
		return { instant: Math.floor(value.getTime() / 1000) * 1000 };
	}
	const text = isIsoDateTime(value) ? value.toISO() : value;
	if (text === undefined || text === null || (typeof text === 'string' && text.trim() === ''))
		throw new EmptyError(place.field, place.label, place.hint);
	const written = typeof text === 'string' ? parseIso8601(text) : null;
	if (written === null) return reject(place, text, 'is not a valid date');
	const { wallTime, offset } = written;
	return offset === null ? { wallTime } : { instant: wallTime - offset * 60_000 };
}

/** The instant of Scheduled At, in milliseconds since 1970. @throws InputError */
export function readInstant(value: unknown, zone: string): number {
	const written = readWritten(value, scheduledAt);
	if ('instant' in written) return written.instant;
	const instant = toInstant(written.wallTime, zone);
	if (instant !== null) return instant;
	throw new InputError(
		scheduledAt.field,
		`Scheduled At does not exist in ${zone}: "${formatWallTime(written.wallTime)}"`,
		'Clocks change then: choose a time at least an hour earlier or later.',
	);
}

function formatWallTime(wallTime: number): string {
	return new Date(wallTime).toISOString().slice(0, 19).replace('T', ' ');
}

/**
 * A point in time as `YYYY-MM-DD HH:MM:SS` in the zone in which the service reads schedules. ISO 8601 without an offset
 * is wall time in the user's zone; a date alone means midnight. Fractions of a second are dropped.
 * @throws InputError for times that are invalid, do not exist, are ambiguous for the service or are not after `now`
 */
export function toServiceDateTime(
	value: unknown,
	timeZone: string,
	zoneOfService: string,
	now: Date,
): string {
	const zone = requireTimeZone(timeZone, userZone);
	const serviceZone = requireTimeZone(zoneOfService, zoneInCredential);
	const instant = readInstant(value, zone);
	const inZone = (moment: number) => formatWallTime(toWallTime(moment, zone));
	if (instant <= now.getTime())
		throw new InputError(
			scheduledAt.field,
			`Scheduled At is in the past: "${inZone(instant)}" in ${zone}`,
			`Choose a time in the future, and check the time zone: it is now ${inZone(now.getTime())} in ${zone}.`,
		);
	const wallTime = toWallTime(instant, serviceZone);
	if (toInstant(wallTime, serviceZone) === instant) return formatWallTime(wallTime);
	throw new InputError(
		scheduledAt.field,
		`Scheduled At is ambiguous in ${serviceZone}: "${formatWallTime(wallTime)}"`,
		'Clocks change then: choose a time at least an hour earlier or later.',
	);
}

/**
 * A day for the history filters.
 * @returns gives it as `YYYY-MM-DD`; of an instant, the day in the given zone of the service
 * @throws InputError
 */
export function readDay(
	value: unknown,
	field: string,
	label: string,
): (zoneOfService: string) => string {
	const written = readWritten(value, { field, label, hint: dateHint });
	return (zoneOfService) => {
		const isInstant = 'instant' in written;
		const wallTime = isInstant ? toWallTime(written.instant, zoneOfService) : written.wallTime;
		return formatWallTime(wallTime).slice(0, 10);
	};
}

/** Converts `YYYY-MM-DD HH:MM:SS`, by default in GMT+6:30 ("Events"), to ISO 8601 in UTC. Null for other text. */
export function serviceTimeToUtc(value: unknown, timeZone = serviceTimeZone): string | null {
	if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(value)) return null;
	const written = parseIso8601(value);
	if (written === null || !isTimeZone(timeZone)) return null;
	const isUsual = timeZone === serviceTimeZone;
	const instant = isUsual
		? written.wallTime - serviceOffset
		: toInstant(written.wallTime, timeZone);
	return instant === null ? null : new Date(instant).toISOString();
}
