import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from 'hono';
import { buildErrorBody } from '../service/refusal';
import { answerJson, type ServiceEnv } from '../service/routes';
import type { State } from '../state';
import type { FaultEffect } from './faults';
import type { LoggedRequest } from './requestLog';

/** What stands for the real answer when the service did nothing. */
const UNSENT_ANSWER =
	'{"messages":[{"messageId":"00000000-0000-4000-8000-000000000000","status":"Acc';

/** The answer that a fault leaves; the real one, if there is any, is the context's. */
export async function applyFault(
	state: State,
	effect: FaultEffect,
	request: LoggedRequest,
	context: Context<ServiceEnv>,
): Promise<Response> {
	if (effect === 'cut') return cut(context, request);
	if (effect === 'hang') return await hang(state, context, request);
	if (effect === 'brokenJson') return answerText(state, await readHalf(context));
	if (effect === 'cutBody') return await cutBody(state, context, request);
	if (effect === 'echo') return echo(500, request);
	if ('echo' in effect) return echo(effect.echo.status, request);
	if ('redirect' in effect) return redirect(effect.redirect);
	if ('slowMs' in effect) {
		await pause(effect.slowMs);
		return context.res;
	}
	return answerStatus(effect);
}

/** Tells the server that the answer is not its business any more. */
function leaveUnanswered(): Response {
	return new Response(null, { headers: { 'x-hono-already-sent': 'true' } });
}

function cut({ env }: Context<ServiceEnv>, request: LoggedRequest): Response {
	request.statusAnswered = 'cut';
	env.incoming.socket.destroy();
	return leaveUnanswered();
}

async function hang(
	{ lifetime: { signal } }: State,
	{ env }: Context<ServiceEnv>,
	request: LoggedRequest,
): Promise<Response> {
	request.statusAnswered = 'hung';
	const { outgoing, incoming } = env;
	await new Promise<void>((resolve) => {
		if (outgoing.destroyed || signal.aborted) return resolve();
		outgoing.once('close', resolve);
		signal.addEventListener('abort', () => resolve(), { once: true });
	});
	incoming.socket.destroy();
	return leaveUnanswered();
}

async function cutBody(
	state: State,
	context: Context<ServiceEnv>,
	request: LoggedRequest,
): Promise<Response> {
	const half = await readHalf(context);
	const { outgoing, incoming } = context.env;
	request.statusAnswered = 'cut';
	outgoing.writeHead(state.settings.successStatus, {
		'Content-Type': 'application/json; charset=UTF-8',
		'Content-Length': Buffer.byteLength(half) * 2,
	});
	outgoing.write(half, () => incoming.socket.destroy());
	return leaveUnanswered();
}

async function readHalf({ finalized, res }: Context<ServiceEnv>): Promise<string> {
	if (!finalized) return UNSENT_ANSWER;
	const text = await res.text();
	return text.slice(0, text.length / 2);
}

function answerText(state: State, text: string): Response {
	const headers = { 'Content-Type': 'application/json; charset=UTF-8' };
	return new Response(text, { status: state.settings.successStatus, headers });
}

function redirect({ location, status = 302 }: { location: string; status?: number }): Response {
	return new Response(null, { status, headers: { Location: location } });
}

interface StatusEffect {
	status: number;
	headers?: Record<string, string>;
	body?: unknown;
}

function answerStatus({ status, headers = {}, body }: StatusEffect): Response {
	const hasNoBody = status === 204 || status === 304;
	if (hasNoBody) return new Response(null, { status, headers });
	if (typeof body === 'string') return new Response(body, { status, headers });
	return answerJson(status, body ?? buildErrorBody(status), headers);
}

/** What careless gateways do: the error says what was asked, secrets included. */
function echo(status: number, request: LoggedRequest): Response {
	const { method, path, rawQuery, headers, body } = request;
	const url = `${path}?${rawQuery}`;
	const message = `${method} ${url} failed: ${headers.authorization ?? ''} ${JSON.stringify(body)}`;
	const echoed = { method, url, headers, body };
	return answerJson(status, { ...buildErrorBody(status, message), request: echoed });
}
