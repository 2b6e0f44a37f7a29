/** A date and time as written. Without an offset, it is a wall time in an unnamed zone. */
export interface WrittenDateTime {
	/** The wall time read as if it were UTC, in milliseconds, without fractions of a second. */
	wallTime: number;
	/** Minutes east of UTC; null if absent. */
	offset: number | null;
}

const day = 86_400_000;
const farthestOffset = 14 * 60;

const calendarDate = /^(\d{4})(-?)(\d\d)\2(\d\d)$/;
const weekDate = /^(\d{4})-?W(\d\d)(?:-?([1-7]))?$/;
const ordinalDate = /^(\d{4})-?(\d{3})$/;
const clockTime = /^(\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,]\d+)?)?)?$/;
const utcOffset = /^([+\-\u2212])(\d\d)(?::?(\d\d))?$/;

function readCalendarDate([, year, , month, date]: string[]): number | null {
	const time = Date.UTC(Number(year), Number(month) - 1, Number(date));
	return new Date(time).toISOString().startsWith(`${year}-${month}-${date}`) ? time : null;
}

/** Week 1 is the one with January 4; weeks start on Monday. */
function readWeekDate([, year, week, weekday = '1']: string[]): number | null {
	const january4 = Date.UTC(Number(year), 0, 4);
	const mondayOfWeek1 = january4 - ((new Date(january4).getUTCDay() + 6) % 7) * day;
	const monday = mondayOfWeek1 + (Number(week) - 1) * 7 * day;
	const thursday = new Date(monday + 3 * day);
	return thursday.getUTCFullYear() === Number(year) ? monday + (Number(weekday) - 1) * day : null;
}

function readOrdinalDate([, year, dayOfYear]: string[]): number | null {
	const time = Date.UTC(Number(year), 0, Number(dayOfYear));
	const isDayOfYear = dayOfYear !== '000' && new Date(time).getUTCFullYear() === Number(year);
	return isDayOfYear ? time : null;
}

function readDate(text: string): number | null {
	const calendar = calendarDate.exec(text);
	if (calendar) return readCalendarDate(calendar);
	const week = weekDate.exec(text);
	if (week) return readWeekDate(week);
	const ordinal = ordinalDate.exec(text);
	return ordinal ? readOrdinalDate(ordinal) : null;
}

/** Milliseconds since midnight. 24:00 is the midnight that ends the day. */
function readTime(text: string): number | null {
	const [, hours, minutes = '0', seconds = '0'] = clockTime.exec(text) ?? [];
	if (hours === undefined || Number(minutes) > 59 || Number(seconds) > 59) return null;
	const total = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
	return total <= day ? total : null;
}

/** Minutes east of UTC; null if absent; undefined if invalid. */
function readOffset(text: string): number | null | undefined {
	if (text === '') return null;
	if (text === 'Z') return 0;
	const [, sign, hours, minutes = '0'] = utcOffset.exec(text) ?? [];
	const offset = Number(hours) * 60 + Number(minutes);
	if (sign === undefined || Number(minutes) > 59 || offset > farthestOffset) return undefined;
	return sign === '+' ? offset : -offset;
}

/**
 * Any ISO 8601 date (calendar, week or ordinal; extended or basic), optionally with a time (after T or a space) and an
 * offset. A date alone means midnight. Null for anything else, and for dates that do not exist.
 */
export function parseIso8601(text: string): WrittenDateTime | null {
	const [dateText, timeText] = text
		.trim()
		.toUpperCase()
		.split(/[T ](.*)/s);
	const date = readDate(dateText);
	if (date === null) return null;
	if (timeText === undefined) return { wallTime: date, offset: null };
	const [, clock, offsetText] = /^([\d:.,]+) ?(.*)$/.exec(timeText) ?? [];
	const time = clock === undefined ? null : readTime(clock);
	const offset = readOffset(offsetText ?? '');
	return time === null || offset === undefined ? null : { wallTime: date + time, offset };
}
