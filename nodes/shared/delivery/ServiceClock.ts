import { isRecord } from '../client/json';
import type { MessageRecord } from '../client/types';

export interface Window {
	/** Milliseconds since 1970 on our clock. */
	from: number;
	to: number;
}

/** Where the creation of a record lies in time, seen from a window; `unclear` when nobody can say. */
export type Placement = 'before' | 'inside' | 'after' | 'unclear';

const second = 1000;
const minute = 60 * second;

/** `createdAt` has no fractions, and the two clocks may drift a little while a workflow runs. */
const tolerance = { ofRecords: second, ofHeader: 3 * second };
/** So far outside a record counts neither as inside nor as certainly outside. */
const doubt = { ofRecords: 10 * second, ofHeader: 2 * minute };
/** When the times of records contradict each other by more than this, they say nothing. */
const widestRange = minute;
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

/** Milliseconds by which a stretch of time lies before the window (negative) or after it; 0 when they touch. */
function distance(earliest: number, latest: number, { from, to }: Window): number {
	if (latest < from) return latest - from;
	return earliest > to ? earliest - to : 0;
}

function judge(apart: number, near: number, far: number): Placement {
	if (Math.abs(apart) <= near) return 'inside';
	if (Math.abs(apart) <= far) return 'unclear';
	return apart < 0 ? 'before' : 'after';
}

/** Bounds of what the service's `createdAt` is ahead of our clock, zone included, in milliseconds. */
interface Range {
	low: number;
	high: number;
}

/**
 * Puts the service's `createdAt`, which comes without a time zone and from another clock, onto our clock. Every
 * accepted message teaches the difference: it was created between our request and its answer.
 */
export class ServiceClock {
	/** What all records agree on, and what holds for at least one of them. */
	private shared: Range = { low: -Infinity, high: Infinity };
	private widest: Range = { low: Infinity, high: -Infinity };
	private headerSkew: number | undefined;

	learnFromRecord(record: MessageRecord, sentAt: number, answeredAt: number): void {
		const created = isRecord(record) ? readServiceTime(record.createdAt) : undefined;
		if (created === undefined) return;
		const low = created - answeredAt;
		const high = created + second - sentAt;
		const { shared, widest } = this;
		this.shared = { low: Math.max(shared.low, low), high: Math.min(shared.high, high) };
		this.widest = { low: Math.min(widest.low, low), high: Math.max(widest.high, high) };
	}

	/** @param serviceTime the header Date, in milliseconds since 1970 */
	learnFromHeader(serviceTime: number | undefined, at: number): void {
		if (serviceTime !== undefined) this.headerSkew = serviceTime - at;
	}

	place(createdAt: unknown, window: Window): Placement {
		const created = readServiceTime(createdAt);
		if (created === undefined) return 'unclear';
		return Number.isFinite(this.shared.low)
			? this.placeByRecords(created, window)
			: this.placeByZone(created, window);
	}

	private placeByRecords(created: number, window: Window): Placement {
		const { shared, widest } = this;
		// Records contradict each other where the service has several machines whose clocks differ.
		const { low, high } = shared.low <= shared.high ? shared : widest;
		if (shared.low > shared.high && high - low > widestRange) return 'unclear';
		const apart = distance(created - high, created + second - low, window);
		return judge(apart, tolerance.ofRecords, doubt.ofRecords);
	}

	private placeByZone(created: number, window: Window): Placement {
		const apartIn = (zone: number) => {
			const time = created - zone - (this.headerSkew ?? 0);
			return distance(time, time + second, window);
		};
		const isNear = (zone: number) => Math.abs(apartIn(zone)) <= tolerance.ofHeader;
		if (likelyZones.some(isNear)) return 'inside';
		const nearest = allZones.map(apartIn).reduce((a, b) => (Math.abs(b) < Math.abs(a) ? b : a));
		if (Math.abs(nearest) <= doubt.ofHeader) return 'unclear';
		// Only what no zone can bring into the window lies outside of it for certain.
		const all = allZones.map(apartIn);
		if (all.every((apart) => apart < 0)) return 'before';
		return all.every((apart) => apart > 0) ? 'after' : 'before';
	}
}
