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
		answer: (call: Call, id: string) => answer(controls, operation, call, id),
	}));
	const description = () => answerJson(200, describeRoutes());
	return [...routes, { method: 'GET', path: '/_sandbox/api/openapi.json', answer: description }];
}

async function answer(
	controls: Controls,
	operation: Operation,
	call: Call,
	id: string,
): Promise<Reply> {
	const parameters = new URLSearchParams(call.query);
	const [repeated] = listRepeated(parameters);
	if (repeated !== undefined) {
		throw new WrongValue(`The query parameter ${repeated} is repeated.`);
	}
	const given = Object.fromEntries(parameters);
	const query = read(operation.query ?? z.strictObject({}), given, 'query parameters');
	const { body, names, status = 200 } = operation;
	const input = body ? read(body, readJson(call.body), names) : query;
	return answerJson(status, await operation.run(controls, input, id, call.signal));
}

/** Undefined without a body. */
function readJson(text: string): unknown {
	try {
		return text === '' ? undefined : parseJson(text);
	} catch {
		throw new WrongValue('The body must be JSON.');
	}
}
