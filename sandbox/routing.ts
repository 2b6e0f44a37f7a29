import { answerError, answerJson } from './service/endpoints';
import { buildErrorBody, Refusal } from './service/refusal';
import { NotFound, WrongValue } from './shapes';

/** A request, after the guard. */
export interface Received {
	method: string;
	/** Decoded once. */
	path: string;
	/** As received, without the question mark. */
	query: string;
	body: string;
}

/** A request to a path of the sandbox's own. */
export interface Call extends Received {
	/** Aborted when the client disconnects. */
	signal: AbortSignal;
}

export interface Reply {
	status: number;
	headers: Record<string, string>;
	body: string;
}

/** A path of the sandbox's own, for one method. */
export interface Route {
	method: string;
	path: string;
	/** @param id the part of the path that is `{id}` in the route */
	answer: (call: Call, id: string) => Reply | Promise<Reply>;
}

export async function answerOwn(routes: Route[], call: Call): Promise<Reply> {
	try {
		const match = ({ path }: Route) =>
			new RegExp(`^${path.replace('{id}', '([^/]+)')}/?$`).exec(call.path);
		const known = routes.filter(match);
		const route = known.find(({ method }) => method === call.method.replace('HEAD', 'GET'));
		if (route) return await route.answer(call, match(route)?.[1] ?? '');
		throw refusePath(call.path, known);
	} catch (error) {
		const status = error instanceof WrongValue ? 400 : error instanceof NotFound ? 404 : undefined;
		if (status === undefined) return answerError(error);
		return answerJson(status, buildErrorBody(status, (error as Error).message));
	}
}

function refusePath(path: string, known: Route[]): Refusal {
	const methods = known.map(({ method }) => method);
	const unknown = `The sandbox has no path ${path}. The Base URL of the service ends with /api; the inbox is at /_sandbox.`;
	if (methods.length === 0) return new Refusal(404, unknown);
	const message = `This path accepts ${methods.join(' and ')} only.`;
	return new Refusal(405, message, message, { Allow: methods.join(', ') });
}
