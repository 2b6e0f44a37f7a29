import type { HistoryPage, MessageRecord } from '../client/types';
import { minuteMs, serviceTimeZone, toInstants } from '../input/time';
import { Expiring } from '../client/Expiring';
import type { Now } from './timing';

/** A period on our clock, in milliseconds since 1970. */
export interface Window {
	from: number;
	to: number;
}

/**
 * Where a record lies: in the window (give or take seconds), far from it, or neither for certain, in every time zone
 * that is possible.
 */
export type Placement = 'inside' | 'outside' | 'uncertain';

/** `createdAt` and the Date header have no fractions of a second, and both clocks drift. */
const near = 3_000;
/** A service's clocks can disagree: up to this distance, a time is uncertain. */
const far = 15 * minuteMs;

const offsets: Record<string, number> = { UTC: 0, [serviceTimeZone]: 390 * minuteMs };
/** All zones of the world are multiples of 15 minutes, from UTC-12 to UTC+14. */
const everyOffset = Array.from({ length: 4 * 26 + 1 }, (_, n) => (n - 4 * 12) * 15 * minuteMs);

const written = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?$/;

interface Time {
	/** As if it were UTC, in milliseconds since 1970; NaN for what is not a time. */
	wallTime: number;
	/** In milliseconds since 1970, if the text names its zone. */
	instant?: number;
}

/** `YYYY-MM-DD HH:MM:SS`, or ISO 8601 with or without its zone. */
function readTime(value: unknown): Time {
	const [, day, clock, zone] = written.exec(String(value).trim()) ?? [];
	const wallTime = Date.parse(`${day}T${clock}Z`);
	return zone === undefined
		? { wallTime }
		: { wallTime, instant: Date.parse(`${day}T${clock}${zone}`) };
}

/** Read as UTC, unless it names its zone, in milliseconds since 1970; NaN for what is not a time. */
export function readMoment(value: unknown): number {
	const { instant, wallTime } = readTime(value);
	return instant ?? wallTime;
}

/** In a zone, unless the text names its own: two where clocks repeat an hour, none where they skip one. */
function readInstants({ wallTime, instant }: Time, zone: string): number[] {
	if (instant !== undefined) return [instant];
	const offset = offsets[zone];
	return offset === undefined ? toInstants(wallTime, zone) : [wallTime - offset];
}

/** Time zones in which services are known to write times. @param ofCredential Service Time Zone */
export function listZones(ofCredential: string): string[] {
	return [...new Set([ofCredential, serviceTimeZone, 'UTC'])];
}

/** The `createdAt` of a record, and when a response showed it as new, by the machine's clock. */
export interface Shown {
	createdAt: unknown;
	at: number;
}

/** By account: without it, each doubt about a bulk message would end as unknown at a service that writes UTC. */
const newest = new Expiring<Shown>(Infinity, 1_000);

/** A response shows in which zone its service writes times. @param account digest of base URL and key */
export function noteShown(account: string, { createdAt }: MessageRecord): void {
	newest.set(account, { createdAt, at: Date.now() });
}

export function recallShown(account: string): Shown | undefined {
	return newest.get(account);
}

/**
 * The times in one lookup. The service writes them without a time zone and by its own clock: they are read in all
 * known zones and corrected by the Date header of the response. A zone that puts a record in the future is ruled out,
 * and so is one that does not fit a record that was new when a response showed it.
 */
export class ReadingTimes {
	/** How far the service's clock is ahead of that of the attempt and, since it can sleep or be set, of the machine's. */
	private skews = [0];
	private skewOfMachine = 0;
	/** How far a time can differ in its zone: without a Date header, by as much as clocks do. */
	private drift = near;
	/** The latest wall time of a record. */
	private latest: Time = { wallTime: -Infinity, instant: -Infinity };
	/** Later times are not possible, by the service's clock. */
	private end = Infinity;

	/** The zones that are not ruled out; none if the times fit none. */
	private possible: string[];

	/**
	 * @param zones in which the service may write times
	 * @param earlier the skews of earlier lookups of the run, which this one adds to: clocks may have been set since then
	 */
	constructor(
		private readonly zones: string[],
		private readonly shown?: Shown,
		private readonly now: Now = Date.now,
		private readonly earlier: number[] = [],
	) {
		this.possible = zones;
	}

	note({ messages, serviceTime }: Pick<HistoryPage, 'messages' | 'serviceTime'>): void {
		const [now, ofMachine] = [this.now(), Date.now()];
		if (serviceTime === undefined) {
			// The service's clock is right by one of ours.
			this.skews = [0, ofMachine - now];
			[this.skewOfMachine, this.drift] = [0, far];
		} else {
			this.skews = [serviceTime - now, serviceTime - ofMachine];
			[this.skewOfMachine, this.drift] = [serviceTime - ofMachine, near];
		}
		for (const { createdAt } of messages) {
			const time = readTime(createdAt);
			if (time.wallTime > this.latest.wallTime) this.latest = time;
		}
		const others = (skews: number[], from: number[]) =>
			from.filter((one) => skews.every((skew) => Math.abs(skew - one) > near));
		this.earlier.push(...others(this.earlier, this.skews));
		this.skews.push(...others(this.skews, this.earlier));
		this.end = now + Math.max(...this.skews) + far;
		const shown = readTime(this.shown?.createdAt);
		this.possible = this.zones.filter(
			(zone) =>
				this.instantsOf(this.latest, zone).length > 0 &&
				(!this.shown || this.wasNew(readInstants(shown, zone))),
		);
	}

	/** A moment on our clock, as early as it can be on the service's. */
	earliestAtService(moment: number): number {
		return moment + Math.min(...this.skews);
	}

	/**
	 * @param isOpen whether an unknown zone makes the place uncertain, as long as no response has shown the zone: the
	 * message has been sent, or may have been
	 */
	place({ createdAt }: MessageRecord, window: Window, isOpen = false): Placement {
		const time = readTime(createdAt);
		const instants = this.read(time);
		const apart = instants.map((at) => distanceOf(at, window));
		if (apart.length === 0) return 'uncertain';
		if (apart.every((ms) => ms <= near)) return 'inside';
		const isOutside = apart.every((ms) => ms > far);
		return isOutside && !(isOpen && this.canBeInAnotherZone(time, window))
			? 'outside'
			: 'uncertain';
	}

	/** Whether the page is sorted newest first, each of its records, and all are older than a moment. */
	isBefore({ messages }: Pick<HistoryPage, 'messages'>, moment: number): boolean {
		const times = messages.map(({ createdAt }) => readMoment(createdAt));
		const isSorted = times.every((time, n) => n === 0 || time <= times[n - 1] + near);
		if (!isSorted || !(times[0] > times[times.length - 1])) return false;
		if (this.isZoneOpen) return this.isOlder(times[0], moment);
		const instants = this.read(readTime(messages[0].createdAt));
		return instants.length > 0 && Math.max(...instants) < moment - far;
	}

	/** By the latest record, in any zone. */
	private isOlder(wallTime: number, moment: number): boolean {
		return this.latest.wallTime - wallTime > Math.max(this.now(), Date.now()) - moment + far;
	}

	/** A zone that is given, not guessed, is not open. */
	private get isZoneOpen(): boolean {
		return this.shown === undefined && this.zones.length > 1;
	}

	/** Zones are possible from the one in which the latest record is new. */
	private canBeInAnotherZone({ wallTime, instant }: Time, window: Window): boolean {
		if (instant !== undefined || !this.isZoneOpen) return false;
		const first = this.latest.wallTime - this.end;
		const possible = everyOffset.filter((offset) => offset >= first);
		return this.skews.some((skew) =>
			possible.some((offset) => distanceOf(wallTime - offset - skew, window) <= this.drift),
		);
	}

	private wasNew(instants: number[]): boolean {
		const at = this.shown?.at ?? 0;
		return instants.some((instant) => Math.abs(instant - this.skewOfMachine - at) <= far);
	}

	/** Without those in the future. */
	private instantsOf(time: Time, zone: string): number[] {
		return readInstants(time, zone).filter((instant) => instant <= this.end);
	}

	private read(time: Time): number[] {
		const instants = this.possible.flatMap((zone) => this.instantsOf(time, zone));
		return instants.flatMap((at) => this.skews.map((skew) => at - skew));
	}
}

/** Milliseconds between a moment and a window. */
function distanceOf(at: number, { from, to }: Window): number {
	return Math.max(from - at, at - to, 0);
}
