import type { Shape } from '../shape';
import type { Controls } from './controls';
import type { SchemaName } from './schemas';

export interface RouteInput<Q, B> {
	/** Of the path's `{id}`. */
	id: string;
	query: Q;
	body: B;
	/** Aborted when the client leaves. */
	signal: AbortSignal;
}

/** One path of the control API: what it takes, what it does, what it answers in words. */
export interface Route<Q = unknown, B = unknown> {
	method: 'GET' | 'POST' | 'PUT' | 'DELETE';
	path: string;
	about: string;
	/** Values come as texts. */
	query?: Shape<Q>;
	body?: Shape<B>;
	answers: string;
	/** What it answers; in a list of one: a list of such. */
	schema: SchemaName | [SchemaName];
	/** 200 when left out. */
	status?: 201;
	run(controls: Controls, input: RouteInput<Q, B>): unknown;
}

/** Keeps the types of query and body together with what uses them. */
export function route<Q = object, B = undefined>(one: Route<Q, B>): Route {
	return one as Route;
}
