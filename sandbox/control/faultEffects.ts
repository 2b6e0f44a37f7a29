import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceAnswer } from '../entities';
import { answerJson } from '../service/endpoints';
import { buildErrorBody } from '../service/refusal';
import type { State } from '../state';
import type { FaultEffect } from './faultRule';
import { measurePieces, takeBeginning } from './pieces';
import type { LoggedRequest } from './traffic';

/** A request with its connection. */
export interface Exchange {
	request: LoggedRequest;
	incoming: IncomingMessage;
	outgoing: ServerResponse;
}

/** What stands for the real answer when the service did nothing. */
const unsentAnswer =
	'{"messages":[{"messageId":"00000000-0000-4000-8000-000000000000","status":"Acc';

/**
 * Does what a fault says.
 *
 * @param answer the service's own, if it has acted
 * @returns what is answered; undefined when the connection is not to be touched any more
 */
export async function applyFault(
	state: State,
	effect: FaultEffect,
	exchange: Exchange,
	answer: ServiceAnswer | undefined,
): Promise<ServiceAnswer | undefined> {
	if (effect === 'cut') return cut(exchange);
	if (effect === 'hang') return await hang(state, exchange);
	if (effect === 'brokenJson') return answerHalf(state, answer);
	if (effect === 'cutBody') return cutBody(state, exchange, answer);
	if (effect === 'echo') return echo(500, exchange.request);
	if ('echo' in effect) return echo(effect.echo.status, exchange.request);
	if ('redirect' in effect) {
		const { location, status = 302 } = effect.redirect;
		return { status, headers: { Location: location }, body: [] };
	}
	if ('slowMs' in effect) {
		await pause(effect.slowMs);
		return answer;
	}
	return answerStatus(effect);
}

function cut({ request, incoming }: Exchange): undefined {
	request.statusAnswered = 'cut';
	incoming.socket.destroy();
}

async function hang(
	{ lifetime: { signal } }: State,
	{ request, incoming, outgoing }: Exchange,
): Promise<undefined> {
	request.statusAnswered = 'hung';
	await new Promise<void>((resolve) => {
		if (outgoing.destroyed || signal.aborted) return resolve();
		const end = (): void => {
			signal.removeEventListener('abort', end);
			resolve();
		};
		outgoing.once('close', end);
		signal.addEventListener('abort', end, { once: true });
	});
	incoming.socket.destroy();
}

function cutBody(
	state: State,
	{ request, incoming, outgoing }: Exchange,
	answer: ServiceAnswer | undefined,
): undefined {
	const half = answerHalf(state, answer);
	request.statusAnswered = 'cut';
	const text = half.body.join('');
	const headers = { ...half.headers, 'Content-Length': Buffer.byteLength(text) * 2 };
	outgoing.writeHead(half.status, headers);
	outgoing.write(text, () => incoming.socket.destroy());
}

function answerHalf({ settings }: State, answer: ServiceAnswer | undefined): ServiceAnswer {
	const half = answer && takeBeginning(answer.body, measurePieces(answer.body) / 2);
	return {
		status: settings.successStatus,
		headers: { 'Content-Type': 'application/json; charset=UTF-8' },
		body: [half ?? unsentAnswer],
	};
}

interface StatusEffect {
	status: number;
	headers?: Record<string, string>;
	body?: unknown;
}

function answerStatus({ status, headers = {}, body }: StatusEffect): ServiceAnswer {
	const hasNoBody = status === 204 || status === 304;
	if (hasNoBody) return { status, headers, body: [] };
	if (typeof body === 'string') {
		const textHeaders = { 'Content-Type': 'text/plain; charset=UTF-8', ...headers };
		return { status, headers: textHeaders, body: [body] };
	}
	return answerJson(status, body ?? buildErrorBody(status), headers);
}

/** What careless gateways do: the error says what was asked, secrets included. */
function echo(status: number, request: LoggedRequest): ServiceAnswer {
	const { method, path, rawQuery, headers, body } = request;
	const url = `${path}?${rawQuery}`;
	const message = `${method} ${url} failed: ${headers.authorization ?? ''} ${JSON.stringify(body)}`;
	const echoed = { method, url, headers, body };
	return answerJson(status, { ...buildErrorBody(status, message), request: echoed });
}
