import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { FaultEffect, LoggedRequest, ServiceAnswer } from '../entities';
import { answerJson } from '../service/endpoints';
import { buildErrorBody } from '../service/refusal';
import { readSuccessStatus } from '../settings';
import type { State } from '../state';
import { noteRequest } from './traffic';

/** A request with its connection. */
export interface Exchange {
	request: LoggedRequest;
	incoming: IncomingMessage;
	outgoing: ServerResponse;
}

/** Stands in for the real response if the service did not act. */
const unsentAnswer =
	'{"messages":[{"messageId":"00000000-0000-4000-8000-000000000000","status":"Acc';

/**
 * Applies a fault.
 *
 * @param answer the service's response, if it has acted
 * @returns the response to send; undefined if the connection must not be used any more
 */
export async function applyFault(
	state: State,
	effect: FaultEffect,
	exchange: Exchange,
	answer: ServiceAnswer | undefined,
): Promise<ServiceAnswer | undefined> {
	if (effect === 'cut') return cut(state, exchange);
	if (effect === 'hang') return await hang(state, exchange);
	if (effect === 'brokenJson') return answerHalf(state, exchange.request, answer);
	if (effect === 'cutBody') return cutBody(state, exchange, answer);
	if (effect === 'echo') return echo(500, exchange.request);
	if ('echo' in effect) return echo(effect.echo.status, exchange.request);
	if ('redirect' in effect) {
		const { location, status = 302 } = effect.redirect;
		return { status, headers: { Location: location }, body: '' };
	}
	if ('slowMs' in effect) {
		await pause(effect.slowMs);
		return answer;
	}
	return answerStatus(effect);
}

function cut(state: State, { request, incoming }: Exchange): undefined {
	noteRequest(state, request, { statusAnswered: 'cut' });
	incoming.socket.destroy();
}

async function hang(state: State, { request, incoming, outgoing }: Exchange): Promise<undefined> {
	noteRequest(state, request, { statusAnswered: 'hung' });
	const { signal } = state.lifetime;
	if (!outgoing.destroyed) await once(outgoing, 'close', { signal }).catch(() => undefined);
	incoming.socket.destroy();
}

function cutBody(
	state: State,
	{ request, incoming, outgoing }: Exchange,
	answer: ServiceAnswer | undefined,
): undefined {
	const half = answerHalf(state, request, answer);
	noteRequest(state, request, { statusAnswered: 'cut' });
	const headers = { ...half.headers, 'Content-Length': Buffer.byteLength(half.body) * 2 };
	outgoing.writeHead(half.status, headers);
	outgoing.write(half.body, () => incoming.socket.destroy());
}

function answerHalf(
	{ settings }: State,
	{ surface }: LoggedRequest,
	answer: ServiceAnswer | undefined,
): ServiceAnswer {
	const half = answer?.body.slice(0, answer.body.length / 2);
	return {
		status: answer?.status ?? readSuccessStatus(settings, surface),
		headers: { 'Content-Type': 'application/json; charset=UTF-8' },
		body: half ?? unsentAnswer,
	};
}

interface StatusEffect {
	status: number;
	headers?: Record<string, string>;
	body?: unknown;
}

function answerStatus({ status, headers = {}, body }: StatusEffect): ServiceAnswer {
	const hasNoBody = status === 204 || status === 304;
	if (hasNoBody) return { status, headers, body: '' };
	if (typeof body === 'string') {
		const textHeaders = { 'Content-Type': 'text/plain; charset=UTF-8', ...headers };
		return { status, headers: textHeaders, body };
	}
	return answerJson(status, body ?? buildErrorBody(status), headers);
}

/** Like a careless gateway: an error that repeats the request, secrets included. */
function echo(status: number, request: LoggedRequest): ServiceAnswer {
	const { method, path, rawQuery, headers, body } = request;
	const url = `${path}?${rawQuery}`;
	const message = `${method} ${url} failed: ${headers.authorization ?? ''} ${JSON.stringify(body)}`;
	const echoed = { method, url, headers, body };
	return answerJson(status, { ...buildErrorBody(status, message), request: echoed });
}
