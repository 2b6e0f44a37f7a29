import type * as z from 'zod/v4';
import type { Controls } from './controls';
import type { SchemaName } from './schemas';

interface RouteInput<Query, Body> {
	/** Of the path's `{id}`. */
	id: string;
	query: Query;
	body: Body;
	/** Aborted when the client leaves. */
	signal: AbortSignal;
}

/** One path of the control API: what it takes, what it does, what it responds. */
export interface Route<Query = unknown, Body = unknown> {
	method: 'GET' | 'POST' | 'PUT' | 'DELETE';
	path: string;
	about: string;
	/** Values come as texts. */
	query?: z.ZodType<Query>;
	body?: z.ZodType<Body>;
	/** What the names in the body are called. */
	names?: string;
	/** What it responds; in a list of one: a list of such. */
	schema: SchemaName | [SchemaName];
	/** 200 when left out. */
	status?: 201;
	run(controls: Controls, input: RouteInput<Query, Body>): unknown;
}

/** Keeps the types of query and body together with what uses them. */
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

/** What only does something. */
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
