import { DateTime } from 'luxon';

/** A day in half a year: schedules are accepted for a year. */
export const ahead = DateTime.utc().plus({ months: 6 }).toFormat('yyyy-MM-dd');
