import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { declareError } from '../input/InputError';
import {
	dayMs,
	describeMoment,
	isTimeZone,
	minuteMs,
	toInstant,
	toWallTime,
	zoneHint,
} from '../input/time';
import { ofRun, option } from './option';

/** In the order of `Date.getUTCDay`. */
const weekdays = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'
	.split(' ')
	.map((name) => ({ name, value: name.toLowerCase() }));

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

/** Zones that users of the service are likely to need. An expression can return any other IANA name. */
export const timeZones: INodePropertyOptions[] = [
	'Asia/Bangkok',
	'Asia/Dhaka',
	'Asia/Ho_Chi_Minh',
	'Asia/Hong_Kong',
	'Asia/Jakarta',
	'Asia/Kolkata',
	'Asia/Kuala_Lumpur',
	'Asia/Shanghai',
	'Asia/Singapore',
	'Asia/Tokyo',
	'Asia/Yangon',
	'UTC',
].map((zone) => ({ name: zone, value: zone }));

const values: INodeProperties[] = [
	{
		displayName: 'Days',
		name: 'days',
		type: 'multiOptions',
		options: [...weekdays.slice(1), weekdays[0]],
		default: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
		description: 'Days on which the window opens',
	},
	{
		displayName: 'From',
		name: 'from',
		type: 'string',
		default: '09:00',
		placeholder: 'e.g. 09:00',
		description: 'Time of day when the window opens',
	},
	{
		displayName: 'Until',
		name: 'until',
		type: 'string',
		default: '18:00',
		placeholder: 'e.g. 18:00',
		description:
			'Time of day when the window closes. A time before From is on the next day: 20:00 to 06:00 is one night.',
	},
	{
		displayName: 'Time Zone',
		name: 'timeZone',
		type: 'options',
		options: timeZones,
		default: 'Asia/Yangon',
		description: 'Time zone of From and Until',
	},
];
const usual = Object.fromEntries(values.map(({ name, default: value }) => [name, value]));

const field = 'sendWindow';
const daysHint =
	'Choose at least one day. An expression must return a list such as ["monday", "tuesday"].';
const noDays = declareError('Send Window has no days: <value>', daysHint);
const unknownDay = declareError('Send Window has an unknown day: <value>', daysHint);
const wrongTime = declareError(
	'Send Window has an invalid time in <Field>: <value>',
	'Use a time of day such as 09:00.',
);
const unknownZone = declareError('Send Window has an unknown time zone: <value>', zoneHint);
const noWindow = declareError(
	'Send Window is empty: <value>',
	'Add a window with days and times, or remove Send Window.',
);
const noTime = declareError(
	'Send Window opens and closes at the same time: <value>',
	'A whole day is 00:00 to 24:00.',
);
const neverOpen = declareError(
	'Send Window does not open within a week',
	'Choose other days or times: a short window can fall into the hour that clocks skip.',
);
const closed = declareError(
	'Send Window is closed and opens on <moment>',
	'Start the workflow again at that time, for example with a Schedule Trigger.',
);

function readDays(value: unknown): ReadonlySet<number> {
	if (!Array.isArray(value) || value.length === 0) throw noDays(field, { value });
	return new Set(
		value.map((name) => {
			const day = weekdays.findIndex(({ value }) => value === String(name).toLowerCase());
			if (day < 0) throw unknownDay(field, { value: name });
			return day;
		}),
	);
}

function readTime(value: unknown, label: string): number {
	const [, hours, minutes] = /^\s*(\d{1,2}):(\d\d)\s*$/.exec(String(value)) ?? [];
	const time = (Number(hours) * 60 + Number(minutes)) * minuteMs;
	if (Number(minutes) < 60 && time <= dayMs) return time;
	throw wrongTime(field, { Field: label, value });
}

/** @throws InputError */
function readSendWindow(value: unknown): SendWindow {
	const { window } = value as { window?: Record<string, unknown> };
	if (typeof window !== 'object') throw noWindow(field, { value: window });
	// n8n omits fields left at their default. A field that is present must be valid.
	const { days, from, until: end, timeZone }: Record<string, unknown> = { ...usual, ...window };
	const opens = readTime(from, 'From');
	const closes = readTime(end, 'Until');
	if (opens === closes) throw noTime(field, { value: from });
	const until = closes > opens ? closes : closes + dayMs;
	const openDays = readDays(days);
	if (!isTimeZone(timeZone)) throw unknownZone(field, { value: timeZone });
	return { days: openDays, from: opens, until, timeZone };
}

export const sendWindow = ofRun(
	option<SendWindow | undefined>(
		{
			displayName: 'Send Window',
			name: 'sendWindow',
			type: 'fixedCollection',
			placeholder: 'Add window',
			default: { window: {} },
			description:
				'Days and hours for sending. Outside them, SMS Send schedules messages, and SMS Bulk Send sends nothing.',
			options: [{ displayName: 'Window', name: 'window', values }],
		},
		undefined,
		readSendWindow,
	),
);

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
	throw neverOpen(field);
}

/** @throws InputError outside the window */
export function requireOpen(window: SendWindow, instant: number): void {
	const opens = moveIntoWindow(window, instant);
	if (opens !== instant) throw closed(field, { moment: describeMoment(opens, window.timeZone) });
}
