import { keepNewest, type State } from '../state';

/** A request that reached a path of the service, with what became of it. Holds credentials. */
export interface LoggedRequest {
	/** Milliseconds since 1970 (UTC), the machine's clock. */
	at: number;
	method: string;
	/** rest, otp or http; empty for any other path. */
	surface: string;
	/** As it came, without the query: /api/rest/send */
	path: string;
	/** Decoded; of a repeated parameter the last one. */
	query: Record<string, string>;
	/** As it came, without the question mark. */
	rawQuery: string;
	/** Names in lower case. */
	headers: Record<string, string>;
	/** Parsed when it is JSON, else the text as it came. */
	body: unknown;
	ipAddress: string;
	/** `open` while under way; `cut` and `hung` by a fault; `gone` when the client left first. */
	statusAnswered: number | 'open' | 'cut' | 'hung' | 'gone';
	/** What the service made of it when it acted later (`when: 'later'`). */
	statusOfLateAct?: number;
	/** The fault that hit it, in words. */
	fault?: string;
}

interface Traffic {
	requests: number;
	inFlight: number;
	peakInFlight: number;
}

export interface RequestStats extends Traffic {
	byPath: Map<string, Traffic>;
}

/** What `stats()` gives. */
export interface StatsReport {
	requests: number;
	peakInFlight: number;
	byPath: Record<string, { requests: number; peakInFlight: number }>;
}

/** @returns a function that ends the request (once): it is no longer in flight */
export function beginRequest(state: State, request: LoggedRequest): () => void {
	state.requests.push(request);
	keepNewest(state.requests, state.settings.maxRequestsKept);
	const { stats } = state;
	const ofPath = stats.byPath.get(request.path) ?? { requests: 0, inFlight: 0, peakInFlight: 0 };
	stats.byPath.set(request.path, ofPath);
	for (const traffic of [stats, ofPath]) {
		traffic.requests++;
		traffic.inFlight++;
		traffic.peakInFlight = Math.max(traffic.peakInFlight, traffic.inFlight);
	}
	let isInFlight = true;
	return () => {
		if (!isInFlight) return;
		isInFlight = false;
		for (const traffic of [stats, ofPath]) traffic.inFlight--;
	};
}

export function reportStats({ stats }: State): StatsReport {
	const byPath = [...stats.byPath].map(([path, { requests, peakInFlight }]) => [
		path,
		{ requests, peakInFlight },
	]);
	const { requests, peakInFlight } = stats;
	return { requests, peakInFlight, byPath: Object.fromEntries(byPath) };
}
