import type { State } from '../state';
import type { LoggedRequest } from './requestLog';

/**
 * - `cut`: the connection is destroyed without an answer
 * - `hang`: never an answer; the connection stays open until the client leaves
 * - `brokenJson`: the JSON ends in the middle
 * - `cutBody`: the connection is destroyed in the middle of the body
 * - `status`: this status, with `headers` and `body` (a string as it is, anything else as JSON; the
 *   service's error body when left out)
 * - `redirect`: a 302, or its `status`, to `location`
 * - `slowMs`: the real answer, so much later
 * - `echo`: an error body (500, or its `status`) that repeats the request: URL with accessToken, headers,
 *   body
 */
export type FaultEffect =
	| 'cut'
	| 'hang'
	| 'brokenJson'
	| 'cutBody'
	| 'echo'
	| { status: number; headers?: Record<string, string>; body?: unknown }
	| { redirect: { location: string; status?: number } }
	| { slowMs: number }
	| { echo: { status: number } };

export interface FaultRule {
	/** Everything when left out. */
	match?: {
		/** With or without /api; exact, or a prefix when it ends in `*`. */
		path?: string;
		method?: string;
		/** Text in the decoded query or the body. */
		contains?: string;
	};
	/**
	 * `before` (default): the service does nothing. `after`: it acts, and the answer is lost. `later`: the
	 * effect comes at once, and the service acts `laterMs` after the request came.
	 */
	when?: 'before' | 'after' | 'later';
	/** With `later`, and only with it: milliseconds of the sandbox's clock. */
	laterMs?: number;
	effect: FaultEffect;
	/** 0 to 1, drawn from the seeded generator; 1 when left out. */
	probability?: number;
	/** Let this many matching requests pass first. */
	skip?: number;
	/** Fail so many, then recover; for ever when left out. */
	count?: number;
}

export interface ActiveFault {
	rule: FaultRule;
	seen: number;
	hits: number;
}

const EFFECT_WORDS = ['cut', 'hang', 'brokenJson', 'cutBody', 'echo'];
const EFFECT_KEYS = ['status', 'redirect', 'slowMs', 'echo'];

/** @throws Error when the rule is none that `FaultRule` describes */
export function addFault(state: State, rule: FaultRule): void {
	const { effect } = rule;
	const isKnown =
		typeof effect === 'string'
			? EFFECT_WORDS.includes(effect)
			: EFFECT_KEYS.some((key) => key in Object(effect));
	if (!isKnown) throw new Error(`A fault cannot have the effect ${JSON.stringify(effect)}.`);
	checkTime(rule);
	state.faults.push({ rule, seen: 0, hits: 0 });
}

function checkTime({ when = 'before', laterMs, effect }: FaultRule): void {
	if (!['before', 'after', 'later'].includes(when)) {
		throw new Error(`when must be before, after or later, not ${JSON.stringify(when)}.`);
	}
	if ((when === 'later') !== (laterMs !== undefined)) {
		throw new Error("when: 'later' and laterMs go together: one needs the other.");
	}
	if (laterMs === undefined) return;
	if (!Number.isFinite(laterMs) || laterMs < 0) {
		throw new Error('laterMs must be a number of milliseconds from 0.');
	}
	if (typeof effect === 'object' && 'slowMs' in effect) {
		throw new Error("slowMs gives the real answer, which when: 'later' does not have.");
	}
}

/** The first rule that matches and fires; rules are tried in the order they were added. */
export function pickFault(state: State, request: LoggedRequest): FaultRule | undefined {
	return state.faults.find((fault) => doesFire(state, fault, request))?.rule;
}

function doesFire(state: State, fault: ActiveFault, request: LoggedRequest): boolean {
	const { rule } = fault;
	if (!doesMatch(rule, request)) return false;
	if (fault.seen++ < (rule.skip ?? 0)) return false;
	if (fault.hits >= (rule.count ?? Infinity)) return false;
	if (state.random() >= (rule.probability ?? 1)) return false;
	fault.hits++;
	return true;
}

function doesMatch({ match = {} }: FaultRule, request: LoggedRequest): boolean {
	const { path, method, contains } = match;
	return (
		(path === undefined || doesPathMatch(path, request.path)) &&
		(method === undefined || method.toUpperCase() === request.method) &&
		(contains === undefined || readContent(request).includes(JSON.stringify(contains).slice(1, -1)))
	);
}

function doesPathMatch(wanted: string, path: string): boolean {
	const full = wanted.startsWith('/api') ? wanted : `/api${wanted}`;
	return full.endsWith('*') ? path.startsWith(full.slice(0, -1)) : path === full;
}

function readContent({ query, body }: LoggedRequest): string {
	return JSON.stringify([Object.values(query), body]);
}

export function describeFault({ when = 'before', laterMs, effect }: FaultRule): string {
	const time = laterMs === undefined ? when : `${laterMs} ms later`;
	return `${time}: ${typeof effect === 'string' ? effect : JSON.stringify(effect)}`;
}
