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

/** Milliseconds between a stretch of time and the window; 0 when they touch. */
function distance(earliest: number, latest: number, { from, to }: Window): number {
	return Math.max(from - latest, earliest - to, 0);
}

function judge(apart: number, near: number, far: number): Placement {
	if (apart <= near) return 'inside';
	return apart <= far ? 'unclear' : 'outside';
}

/** Bounds of what the service's `createdAt` is ahead of our clock, zone included, in milliseconds. */
interface Range {
	low: number;
	high: number;
}

const anything: Range = { low: -Infinity, high: Infinity };
const nothing: Range = { low: Infinity, high: -Infinity };

/** Clocks are set, and zones have summer times: what was learnt longer ago is learnt again. */
const learnAnewAfter = 60 * minute;

/**
 * Puts the service's `createdAt`, which comes without a time zone and from another clock, onto our clock. Every
 * accepted message teaches the difference: it was created between our request and its answer.
 */
export class ServiceClock {
	/** What all records agree on, and what holds for at least one of them. */
	private shared = anything;
	private widest = nothing;
	private firstLearntAt = 0;
	private headerSkew: number | undefined;

	learnFromRecord(record: MessageRecord, sentAt: number, answeredAt: number): void {
		const created = isRecord(record) ? readServiceTime(record.createdAt) : undefined;
		if (created === undefined) return;
		const low = created - answeredAt;
		const high = created + second - sentAt;
		const isFarOff = low > this.widest.high + widestRange || high < this.widest.low - widestRange;
		if (isFarOff || answeredAt > this.firstLearntAt + learnAnewAfter) {
			this.shared = anything;
			this.widest = nothing;
			this.firstLearntAt = answeredAt;
		}
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
		const range = this.learntRange();
		if (!range) return this.placeByZone(created, window);
		if (range.high - range.low > widestRange) return 'unclear';
		const apart = distance(created - range.high, created + second - range.low, window);
		return judge(apart, tolerance.ofRecords, doubt.ofRecords);
	}

	/** True when a record is older than this moment, whatever the service's clock and time zone are. */
	isBefore(createdAt: unknown, moment: number): boolean {
		const created = readServiceTime(createdAt);
		if (created === undefined) return false;
		const range = this.learntRange();
		return range
			? created + second - range.low < moment - doubt.ofRecords
			: created - allZones[0] - (this.headerSkew ?? 0) < moment - doubt.ofHeader;
	}

	private learntRange(): Range | undefined {
		const { shared, widest } = this;
		if (!Number.isFinite(shared.low)) return undefined;
		// Records contradict each other where the service has several machines whose clocks differ.
		return shared.low <= shared.high ? shared : widest;
	}

	private placeByZone(created: number, window: Window): Placement {
		const apartIn = (zone: number) => {
			const time = created - zone - (this.headerSkew ?? 0);
			return distance(time, time + second, window);
		};
		const { ofHeader } = tolerance;
		if (likelyZones.some((zone) => apartIn(zone) <= ofHeader)) return 'inside';
		return allZones.some((zone) => apartIn(zone) <= doubt.ofHeader) ? 'unclear' : 'outside';
	}
}
