import {
	anything,
	either,
	longestMs,
	mapOf,
	number,
	objectOf,
	oneOf,
	type Shape,
	text,
} from '../shape';

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
	| { redirect: Redirect }
	| { slowMs: number }
	| { echo: { status: number } };

export interface Redirect {
	location: string;
	status?: number;
}

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

/** What is below 200 would leave the client waiting for another one. */
const status = number({ min: 200, max: 599, isWhole: true });
const ms = number({ min: 0, max: longestMs });
const headerValue = text('a text that a header can have', isHeaderValue);
const headerName = (name: string) => /^[!#$%&'*+.^`|~\w-]+$/.test(name);
const times = number({ min: 0, isWhole: true });
const effect = either<FaultEffect>(
	'an effect such as "cut" or {"status": 500}',
	oneOf('cut', 'hang', 'brokenJson', 'cutBody', 'echo'),
	objectOf<{ status: number; headers?: Record<string, string>; body?: unknown }>(
		{ status, headers: mapOf(headerValue, 'a name of a header', headerName), body: anything },
		['status'],
	),
	objectOf({ redirect: objectOf<Redirect>({ location: headerValue, status }, ['location']) }, [
		'redirect',
	]),
	objectOf({ slowMs: ms }, ['slowMs']),
	objectOf({ echo: objectOf({ status }, ['status']) }, ['echo']),
);

export const faultRule: Shape<FaultRule> = objectOf<FaultRule>(
	{
		match: objectOf<NonNullable<FaultRule['match']>>(
			{ path: text(), method: text(), contains: text() },
			[],
		),
		when: oneOf('before', 'after', 'later'),
		laterMs: ms,
		effect,
		probability: number({ min: 0, max: 1 }),
		skip: times,
		count: times,
	},
	['effect'],
);

function isHeaderValue(value: string): boolean {
	return /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
}
