import type { Listing } from '../client/MessagingServiceClient';
import type { MessageRecord } from '../client/types';
import { serviceTimeZone } from '../validation/scheduledAt';
import { toInstant } from '../validation/timeZone';
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

const second = 1000;
const minute = 60 * second;
/** `createdAt` and the Date header have no fractions of a second, and both clocks drift. */
const near = 3 * second;
/** A service's clocks can disagree: up to this distance, a time is uncertain. */
const far = 15 * minute;

const offsets: Record<string, number> = { UTC: 0, [serviceTimeZone]: 390 * minute };

/** Reads `YYYY-MM-DD HH:MM:SS` as UTC, in milliseconds since 1970; `undefined` for anything else. */
export function readWallTime(value: unknown): number | undefined {
	const match = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})/.exec(String(value ?? ''));
	const time = match ? Date.parse(`${match[1]}T${match[2]}Z`) : NaN;
	return Number.isNaN(time) ? undefined : time;
}

function readInstant(wallTime: number, zone: string): number | undefined {
	const offset = offsets[zone];
	return offset === undefined ? (toInstant(wallTime, zone) ?? undefined) : wallTime - offset;
}

/** Time zones in which services are known to write times. @param ofCredential Service Time Zone */
export function listZones(ofCredential: string): string[] {
	return [...new Set([ofCredential, serviceTimeZone, 'UTC'])];
}

/** The `createdAt` of a record, and when it was new, in milliseconds since 1970. */
export interface Shown {
	createdAt: unknown;
	at: number;
}

/**
 * The times in one lookup. The service writes them without a time zone and by its own clock: they are read in all
 * known zones and corrected by the Date header of the response. A zone that puts a record in the future is ruled out,
 * and so is one that does not fit a record that was new when a response of this run showed it.
 */
export class ReadingTimes {
	/** How far the service's clock, or else the machine's, is ahead of ours, in milliseconds. */
	private skew = 0;
	private latest = -Infinity;

	/** Those that are not ruled out; none if the times fit none. */
	private possible: string[];

	/** @param zones in which the service may write times */
	constructor(
		private readonly zones: string[],
		private readonly shown?: Shown,
		private readonly now: Now = Date.now,
	) {
		this.possible = zones;
	}

	note({ messages, serviceTime }: Listing): void {
		const now = this.now();
		this.skew = (serviceTime ?? Date.now()) - now;
		for (const { createdAt } of messages) {
			this.latest = Math.max(this.latest, readWallTime(createdAt) ?? -Infinity);
		}
		const end = now + this.skew + far;
		const wallTime = readWallTime(this.shown?.createdAt);
		const wasNewAt = (this.shown?.at ?? 0) + this.skew;
		this.possible = this.zones.filter(
			(zone) =>
				(readInstant(this.latest, zone) ?? 0) <= end &&
				(wallTime === undefined ||
					Math.abs((readInstant(wallTime, zone) ?? NaN) - wasNewAt) <= far),
		);
	}

	place({ createdAt }: MessageRecord, { from, to }: Window): Placement {
		const apart = this.read(createdAt).map((at) => Math.max(from - at - second, at - to, 0));
		if (apart.length === 0) return 'uncertain';
		if (apart.every((ms) => ms <= near)) return 'inside';
		return apart.every((ms) => ms > far) ? 'outside' : 'uncertain';
	}

	/** Whether the page is sorted newest first and all its records are older than a moment. */
	isBefore({ messages }: Pick<Listing, 'messages'>, moment: number): boolean {
		const [first, last] = [messages[0], messages.at(-1)].map((one) => this.read(one?.createdAt));
		const newest = Math.max(...(first ?? []));
		return newest < moment - far && newest > Math.max(...(last ?? []));
	}

	private read(createdAt: unknown): number[] {
		const wallTime = readWallTime(createdAt);
		if (wallTime === undefined) return [];
		const instants = this.possible.map((zone) => readInstant(wallTime, zone));
		return instants.flatMap((at) => (at === undefined ? [] : at - this.skew));
	}
}
