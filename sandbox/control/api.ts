import { type Context, Hono } from 'hono';
import { stream } from 'hono/streaming';
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as z from 'zod/v4';
import { buildErrorBody } from '../service/refusal';
import { listRepeated, NotFound, parseJson, read, WrongValue } from '../shapes';
import { Unwritable } from '../store/Store';
import type { Controls } from './controls';
import { describeRoutes } from './openApi';
import { type Route, routes } from './routes';

/** The control API: JSON for tests and tools in another process. Not authenticated: `guard.ts` protects it. */
export function createControlApp(controls: Controls): Hono {
	const app = new Hono();
	const methods = new Map<string, string[]>();
	for (const route of routes) {
		const path = route.path.replace('{id}', ':id');
		app.on(route.method, path, (context) => answer(context, route, controls));
		methods.set(path, [...(methods.get(path) ?? []), route.method]);
	}
	app.get('/openapi.json', (context) => context.json(describeRoutes()));
	for (const [path, known] of methods) {
		app.all(path, (context) => {
			context.header('Allow', known.join(', '));
			return refuse(context, 405, `This path accepts ${known.join(' and ')} only.`);
		});
	}
	// Hono ignores the `notFound` handler of a mounted app.
	app.all('*', (context) => refuse(context, 404, 'The sandbox has no such control path.'));
	app.onError(answerError);
	return app;
}

async function answer(context: Context, route: Route, controls: Controls): Promise<Response> {
	const { req } = context;
	const [repeated] = listRepeated(new URL(req.url).searchParams);
	if (repeated !== undefined) {
		throw new WrongValue(`The query parameter ${repeated} is repeated.`);
	}
	const query = read(route.query ?? z.strictObject({}), req.query(), 'query parameters');
	const { body, names, status = 200 } = route;
	const input = body ? read(body, await readJson(context), names) : query;
	const answered = await route.run(controls, input, req.param('id') ?? '', req.raw.signal);
	return isPages(answered) ? answerList(context, answered) : context.json(answered, status);
}

function isPages(answered: unknown): answered is Generator<unknown[]> {
	return typeof answered === 'object' && answered !== null && 'next' in answered;
}

/** Responds page by page: 100,000 messages at once would block all other responses. */
function answerList(context: Context, pages: Generator<unknown[]>): Response {
	context.header('Content-Type', 'application/json; charset=UTF-8');
	return stream(context, async (out) => {
		let before = '[';
		for (const page of pages) {
			await out.write(before + page.map((entry) => JSON.stringify(entry)).join(','));
			before = ',';
			if (out.aborted) return;
			await nextTurn();
		}
		await out.write(before === '[' ? '[]' : ']');
	});
}

/** Undefined without a body. */
async function readJson({ req }: Context): Promise<unknown> {
	const text = await req.text();
	try {
		return text === '' ? undefined : parseJson(text);
	} catch {
		throw new WrongValue('The body must be JSON.');
	}
}

function answerError(error: Error, context: Context): Response {
	if (error instanceof WrongValue) return refuse(context, 400, error.message);
	if (error instanceof NotFound) return refuse(context, 404, error.message);
	if (error instanceof Unwritable) return refuse(context, 503, error.message);
	console.error('The sandbox itself failed:', error);
	return refuse(context, 500, 'The sandbox itself failed.');
}

function refuse(context: Context, status: 400 | 404 | 405 | 500 | 503, message: string): Response {
	return context.json(buildErrorBody(status, message), status);
}
