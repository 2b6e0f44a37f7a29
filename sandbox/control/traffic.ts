import type { ActiveFault, LoggedRequest } from '../entities';
import { reportNews, type State } from '../state';

/** Requests are kept up to so many bytes. */
const maxBytesKept = 16_000_000;

interface Count {
	requests: number;
	inFlight: number;
	peakInFlight: number;
}

/** What goes to and fro before the service and behind it. */
export interface Traffic {
	/** The number of the last request before the start: numbers go on over a restart. */
	before: number;
	/** Of the requests that are kept. */
	bytesKept: number;
	total: Count;
	byPath: Map<string, Count>;
	faults: ActiveFault[];
	/** By the id of the late act. */
	lateActsUnderWay: Map<string, Promise<void>>;
}

/** What `stats()` gives. */
export interface StatsReport {
	requests: number;
	peakInFlight: number;
	byPath: Record<string, { requests: number; peakInFlight: number }>;
}

export function createTraffic({ store }: State): Traffic {
	const { last } = store.get('SELECT max(requestNumber) AS last FROM message') ?? {};
	return {
		...createCounts(),
		...{ before: Number(last ?? 0), faults: [], lateActsUnderWay: new Map() },
	};
}

function createCounts() {
	const total = { requests: 0, inFlight: 0, peakInFlight: 0 };
	return { bytesKept: 0, total, byPath: new Map<string, Count>() };
}

/** Forgets the requests; faults stay. */
export function clearTraffic(traffic: Traffic): void {
	Object.assign(traffic, createCounts());
}

/** @returns a function that ends the request (once): it is no longer in flight */
export function beginRequest(state: State, traffic: Traffic, request: LoggedRequest): () => void {
	const { total, byPath } = traffic;
	const ofPath = byPath.get(request.path) ?? { requests: 0, inFlight: 0, peakInFlight: 0 };
	byPath.set(request.path, ofPath);
	for (const count of [total, ofPath]) {
		count.requests += 1;
		count.inFlight += 1;
		count.peakInFlight = Math.max(count.peakInFlight, count.inFlight);
	}
	request.number = traffic.before + total.requests;
	keepRequest(state, traffic, request);
	let isInFlight = true;
	return () => {
		if (!isInFlight) return;
		isInFlight = false;
		for (const count of [total, ofPath]) count.inFlight -= 1;
	};
}

/** Ten thousand sends are little, ten thousand bulk requests are more than memory holds. */
function keepRequest(
	{ requests, settings }: State,
	traffic: Traffic,
	request: LoggedRequest,
): void {
	requests.insert(request, settings.maxRequestsKept);
	traffic.bytesKept += request.bytes;
	if (traffic.bytesKept <= maxBytesKept) return;
	requests.keepNewest(Math.floor(requests.count() * 0.9));
	traffic.bytesKept = requests.sum('bytes');
}

/** Logs what is known of a request by now. */
export function noteRequest(
	state: State,
	request: LoggedRequest,
	changes: Partial<LoggedRequest>,
): void {
	Object.assign(request, changes);
	state.requests.update(request, ...Object.keys(changes));
	reportNews(state);
}

export function reportStats({ total, byPath }: Traffic): StatsReport {
	const ofPaths = [...byPath].map(([path, { requests, peakInFlight }]) => [
		path,
		{ requests, peakInFlight },
	]);
	const { requests, peakInFlight } = total;
	return { requests, peakInFlight, byPath: Object.fromEntries(ofPaths) };
}
