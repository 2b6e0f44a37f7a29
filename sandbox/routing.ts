import { answerError as answerServiceError, answerJson } from './service/endpoints';
import { buildErrorBody, Refusal } from './service/refusal';
import { NotFound, WrongValue } from './shapes';

/** A request to a path of the sandbox's own. */
export interface Call {
	method: string;
	/** Decoded once. */
	path: string;
	/** The part of the path that is `{id}` in the route. */
	id: string;
	query: URLSearchParams;
	body: string;
	/** Aborted when the client disconnects. */
	signal: AbortSignal;
}

export interface Reply {
	status: number;
	headers: Record<string, string>;
	/** In pieces, other requests are handled in between. */
	body: string | AsyncIterable<string>;
}

/** A path of the sandbox's own, for one method. */
export interface Route {
	method: string;
	path: string;
	answer: (call: Call) => Reply | Promise<Reply>;
}

export type Router = (call: Omit<Call, 'id'>) => Promise<Reply>;

export function createRouter(routes: Route[]): Router {
	const patterns = routes.map((route) => ({
		route,
		pattern: new RegExp(`^${route.path.replace('{id}', '([^/]+)')}/?$`),
	}));
	const find = (method: string, path: string) => {
		const atPath = patterns.filter(({ pattern }) => pattern.test(path));
		const known = atPath.map(({ route }) => route.method);
		if (known.length === 0) {
			throw new Refusal(
				404,
				`The sandbox has no path ${path}. The Base URL of the service ends with /api; the inbox is at /_sandbox.`,
			);
		}
		const [found] = atPath.filter(({ route }) => route.method === method);
		if (found) return { route: found.route, id: found.pattern.exec(path)?.[1] ?? '' };
		const message = `This path accepts ${known.join(' and ')} only.`;
		throw new Refusal(405, message, message, { Allow: known.join(', ') });
	};
	return async (call) => {
		try {
			const { route, id } = find(call.method === 'HEAD' ? 'GET' : call.method, call.path);
			return await route.answer({ ...call, id });
		} catch (error) {
			return answerError(error);
		}
	};
}

function answerError(error: unknown): Reply {
	const status = error instanceof WrongValue ? 400 : error instanceof NotFound ? 404 : undefined;
	if (status === undefined) return answerServiceError(error);
	return answerJson(status, buildErrorBody(status, (error as Error).message));
}
