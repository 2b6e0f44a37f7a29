import { DateTime } from 'luxon';

import { refuse } from './InputError';
import { dayMs, formatWallTime, readWritten, toInstant, toWallTime } from './time';

const field = 'scheduledAt';
const longestAhead = 366 * dayMs;

/** The days of Excel (1900 date system) from 1954 to 2119, with the time of day as their fraction. */
const serialDay = { first: 20_000, last: 80_000, of1970: 25_569 };

/** A date and time as Excel stores it. Null for anything else. @throws InputError for only one of both */
function readSerial(value: unknown): number | null {
	const serial = toSerial(value);
	if (serial > 0 && serial < 1)
		return refuse(
			field,
			'is a time without a date',
			'Add the date: in a spreadsheet, add the cells of date and time.',
			serial,
		);
	if (!(serial >= serialDay.first && serial < serialDay.last)) return null;
	if (!Number.isInteger(serial)) return toMoment(serial);
	return refuse(
		field,
		'has no time of day',
		'Add one, for example {{ Number($json.due_date) + 0.375 }} for 09:00.',
		serial,
	);
}

function toSerial(value: unknown): number {
	const isWritten = typeof value === 'string' && /^\s*\d{0,5}\.?\d+\s*$/.test(value);
	return isWritten || typeof value === 'number' ? Number(value) : NaN;
}

export function toMoment(serial: number): number {
	return Math.round((serial - serialDay.of1970) * (dayMs / 1000)) * 1000;
}

/** Two years: farther days are rare in texts, and prices are not. */
const nearMs = 730 * dayMs;

/** Shows a day around `now` as Excel stores it, such as `1 Dec 2026`. Nothing for other values. */
export function describeSerial(value: unknown, now: number): string | undefined {
	const moment = toMoment(toSerial(value));
	if (!(Math.abs(moment - now) < nearMs)) return undefined;
	return DateTime.fromMillis(moment, { zone: 'utc', locale: 'en' }).toFormat('d MMM yyyy');
}

/** The expression that shows such a value. */
export function convertSerial(field: string, format: string): string {
	return `{{ DateTime.fromMillis(Math.round((${field} - ${serialDay.of1970}) * ${dayMs}), { zone: 'utc' }).toFormat('${format}') }}`;
}

/**
 * When a message is to go out, in milliseconds since 1970. A value that states its offset, as n8n's dates do, ignores the
 * zone; one without it is wall time in it. Fractions of a second are dropped.
 * @throws InputError for times that are invalid, incomplete or do not exist
 */
export function readScheduled(value: unknown, zone: string): number {
	const serial = readSerial(value);
	const hint = 'Use a date and time such as 2027-01-31T09:30:00 or 2027-01-31T09:30:00+06:30.';
	const written = serial === null ? readWritten(value, field, hint) : { wallTime: serial };
	if ('instant' in written) return written.instant;
	if (typeof value === 'string' && /^\s*[\d-]+\s*$/.test(value)) {
		const remedy = 'Add one, for example {{ $json.due_date }} 09:00.';
		refuse(field, 'has no time of day', remedy, value);
	}
	const at = toInstant(written.wallTime, zone);
	if (at !== null) return at;
	const what = `does not exist in ${zone}: "${formatWallTime(written.wallTime)}"`;
	return refuse(
		field,
		what,
		'Clocks change then: choose a time at least an hour earlier or later.',
	);
}

/**
 * A point in time as `YYYY-MM-DD HH:MM:SS` in the zone in which the service reads schedules.
 * @param zone of the user, in which errors tell the time
 * @throws InputError for times that are not after `now`, or more than a year later
 */
export function toServiceDateTime(
	at: number,
	zone: string,
	serviceZone: string,
	now: number,
): string {
	const inZone = (moment: number) => formatWallTime(toWallTime(moment, zone));
	const told = `"${inZone(at)}" in ${zone}`;
	if (at <= now) {
		const hint = `Choose a time in the future, and check the time zone: it is now ${inZone(now)} in ${zone}.`;
		refuse(field, `is in the past: ${told}`, hint);
	}
	if (at > now + longestAhead) {
		const hint =
			'A scheduled message cannot be canceled. Check the year: 2569 of the Buddhist calendar is 2026.';
		refuse(field, `is more than a year ahead, in ${inZone(at).slice(0, 4)}: ${told}`, hint);
	}
	return formatWallTime(toWallTime(at, serviceZone));
}
