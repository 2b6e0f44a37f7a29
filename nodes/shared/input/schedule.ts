import { DateTime } from 'luxon';

import { declareEmpty, declareError } from './InputError';
import { dayMs, formatWallTime, readWritten, toInstant, toWallTime } from './time';

const dateTimeHint =
	'Use a date and time such as 2027-01-31T09:30:00 or 2027-01-31T09:30:00+06:30.';
const clockHint = 'Clocks change then: choose a time at least an hour earlier or later.';

const errors = {
	empty: declareEmpty(dateTimeHint, 'Scheduled At'),
	invalid: declareError('Scheduled At is not a valid date: <value>', dateTimeHint),
};
const noDate = declareError(
	'Scheduled At is a time without a date: <value>',
	'Add the date: in a spreadsheet, add the cells of date and time.',
);
const skipped = declareError('Scheduled At does not exist in <zone>: "<wallTime>"', clockHint);
const ambiguous = declareError('Scheduled At is ambiguous in <zone>: "<wallTime>"', clockHint);
const past = declareError(
	'Scheduled At is in the past: "<wallTime>" in <zone>',
	'Choose a time in the future, and check the time zone: it is now <now> in <zone>.',
);

const tooFar = declareError(
	'Scheduled At is more than a year ahead, in <year>: "<wallTime>" in <zone>',
	'A scheduled message cannot be canceled. Check the year: 2569 of the Buddhist calendar is 2026.',
);
const longestAhead = 366 * dayMs;

/** The days of Excel (1900 date system) from 1954 to 2119, with the time of day as their fraction. */
const serialDay = { first: 20_000, last: 80_000, of1970: 25_569 };

/** A date and time as Excel stores it. Null for anything else. @throws InputError for a time of day alone */
function readSerial(value: unknown): number | null {
	const serial = toSerial(value);
	if (serial > 0 && serial < 1) throw noDate('scheduledAt', { value: serial });
	return serial >= serialDay.first && serial < serialDay.last ? toMoment(serial) : null;
}

/** NaN for anything but a number. */
function toSerial(value: unknown): number {
	const isWritten = typeof value === 'string' && /^\s*\d{0,5}\.?\d+\s*$/.test(value);
	return isWritten || typeof value === 'number' ? Number(value) : NaN;
}

function toMoment(serial: number): number {
	return Math.round((serial - serialDay.of1970) * (dayMs / 1000)) * 1000;
}

/** Ten years. */
const nearMs = 3_653 * dayMs;

/** Shows a day around `now`, or a time of day, as Excel stores it, and with which format of luxon. Nothing for other values. */
export function describeSerial(
	value: unknown,
	now: number,
	withinMs = nearMs,
): { shown: string; format: string } | undefined {
	const serial = toSerial(value);
	const isTime = serial > 0 && serial < 1;
	const isNear = Math.abs(toMoment(serial) - now) < withinMs;
	if (!isTime && !isNear) return undefined;
	const format = isTime ? 'HH:mm' : Number.isInteger(serial) ? 'd MMM yyyy' : 'd MMM yyyy HH:mm';
	const moment = DateTime.fromMillis(toMoment(serial), { zone: 'utc', locale: 'en' });
	return { shown: moment.toFormat(format), format };
}

/** The expression that shows such a value. */
export function convertSerial(field: string, format: string): string {
	return `{{ DateTime.fromMillis(Math.round((${field} - ${serialDay.of1970}) * ${dayMs}), { zone: 'utc' }).toFormat('${format}') }}`;
}

/**
 * When a message is to go out, in milliseconds since 1970. A value that states its offset, as n8n's dates do, ignores the
 * zone; ISO 8601 without one is wall time in it, and a date alone means midnight. Fractions of a second are dropped.
 * @throws InputError for times that are invalid or do not exist
 */
export function readScheduled(value: unknown, zone: string): { at: number; hasOffset: boolean } {
	const serial = readSerial(value);
	const isSerial = serial !== null;
	const written = isSerial ? { wallTime: serial } : readWritten(value, errors, 'scheduledAt');
	if ('instant' in written) return { at: written.instant, hasOffset: true };
	const at = toInstant(written.wallTime, zone);
	if (at !== null) return { at, hasOffset: false };
	throw skipped('scheduledAt', { zone, wallTime: formatWallTime(written.wallTime) });
}

/**
 * A point in time as `YYYY-MM-DD HH:MM:SS` in the zone in which the service reads schedules.
 * @param zone of the user, in which errors tell the time
 * @throws InputError for times that are ambiguous for the service, are not after `now`, or are more than a year later
 */
export function toServiceDateTime(
	at: number,
	zone: string,
	serviceZone: string,
	now: number,
): string {
	const inZone = (moment: number) => formatWallTime(toWallTime(moment, zone));
	if (at <= now) throw past('scheduledAt', { zone, wallTime: inZone(at), now: inZone(now) });
	if (at > now + longestAhead) {
		const wallTime = inZone(at);
		throw tooFar('scheduledAt', { zone, wallTime, year: wallTime.replace(/-.*/, '') });
	}
	const wallTime = toWallTime(at, serviceZone);
	if (toInstant(wallTime, serviceZone) === at) return formatWallTime(wallTime);
	throw ambiguous('scheduledAt', { zone: serviceZone, wallTime: formatWallTime(wallTime) });
}
