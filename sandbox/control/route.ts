import type * as z from 'zod/v4';
import type { Controls } from './controls';
import type { ResponseName } from './responses';

interface RouteInput<Query, Body> {
	/** Value of `{id}` in the path. */
	id: string;
	query: Query;
	body: Body;
	/** Aborted when the client disconnects. */
	signal: AbortSignal;
}

/** One operation of the control API. */
export interface Route<Query = unknown, Body = unknown> {
	method: 'GET' | 'POST' | 'PUT' | 'DELETE';
	path: string;
	about: string;
	/** All values are strings. */
	query?: z.ZodType<Query>;
	body?: z.ZodType<Body>;
	/** Plural noun for the names in the body, for error messages. */
	names?: string;
	/** Schema of the response; `[name]` for a list. */
	schema: ResponseName | [ResponseName];
	/** Default 200. */
	status?: 201;
	run(controls: Controls, input: RouteInput<Query, Body>): unknown;
}

/** Types `run` by the route's own query and body. */
export function route<Query = object, Body = undefined>(one: Route<Query, Body>): Route {
	return one as Route;
}

export function get(
	path: string,
	about: string,
	schema: Route['schema'],
	run: (controls: Controls) => unknown,
): Route {
	return { method: 'GET', path, about, schema, run };
}

/** A POST route that responds only that it is done. */
export function act<Body = undefined>(
	path: string,
	about: string,
	run: (controls: Controls, input: RouteInput<object, Body>) => unknown,
	{ body, status }: { body?: z.ZodType<Body>; status?: 201 } = {},
): Route {
	const runAndSay: Route<object, Body>['run'] = async (controls, input) => {
		await run(controls, input);
		return { done: true };
	};
	return route({
		...{ method: 'POST', path, about, schema: 'Done', run: runAndSay },
		...{ ...(body && { body }), ...(status && { status }) },
	});
}
