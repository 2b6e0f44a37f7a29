import { type Context, Hono } from 'hono';
import { stream } from 'hono/streaming';
import { maxBodyBytes } from '../guard';
import { NotFound } from '../notFound';
import { buildErrorBody } from '../service/refusal';
import { WrongValue } from '../shape';
import { Turn } from '../turns';
import type { Controls } from './controls';
import { listRepeated } from './listRepeated';
import { describeRoutes } from './openApi';
import { routes } from './routes';
import type { Route } from './route';

/** What is written at once of a list. */
const maxPieceLength = 100_000;

/** Our own paths, as JSON, for tests and tools in another process. Not authenticated: see the guard. */
export function createControlApp(controls: Controls): Hono {
	const app = new Hono();
	for (const route of routes) {
		const path = route.path.replace(/\{(\w+)\}/g, ':$1');
		app.on(route.method, path, (context) => answer(context, route, controls));
	}
	app.get('/openapi.json', (context) => context.json(describeRoutes(routes)));
	// Of an app within another one, Hono asks the outer one what is not found.
	app.all('*', (context) => refuse(context, 404, 'The sandbox has no such control path.'));
	app.onError(answerError);
	return app;
}

async function answer(context: Context, route: Route, controls: Controls): Promise<Response> {
	const { req } = context;
	refuseRepeated(new URL(req.url).searchParams);
	const query = route.query?.read(req.query(), '') ?? refuseQuery(req.query());
	const body: unknown = route.body?.read(await readJson(context), 'The body');
	const { signal } = req.raw;
	const answered = await route.run(controls, { id: req.param('id') ?? '', query, body, signal });
	const problem = route.method === 'GET' ? undefined : await controls.keepingProblem();
	if (problem !== undefined) return refuse(context, 503, problem);
	if (Array.isArray(answered)) return answerList(context, answered, route.status ?? 200);
	return context.json(answered as object, route.status ?? 200);
}

/** A hundred thousand messages in one piece would hold up every other answer. */
function answerList(context: Context, list: unknown[], status: 200 | 201): Response {
	context.status(status);
	context.header('Content-Type', 'application/json; charset=UTF-8');
	return stream(context, async (out) => {
		const turn = new Turn();
		let piece = '[';
		for (const [index, entry] of list.entries()) {
			piece += `${index === 0 ? '' : ','}${JSON.stringify(entry)}`;
			if (!turn.isOver() && piece.length < maxPieceLength) continue;
			await out.write(piece);
			piece = '';
			if (out.aborted) return;
			if (turn.isOver()) await turn.next();
		}
		await out.write(`${piece}]`);
	});
}

/** Which of them is meant, nobody knows. */
function refuseRepeated(parameters: URLSearchParams): void {
	const [name] = listRepeated(parameters);
	if (name !== undefined) throw new WrongValue(`The query parameter ${name} is repeated.`);
}

function refuseQuery(query: Record<string, string>): object {
	const [name] = Object.keys(query);
	if (name !== undefined) throw new WrongValue(`Unknown query parameters: ${name}`);
	return {};
}

async function readJson({ req }: Context): Promise<unknown> {
	const text = await readText(req.raw);
	try {
		return JSON.parse(text) as unknown;
	} catch {
		throw new WrongValue('The body must be JSON.');
	}
}

/** A body without a length shows only while it comes that it is too long. */
async function readText({ body }: Request): Promise<string> {
	const chunks: Uint8Array[] = [];
	let bytes = 0;
	for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
		chunks.push(chunk);
		bytes += chunk.length;
		if (bytes > maxBodyBytes) throw new TooLong('A body may have 1 MB at most.');
	}
	return Buffer.concat(chunks).toString('utf8');
}

class TooLong extends Error {}

function answerError(error: Error, context: Context): Response {
	if (error instanceof WrongValue) return refuse(context, 400, error.message);
	if (error instanceof TooLong) return refuse(context, 413, error.message);
	if (error instanceof NotFound) return refuse(context, 404, error.message);
	console.error('The sandbox itself failed:', error);
	return refuse(context, 500, 'The sandbox itself failed.');
}

function refuse(context: Context, status: 400 | 404 | 413 | 500 | 503, message: string): Response {
	return context.json(buildErrorBody(status, message), status);
}
