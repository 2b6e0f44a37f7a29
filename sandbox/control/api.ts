import { setImmediate as nextTurn } from 'node:timers/promises';
import * as z from 'zod/v4';
import type { Call, Reply, Route } from '../routing';
import { answerJson } from '../service/endpoints';
import { listRepeated, parseJson, read, WrongValue } from '../shapes';
import type { Controls } from './controls';
import { describeRoutes } from './openApi';
import { type Operation, operations } from './routes';

/** The control API: JSON for tests and tools in another process. Not authenticated: `guard.ts` protects it. */
export function createControlRoutes(controls: Controls): Route[] {
	const routes = operations.map((operation) => ({
		method: operation.method,
		path: `/_sandbox/api${operation.path}`,
		answer: (call: Call) => answer(controls, operation, call),
	}));
	const description = () => answerJson(200, describeRoutes());
	return [...routes, { method: 'GET', path: '/_sandbox/api/openapi.json', answer: description }];
}

async function answer(controls: Controls, operation: Operation, call: Call): Promise<Reply> {
	const [repeated] = listRepeated(call.query);
	if (repeated !== undefined) {
		throw new WrongValue(`The query parameter ${repeated} is repeated.`);
	}
	const given = Object.fromEntries(call.query);
	const query = read(operation.query ?? z.strictObject({}), given, 'query parameters');
	const { body, names, status = 200 } = operation;
	const input = body ? read(body, readJson(call.body), names) : query;
	const answered = await operation.run(controls, input, call.id, call.signal);
	const reply = answerJson(status, answered);
	return isPages(answered) ? { ...reply, body: writePages(answered) } : reply;
}

function isPages(answered: unknown): answered is Generator<unknown[]> {
	return typeof answered === 'object' && answered !== null && 'next' in answered;
}

/** 100,000 messages at once would block all other responses. */
async function* writePages(pages: Generator<unknown[]>): AsyncGenerator<string> {
	let before = '[';
	for (const page of pages) {
		yield before + page.map((entry) => JSON.stringify(entry)).join(',');
		before = ',';
		await nextTurn();
	}
	yield before === '[' ? '[]' : ']';
}

/** Undefined without a body. */
function readJson(text: string): unknown {
	try {
		return text === '' ? undefined : parseJson(text);
	} catch {
		throw new WrongValue('The body must be JSON.');
	}
}
