import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { FaultEffect, FaultRule, LoggedRequest, ServiceAnswer } from '../entities';
import { faultRule } from '../schemas';
import { answerJson } from '../service/endpoints';
import { buildErrorBody } from '../service/refusal';
import { readSuccessStatus } from '../settings';
import { read } from '../shapes';
import type { State } from '../state';
import { noteRequest, type Traffic } from './traffic';

/** @throws WrongValue when the rule is not a valid `FaultRule` */
export function addFault(traffic: Traffic, given: FaultRule): void {
	traffic.faults.push({ rule: read(faultRule, given), seen: 0, hits: 0 });
}

/** The first rule that matches and fires, in the order in which they were added. */
export function pickFault({ random }: State, { faults }: Traffic, request: LoggedRequest) {
	return faults.find((fault) => doesFire(random, fault, request))?.rule;
}

type Fault = Traffic['faults'][number];

function doesFire(random: () => number, fault: Fault, request: LoggedRequest): boolean {
	const { match, skip = 0, count = Infinity, probability = 1 } = fault.rule;
	if (!doesMatch(match, request)) return false;
	fault.seen += 1;
	if (fault.seen <= skip || fault.hits >= count || random() >= probability) return false;
	fault.hits += 1;
	return true;
}

function doesMatch(match: FaultRule['match'] = {}, request: LoggedRequest): boolean {
	const { path = '*', method = request.method, contains } = match;
	const full = toFullPath(path);
	const isPrefix = full.endsWith('*') && request.path.startsWith(full.slice(0, -1));
	if (!(isPrefix || request.path === full) || method.toUpperCase() !== request.method) return false;
	const content = () => JSON.stringify([Object.values(request.query), request.body]);
	return contains === undefined || content().includes(JSON.stringify(contains).slice(1, -1));
}

/** With /api and slashes in front, whether they were written or not. */
export function toFullPath(path: string): string {
	const [, rest = ''] = /^\/*(?:api(?=[/*]|$))?\/*(.*)$/s.exec(path) ?? [];
	return /^(\*|$)/.test(rest) ? `/api${rest}` : `/api/${rest}`;
}

export function describeFault({ when = 'before', laterMs, effect }: FaultRule): string {
	const time = laterMs === undefined ? when : `${laterMs} ms later`;
	return `${time}: ${typeof effect === 'string' ? effect : JSON.stringify(effect)}`;
}

/** A request with its connection. */
export interface Exchange {
	request: LoggedRequest;
	incoming: IncomingMessage;
	outgoing: ServerResponse;
}

/** @param answer if the service has acted @returns the response to send; undefined if none can be sent */
export async function applyFault(
	state: State,
	effect: FaultEffect,
	exchange: Exchange,
	answer: ServiceAnswer | undefined,
): Promise<ServiceAnswer | undefined> {
	const { request } = exchange;
	if (effect === 'brokenJson') return halve(state, request, answer);
	if (effect === 'echo') return echo(500, request);
	if (typeof effect === 'string') {
		return await breakOff(state, effect, exchange, halve(state, request, answer));
	}
	if ('echo' in effect) return echo(effect.echo.status, request);
	if ('redirect' in effect) {
		const { location, status = 302 } = effect.redirect;
		return { status, headers: { Location: location }, body: '' };
	}
	if ('slowMs' in effect) {
		await pause(effect.slowMs);
		return answer;
	}
	const { status, headers = {}, body } = effect;
	if (status === 204 || status === 304) return { status, headers, body: '' };
	if (typeof body !== 'string') return answerJson(status, body ?? buildErrorBody(status), headers);
	return { status, headers: { 'Content-Type': 'text/plain; charset=UTF-8', ...headers }, body };
}

async function breakOff(state: State, effect: string, exchange: Exchange, half: ServiceAnswer) {
	const { request, incoming, outgoing } = exchange;
	noteRequest(state, request, { statusAnswered: effect === 'hang' ? 'hung' : 'cut' });
	if (effect === 'hang' && !outgoing.destroyed) {
		const { signal } = state.lifetime;
		await once(outgoing, 'close', { signal }).catch(() => undefined);
	}
	if (effect === 'cutBody') {
		const headers = { ...half.headers, 'Content-Length': Buffer.byteLength(half.body) * 2 };
		outgoing.writeHead(half.status, headers);
		await new Promise((resolve) => outgoing.write(half.body, resolve));
	}
	incoming.socket.destroy();
	return undefined;
}

/** Stands in for the real response if the service did not act. */
const unsentAnswer =
	'{"messages":[{"messageId":"00000000-0000-4000-8000-000000000000","status":"Acc';

function halve({ settings }: State, { surface }: LoggedRequest, answer?: ServiceAnswer) {
	return {
		status: answer?.status ?? readSuccessStatus(settings, surface),
		headers: { 'Content-Type': 'application/json; charset=UTF-8' },
		body: answer?.body.slice(0, answer.body.length / 2) ?? unsentAnswer,
	};
}

/** Like a careless gateway: an error that repeats the request, secrets included. */
function echo(status: number, request: LoggedRequest): ServiceAnswer {
	const { method, path, rawQuery, headers, body } = request;
	const url = `${path}?${rawQuery}`;
	const message = `${method} ${url} failed: ${headers.authorization ?? ''} ${JSON.stringify(body)}`;
	const echoed = { method, url, headers, body };
	return answerJson(status, { ...buildErrorBody(status, message), request: echoed });
}
