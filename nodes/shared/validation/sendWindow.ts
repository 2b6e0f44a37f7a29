import { describeValue, InputError } from './InputError';
import { isTimeZone, toInstant, toWallTime } from './timeZone';

const dayMs = 86_400_000;
const minuteMs = 60_000;

/** In the order of `Date.getUTCDay`. */
const weekdays = [
	...['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'],
];
const workdays = weekdays.slice(1, 6);

/** Days and hours in which messages may be sent. */
export interface SendWindow {
	/** Days on which it opens; Sunday is 0. */
	days: ReadonlySet<number>;
	/** Milliseconds since midnight. */
	from: number;
	/** As `from`; more than a day if it closes on the next day. */
	until: number;
	timeZone: string;
}

function reject(reason: string, value: unknown, hint: string): never {
	throw new InputError('sendWindow', `Send Window ${reason}: ${describeValue(value)}`, hint);
}

function readDays(value: unknown): ReadonlySet<number> {
	const hint =
		'Choose at least one day. An expression must return a list such as ["monday", "tuesday"].';
	if (!Array.isArray(value) || value.length === 0) return reject('has no days', value, hint);
	return new Set(
		value.map((name) => {
			const day = weekdays.indexOf(String(name).toLowerCase());
			return day < 0 ? reject('has an unknown day', name, hint) : day;
		}),
	);
}

function readTime(value: unknown, label: string): number {
	const [, hours, minutes] = /^\s*(\d{1,2}):(\d\d)\s*$/.exec(String(value)) ?? [];
	const time = (Number(hours) * 60 + Number(minutes)) * minuteMs;
	if (Number(minutes) < 60 && time <= dayMs) return time;
	return reject(`has an invalid time in ${label}`, value, 'Use a time of day such as 09:00.');
}

function requireZone(value: unknown): string {
	if (isTimeZone(value)) return value;
	const hint = 'Use a time zone such as Asia/Yangon, Asia/Singapore or UTC.';
	return reject('has an unknown time zone', value, hint);
}

/** Reads the option Send Window. @throws InputError */
export function readSendWindow(value: unknown): SendWindow {
	const { window } = (value ?? {}) as { window?: Record<string, unknown> };
	if (typeof window !== 'object') {
		const hint = 'Add a window with days and times, or remove Send Window.';
		return reject('has no window', window, hint);
	}
	const usual = { days: workdays, from: '09:00', until: '18:00', timeZone: 'Asia/Yangon' };
	// n8n omits fields left at their default. A field that is present must be valid.
	const { days, from, until, timeZone } = { ...usual, ...window } as Record<string, unknown>;
	const opens = readTime(from, 'From');
	const closes = readTime(until, 'Until');
	if (opens === closes)
		return reject('opens and closes at the same time', from, 'A whole day is 00:00 to 24:00.');
	return {
		days: readDays(days),
		from: opens,
		until: closes > opens ? closes : closes + dayMs,
		timeZone: requireZone(timeZone),
	};
}

/** The instant of a wall time; of a skipped wall time, the moment of the clock change. */
function toExistingInstant(wallTime: number, timeZone: string): number {
	for (let later = wallTime; later <= wallTime + dayMs; later += minuteMs) {
		const instant = toInstant(later, timeZone);
		if (instant !== null) return instant;
	}
	return wallTime;
}

/** The openings from the day before an instant to 8 days after it, so that every weekday is included. */
function* openingsAround(
	{ days, from, until, timeZone }: SendWindow,
	instant: number,
): Generator<{ opens: number; closes: number }> {
	const today = Math.floor(toWallTime(instant, timeZone) / dayMs) * dayMs;
	for (let day = today - dayMs; day <= today + 8 * dayMs; day += dayMs) {
		if (!days.has(new Date(day).getUTCDay())) continue;
		const opens = toExistingInstant(day + from, timeZone);
		const closes = toExistingInstant(day + until, timeZone);
		if (opens < closes) yield { opens, closes };
	}
}

/** The earliest time, not before this instant, at which the window is open. @throws InputError if there is none */
export function moveIntoWindow(window: SendWindow, instant: number): number {
	for (const { opens, closes } of openingsAround(window, instant)) {
		if (instant < closes) return Math.max(instant, opens);
	}
	throw new InputError(
		'sendWindow',
		'Send Window does not open within a week',
		'Choose other days or times: a short window does not exist when clocks go forward.',
	);
}

/** An instant in local time: `Monday 2026-11-23 at 09:00 (Asia/Yangon)`. */
export function describeMoment(instant: number, timeZone: string): string {
	const local = new Date(toWallTime(instant, timeZone));
	const weekday = weekdays[local.getUTCDay()];
	const [date, time] = local.toISOString().split('T');
	return `${weekday[0].toUpperCase()}${weekday.slice(1)} ${date} at ${time.slice(0, 5)} (${timeZone})`;
}

/** @throws InputError outside the window */
export function requireOpen(window: SendWindow, instant: number): void {
	const opens = moveIntoWindow(window, instant);
	if (opens === instant) return;
	throw new InputError(
		'sendWindow',
		`Send Window is closed and opens on ${describeMoment(opens, window.timeZone)}`,
		'Start the workflow again then, for example with a Schedule Trigger.',
	);
}
