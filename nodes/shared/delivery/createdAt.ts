import type { Listing } from '../client/MessagingServiceClient';
import type { MessageRecord } from '../client/types';
import { serviceTimeZone } from '../validation/scheduledAt';
import { toInstant } from '../validation/timeZone';

/** A stretch of time on our clock, in milliseconds since 1970. */
export interface Window {
	from: number;
	to: number;
}

/** Where the creation of a record lies in time. What is neither is uncertain: nobody can say. */
export interface Placement {
	/** Certainly within the window, or touching it. */
	isInside: boolean;
	/** Within it in one of the zones that it can be written in. */
	canBeInside: boolean;
	/** Certainly not in it. */
	isOutside: boolean;
}

const second = 1000;
const minute = 60 * second;
/** `createdAt` and the header Date have no fractions, and both clocks drift a little. */
const near = 3 * second;
/** The clocks of a service can disagree; what is at most this far away is uncertain. */
const far = 15 * minute;

const offsets: Record<string, number> = { UTC: 0, [serviceTimeZone]: 390 * minute };

/** `YYYY-MM-DD HH:MM:SS` read as if it were UTC, in milliseconds; `undefined` when it is none. */
function readWallTime(value: unknown): number | undefined {
	const match = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})/.exec(String(value ?? ''));
	const time = match ? Date.parse(`${match[1]}T${match[2]}Z`) : NaN;
	return Number.isNaN(time) ? undefined : time;
}

function readInstant(wallTime: number, zone: string): number | undefined {
	const offset = offsets[zone];
	return offset === undefined ? (toInstant(wallTime, zone) ?? undefined) : wallTime - offset;
}

/** The zones in which a service is known to write times. @param ofCredential Service Time Zone */
export function listZones(ofCredential: string): string[] {
	return [...new Set([ofCredential, serviceTimeZone, 'UTC'])];
}

/** The one of some zones in which a record that has just been created says so; `undefined` where none does. */
export function findZone(zones: string[], createdAt: unknown): string | undefined {
	const wallTime = readWallTime(createdAt);
	if (wallTime === undefined) return undefined;
	return zones.find((zone) => Math.abs((readInstant(wallTime, zone) ?? NaN) - Date.now()) <= far);
}

/**
 * The times of one reading of history. The service writes them without a zone, and by a clock of its own: they are
 * read in the zones that are known, and corrected by the header Date of the response. A zone in which a record would
 * lie in the future is ruled out.
 */
export class ReadingTimes {
	/** How far the service's clock is ahead of ours, in milliseconds. */
	private skew = 0;
	private latest = -Infinity;

	/** @param zones in which the service can write times */
	constructor(private readonly zones: string[]) {}

	note({ messages, serviceTime }: Listing): void {
		if (serviceTime !== undefined) this.skew = serviceTime - Date.now();
		for (const { createdAt } of messages) {
			this.latest = Math.max(this.latest, readWallTime(createdAt) ?? -Infinity);
		}
	}

	place({ createdAt }: MessageRecord, { from, to }: Window): Placement {
		const apart = this.read(createdAt).map((at) => Math.max(from - at - second, at - to, 0));
		const isKnown = apart.length > 0;
		return {
			isInside: isKnown && apart.every((ms) => ms <= near),
			canBeInside: apart.some((ms) => ms <= near),
			isOutside: isKnown && apart.every((ms) => ms > far),
		};
	}

	/** Whether the page goes from newer records to older ones, all of them older than a moment. */
	isBefore({ messages }: Pick<Listing, 'messages'>, moment: number): boolean {
		const [first, last] = [messages[0], messages.at(-1)].map((one) => this.read(one?.createdAt));
		const newest = Math.max(...(first ?? []));
		return newest < moment - far && newest > Math.max(...(last ?? []));
	}

	private read(createdAt: unknown): number[] {
		const wallTime = readWallTime(createdAt);
		if (wallTime === undefined) return [];
		const end = Date.now() + this.skew + far;
		const possible = this.zones.filter((zone) => (readInstant(this.latest, zone) ?? 0) <= end);
		const instants = possible.map((zone) => readInstant(wallTime, zone));
		return instants.flatMap((at) => (at === undefined ? [] : at - this.skew));
	}
}
