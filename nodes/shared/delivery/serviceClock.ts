import type { MessageRecord } from '../client/types';
import { minuteMs, serviceTimeZone, toInstant } from '../input/time';

/** A period on our clock, in milliseconds since 1970. */
export interface Window {
	from: number;
	to: number;
}

export type Place = 'inside' | 'outside' | 'uncertain';

/** `createdAt` has no fractions of a second. */
const insideMs = 5_000;
/** Up to this distance, a time is uncertain. */
const far = 15 * minuteMs;
/** Hardly a time zone is farther from that of the credential; a message of yesterday is. */
const farthestZone = 20 * 60 * minuteMs;

/**
 * How far what a service writes as its time is ahead of our clock, by account. A response shows it: the record in it is
 * new. It covers the time zone of the service and both clocks.
 */
const shown = new Map<string, number>();

/** A time, as if it were UTC if it has no zone: all times of a service have one, or none. NaN for what is not a time. */
export function readWallTime(value: unknown): number {
	const [, day, clock, zone] =
		/^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?$/.exec(
			String(value).trim(),
		) ?? [];
	return Date.parse(`${day}T${clock}${zone ?? 'Z'}`);
}

export function noteServiceTime(account: string, { createdAt }: MessageRecord): void {
	const wallTime = readWallTime(createdAt);
	if (!Number.isNaN(wallTime)) shown.set(account, wallTime - Date.now());
}

/** Reads the times in history by our clock. */
export class ServiceClock {
	private readonly ahead: number;
	/** The same of times that say their zone. */
	private readonly aheadOfUtc: number;
	/** Whether a response has shown how far it is ahead, or nothing speaks against the zone in the credential. */
	private isTrusted = true;
	private readonly far: number;

	/** @param serviceTime by the header Date */
	constructor(account: string, timeZone: string, serviceTime = Date.now()) {
		const known = shown.get(account);
		this.aheadOfUtc = known ?? serviceTime - Date.now();
		this.ahead = known ?? offsetOf(timeZone, serviceTime) + this.aheadOfUtc;
		this.far = known === undefined ? farthestZone : far;
	}

	/** What is later than now shows that the service writes in another zone than the credential says. */
	note(records: MessageRecord[]): void {
		const latest = Date.now() + far;
		if (this.far >= farthestZone && records.some((record) => this.read(record) > latest))
			this.isTrusted = false;
	}

	/** Whether a record was created in a window; `uncertain` where another clock or zone could put it there. */
	place(record: MessageRecord, { from, to }: Window): Place {
		const at = this.read(record);
		const apart = Math.max(from - at, at - to, 0);
		if (apart <= insideMs) return 'inside';
		return apart > this.far ? 'outside' : 'uncertain';
	}

	/** The same for an earlier message: the zone of the credential is trusted, unless history shows another one. */
	placeSince(record: MessageRecord, moment: number): Place {
		const at = this.read(record);
		if (Number.isNaN(at)) return 'uncertain';
		if (!this.isTrusted && Math.abs(at - moment) < farthestZone) return 'uncertain';
		return at < moment ? 'outside' : 'inside';
	}

	/**
	 * Whether a list, newest first, has come to what was created before a moment.
	 * @param mayRepeat whether what is not read is sent again: then, the zone of the credential is not trusted
	 */
	isBefore(records: MessageRecord[], moment: number, mayRepeat: boolean): boolean {
		const times = records.map((record) => this.read(record));
		const isSorted = times.every((time, n) => n === 0 || time <= times[n - 1]);
		return isSorted && times[0] < moment - (this.isTrusted && !mayRepeat ? far : this.far);
	}

	private read({ createdAt }: MessageRecord): number {
		const hasZone = /:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)$/.test(String(createdAt).trim());
		return readWallTime(createdAt) - (hasZone ? this.aheadOfUtc : this.ahead);
	}
}

function offsetOf(timeZone: string, at: number): number {
	const second = Math.floor(at / 1000) * 1000;
	return second - (toInstant(second, timeZone || serviceTimeZone) ?? second);
}
