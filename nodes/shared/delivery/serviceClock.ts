import type { MessageRecord } from '../client/types';
import { minuteMs, serviceTimeZone, toInstant } from '../input/time';

/** A period on our clock, in milliseconds since 1970. */
export interface Window {
	from: number;
	to: number;
}

/** `createdAt` has no fractions of a second. */
const near = 5_000;
/** Clocks are set, and machines sleep: up to this distance, a time is uncertain. */
const far = 15 * minuteMs;
/** Hardly a time zone is farther from that of the credential; a message of yesterday is. */
const farthestZone = 20 * 60 * minuteMs;

/**
 * How far what a service writes as its time is ahead of our clock, by account. A response shows it: the record in it is
 * new. It covers the time zone of the service and both clocks.
 */
const shown = new Map<string, number>();

/** A time without a zone as if it were UTC; NaN for what is not a time. */
export function readWallTime(value: unknown): number {
	const [, day, clock, zone] =
		/^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?$/.exec(
			String(value).trim(),
		) ?? [];
	const wallTime = Date.parse(`${day}T${clock}Z`);
	// A zone that is written is read away: all times of a service have it, or none.
	return zone === undefined ? wallTime : Date.parse(`${day}T${clock}${zone}`);
}

export function noteServiceTime(account: string, { createdAt }: MessageRecord): void {
	const wallTime = readWallTime(createdAt);
	if (!Number.isNaN(wallTime)) shown.set(account, wallTime - Date.now());
}

/** Reads the times in history by our clock. */
export class ServiceClock {
	private readonly ahead: number;
	/** Whether a response has shown how far it is ahead; otherwise the credential says its zone. */
	private readonly isShown: boolean;

	/** @param serviceTime by the header Date */
	constructor(account: string, timeZone: string, serviceTime = Date.now()) {
		const ahead = shown.get(account);
		this.isShown = ahead !== undefined;
		this.ahead = ahead ?? offsetOf(timeZone, serviceTime) + serviceTime - Date.now();
	}

	/** Whether a record was created in a window; `uncertain` where another clock or zone could put it there. */
	place({ createdAt }: MessageRecord, { from, to }: Window): 'inside' | 'outside' | 'uncertain' {
		const at = readWallTime(createdAt) - this.ahead;
		const apart = Math.max(from - at, at - to, 0);
		if (apart <= near) return 'inside';
		return apart > (this.isShown ? far : farthestZone) ? 'outside' : 'uncertain';
	}

	/** Whether a list, newest first, has come to what was created before a moment, in whatever zone. */
	isBefore(records: MessageRecord[], moment: number): boolean {
		const times = records.map(({ createdAt }) => readWallTime(createdAt) - this.ahead);
		const isSorted = times.every((time, n) => n === 0 || time <= times[n - 1]);
		return isSorted && times[0] < moment - (this.isShown ? far : farthestZone);
	}
}

function offsetOf(timeZone: string, at: number): number {
	const second = Math.floor(at / 1000) * 1000;
	return second - (toInstant(second, timeZone || serviceTimeZone) ?? second);
}
