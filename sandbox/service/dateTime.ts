/** Receipts use GMT+6:30 (specification, Events 2); the sandbox uses it for all times of the service. */
const offsetMs = 6.5 * 60 * 60 * 1000;
const dateTime = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;
const date = /^\d{4}-\d{2}-\d{2}$/;

/** `YYYY-MM-DD HH:MM:SS` in GMT+6:30. */
export function formatDateTime(ms: number): string {
	return new Date(ms + offsetMs).toISOString().slice(0, 19).replace('T', ' ');
}

/** Milliseconds since 1970 (UTC) of a `YYYY-MM-DD HH:MM:SS` in GMT+6:30; undefined if it is not a valid time. */
export function parseDateTime(text: string): number | undefined {
	if (!dateTime.test(text)) return undefined;
	const ms = Date.parse(`${text.replace(' ', 'T')}Z`) - offsetMs;
	// A day such as 30 February would otherwise roll over into March.
	return Number.isNaN(ms) || formatDateTime(ms) !== text ? undefined : ms;
}

export function isDate(text: string): boolean {
	return date.test(text) && parseDateTime(`${text} 00:00:00`) !== undefined;
}
