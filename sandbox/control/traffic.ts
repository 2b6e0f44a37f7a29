import type { ServiceRequest } from '../entities';
import { keepNewest, reportChange, type State } from '../state';
import type { FaultRule } from './faultRule';

/** What is read of a request takes some three times the room. */
const maxBytesKept = 16_000_000;

/** A request that reached a path of the service, with what became of it. Holds credentials. */
export interface LoggedRequest extends ServiceRequest {
	/** Milliseconds since 1970 (UTC), the machine's clock. */
	at: number;
	/** The same by the sandbox's clock. */
	clockMs: number;
	/** rest, otp or http; empty for any other path. */
	surface: string;
	/** As it came, without the question mark. */
	rawQuery: string;
	/** Length of its URL and body. */
	bytes: number;
	/** `open` while under way; `cut` and `hung` by a fault; `gone` when the client left first. */
	statusAnswered: number | 'open' | 'cut' | 'hung' | 'gone';
	/** The beginning of what was answered to it, as it was written. */
	answer?: string;
	/** Why the service refused it, for people. */
	reason?: string;
	/** What the service ignored in it. */
	notes?: string[];
	/** What the service made of it when it acted later (`when: 'later'`). */
	statusOfLateAct?: number;
	/** The fault that hit it, in words. */
	fault?: string;
}

export interface ActiveFault {
	rule: FaultRule;
	seen: number;
	hits: number;
}

interface Count {
	requests: number;
	inFlight: number;
	peakInFlight: number;
}

/** What goes to and fro before the service and behind it. */
export interface Traffic {
	requests: LoggedRequest[];
	/** Of the requests that are kept. */
	bytesKept: number;
	total: Count;
	byPath: Map<string, Count>;
	faults: ActiveFault[];
	lateActsUnderWay: Set<Promise<void>>;
}

/** What `stats()` gives. */
export interface StatsReport {
	requests: number;
	peakInFlight: number;
	byPath: Record<string, { requests: number; peakInFlight: number }>;
}

export function createTraffic(): Traffic {
	return {
		requests: [],
		bytesKept: 0,
		total: { requests: 0, inFlight: 0, peakInFlight: 0 },
		byPath: new Map(),
		faults: [],
		lateActsUnderWay: new Set(),
	};
}

export function resetTraffic(traffic: Traffic): void {
	Object.assign(traffic, createTraffic());
}

/** Forgets the requests; faults stay. */
export function clearTraffic(traffic: Traffic): void {
	const { requests, bytesKept, total, byPath } = createTraffic();
	Object.assign(traffic, { requests, bytesKept, total, byPath });
}

/** @returns a function that ends the request (once): it is no longer in flight */
export function beginRequest(state: State, traffic: Traffic, request: LoggedRequest): () => void {
	keepRequest(traffic, request, state.settings.maxRequestsKept);
	const { total, byPath } = traffic;
	const ofPath = byPath.get(request.path) ?? { requests: 0, inFlight: 0, peakInFlight: 0 };
	byPath.set(request.path, ofPath);
	for (const count of [total, ofPath]) {
		count.requests += 1;
		count.inFlight += 1;
		count.peakInFlight = Math.max(count.peakInFlight, count.inFlight);
	}
	request.number = total.requests;
	let isInFlight = true;
	return () => {
		if (!isInFlight) return;
		isInFlight = false;
		for (const count of [total, ofPath]) count.inFlight -= 1;
		reportChange(state, { kind: 'request' });
	};
}

/** Ten thousand sends are little, ten thousand bulk requests are more than memory holds. */
function keepRequest(traffic: Traffic, request: LoggedRequest, max: number): void {
	const { requests } = traffic;
	requests.push(request);
	traffic.bytesKept += request.bytes;
	const isTooMuch = traffic.bytesKept > maxBytesKept;
	const dropped = isTooMuch
		? requests.splice(0, Math.ceil(requests.length / 10))
		: keepNewest(requests, max);
	for (const { bytes } of dropped) traffic.bytesKept -= bytes;
}

export function reportStats({ total, byPath }: Traffic): StatsReport {
	const ofPaths = [...byPath].map(([path, { requests, peakInFlight }]) => [
		path,
		{ requests, peakInFlight },
	]);
	const { requests, peakInFlight } = total;
	return { requests, peakInFlight, byPath: Object.fromEntries(ofPaths) };
}
