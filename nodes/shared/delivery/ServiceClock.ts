import { isRecord } from '../client/json';
import type { MessageRecord } from '../client/types';

export interface Window {
	/** Milliseconds since 1970 on our clock. */
	from: number;
	to: number;
}

/** Where the creation of a record lies in time: in the window, not in it, or nobody can say. */
export type Placement = 'inside' | 'outside' | 'unclear';

const second = 1000;
const minute = 60 * second;

/** `createdAt` has no fractions, and the two clocks may drift a little while a workflow runs. */
const tolerance = 3 * second;
/** Without any sign of the service's clock, the two clocks are taken to agree this far. */
const toleranceOfUnknownClock = 2 * minute;
/** The time zones that the service is known to write times in: UTC, and GMT+6:30 ("Events"). */
const likelyZones = [0, 390 * minute];
/** Every zone on earth is a multiple of 15 minutes. */
const allZones = Array.from({ length: (26 * 60) / 15 + 1 }, (_, i) => (i * 15 - 12 * 60) * minute);

/** `YYYY-MM-DD HH:MM:SS` read as if it were UTC, in milliseconds; `undefined` when it is none. */
export function readServiceTime(value: unknown): number | undefined {
	const match = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})/.exec(String(value ?? ''));
	const time = match ? Date.parse(`${match[1]}T${match[2]}Z`) : NaN;
	return Number.isNaN(time) ? undefined : time;
}

/**
 * Puts the service's `createdAt`, which comes without a time zone and from another clock, onto our clock. Every
 * accepted message teaches the difference: it was created between our request and its answer.
 */
export class ServiceClock {
	private lowest = -Infinity;
	private highest = Infinity;
	private headerSkew: number | undefined;

	learnFromRecord(record: MessageRecord, sentAt: number, answeredAt: number): void {
		const created = isRecord(record) ? readServiceTime(record.createdAt) : undefined;
		if (created === undefined) return;
		this.lowest = Math.max(this.lowest, created - answeredAt);
		this.highest = Math.min(this.highest, created + second - sentAt);
	}

	/** @param serviceTime the header Date, in milliseconds since 1970 */
	learnFromHeader(serviceTime: number | undefined, at: number): void {
		if (serviceTime !== undefined) this.headerSkew = serviceTime - at;
	}

	place(createdAt: unknown, window: Window): Placement {
		const created = readServiceTime(createdAt);
		if (created === undefined) return 'unclear';
		return this.hasLearnt()
			? this.placeByRecords(created, window)
			: this.placeByZone(created, window);
	}

	private hasLearnt(): boolean {
		return Number.isFinite(this.lowest) && Number.isFinite(this.highest);
	}

	private placeByRecords(created: number, window: Window): Placement {
		// Records that contradict each other: the times of this service say nothing.
		if (this.lowest > this.highest + tolerance) return 'unclear';
		const earliest = created - this.highest - tolerance;
		const latest = created + second - this.lowest + tolerance;
		return latest >= window.from && earliest <= window.to ? 'inside' : 'outside';
	}

	private placeByZone(created: number, window: Window): Placement {
		const slack = this.headerSkew === undefined ? toleranceOfUnknownClock : tolerance;
		const isInside = (zone: number) => {
			const time = created - zone - (this.headerSkew ?? 0);
			return time >= window.from - slack && time <= window.to + slack;
		};
		if (likelyZones.some(isInside)) return 'inside';
		return allZones.some(isInside) ? 'unclear' : 'outside';
	}
}
