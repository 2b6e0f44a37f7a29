import type { ActiveFault, LoggedRequest } from '../entities';
import { reportNews, type State } from '../state';

/** Limit for the logged requests together: characters of their URLs and bodies. */
const maxBytesKept = 16_000_000;

interface Count {
	requests: number;
	inFlight: number;
	peakInFlight: number;
}

/** Request counts, faults and late acts. */
export interface Traffic {
	/** Highest request number of a stored message at the start; request numbers continue from it. */
	before: number;
	/** `bytes` of the logged requests together. */
	bytesKept: number;
	total: Count;
	byPath: Map<string, Count>;
	faults: ActiveFault[];
	/** By the ID of the late act. */
	lateActsUnderWay: Map<string, Promise<void>>;
}

/** Number of requests and peak of concurrent requests, in total and by path. */
export interface StatsReport {
	requests: number;
	peakInFlight: number;
	byPath: Record<string, { requests: number; peakInFlight: number }>;
}

export function createTraffic({ store }: State): Traffic {
	const [{ last } = {}] = store.all('SELECT max(requestNumber) AS last FROM message');
	return {
		...createCounts(),
		...{ before: Number(last ?? 0), faults: [], lateActsUnderWay: new Map() },
	};
}

function createCounts() {
	const total = { requests: 0, inFlight: 0, peakInFlight: 0 };
	return { bytesKept: 0, total, byPath: new Map<string, Count>() };
}

/** Resets the counts; faults and late acts stay. */
export function clearTraffic(traffic: Traffic): void {
	Object.assign(traffic, createCounts());
}

/** @returns a function that ends the request; further calls do nothing */
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

/** Limits the log by size too: 10,000 bulk requests would exceed memory. */
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

/** Updates a request in the log. */
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
