import type { ActiveFault, LoggedRequest } from '../entities';
import { isEndpoint } from '../service/endpoints';
import type { State } from '../state';

/** Limit for the logged requests together: characters of their URLs, headers and bodies. */
const maxBytesKept = 16_000_000;

interface Count {
	requests: number;
	inFlight: number;
	peakInFlight: number;
}

/** Request counts, faults and late acts. */
export interface Traffic {
	/** `bytes` of the logged requests together. */
	bytesKept: number;
	total: Count;
	byPath: Map<string, Count>;
	faults: ActiveFault[];
	/** By the ID of the late act. */
	lateActsUnderWay: Map<string, Promise<void>>;
}

type Peak = Pick<Count, 'requests' | 'peakInFlight'>;
/** Number of requests and peak of concurrent requests, in total and by path; `other`: not of the service. */
export type StatsReport = Peak & { byPath: Record<string, Peak> };

export function createTraffic(): Traffic {
	return { ...newCounts(), faults: [], lateActsUnderWay: new Map() };
}

const newCount = (): Count => ({ requests: 0, inFlight: 0, peakInFlight: 0 });
const newCounts = () => ({ bytesKept: 0, total: newCount(), byPath: new Map<string, Count>() });

/** Resets the counts; faults and late acts stay. */
export function clearTraffic(traffic: Traffic): void {
	Object.assign(traffic, newCounts());
}

/** @returns a function that ends the request; further calls do nothing */
export function beginRequest(state: State, traffic: Traffic, request: LoggedRequest): () => void {
	const { total, byPath } = traffic;
	const path = isEndpoint(request.path) ? request.path : 'other';
	const ofPath = byPath.get(path) ?? newCount();
	byPath.set(path, ofPath);
	for (const count of [total, ofPath]) {
		count.requests += 1;
		count.inFlight += 1;
		count.peakInFlight = Math.max(count.peakInFlight, count.inFlight);
	}
	request.number = total.requests;
	keepRequest(state, traffic, request);
	let counts = [total, ofPath];
	return () => {
		for (const count of counts) count.inFlight -= 1;
		counts = [];
	};
}

/** Limits the log by size too: 10,000 bulk requests would exceed memory. */
function keepRequest(state: State, traffic: Traffic, request: LoggedRequest): void {
	const { requests, settings } = state;
	requests.insert(request, settings.maxRequestsKept);
	traffic.bytesKept += request.bytes;
	if (traffic.bytesKept <= maxBytesKept) return;
	requests.keepNewest(Math.floor(requests.size * 0.9));
	traffic.bytesKept = requests.list().reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Updates a request in the log. */
export function noteRequest<R extends LoggedRequest>(
	state: State,
	request: R,
	changes: Partial<R>,
) {
	Object.assign(request, changes);
	state.requests.noteChange();
}

export function reportStats({ total, byPath }: Traffic): StatsReport {
	const report = ({ requests, peakInFlight }: Count) => ({ requests, peakInFlight });
	const ofPaths = [...byPath].map(([path, count]) => [path, report(count)]);
	return { ...report(total), byPath: Object.fromEntries(ofPaths) };
}
