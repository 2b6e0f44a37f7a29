import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { ServiceAnswer } from '../entities';
import { readIpAddress } from '../service/auth';
import { answerJson, answerRequest } from '../service/endpoints';
import { buildErrorBody } from '../service/refusal';
import { readClock, type State } from '../state';
import { applyFault, type Exchange } from './faultEffects';
import type { FaultRule } from './faultRule';
import { describeFault, pickFault } from './faults';
import { actLater } from './lateActs';
import { listRepeated } from './listRepeated';
import { measurePieces, takeBeginning } from './pieces';
import { beginRequest, type LoggedRequest, type Traffic } from './traffic';
import { writeAnswer } from './writeAnswer';

const maxAnswerKept = 4_000;
const longBody = 100_000;

/** All that happens under /api: every request is logged, counted, delayed and, when told, spoilt. */
export async function passThrough(
	state: State,
	traffic: Traffic,
	incoming: IncomingMessage,
	outgoing: ServerResponse,
	body: string,
): Promise<void> {
	const request = readRequest(state, incoming, body);
	const endRequest = beginRequest(state, traffic, request);
	outgoing.once('close', () => {
		if (request.statusAnswered === 'open') request.statusAnswered = 'gone';
		endRequest();
	});
	const exchange = { request, incoming, outgoing };
	const refusal = refuseUnkept(state.keeper.findProblem());
	const found = refusal ?? (await findAnswer(state, traffic, exchange));
	// What could not be written while the service acted is not answered as done.
	const answer = found && (refuseUnkept(await state.keeper.untilKept()) ?? found);
	if (answer?.reason) request.reason = answer.reason;
	if (answer && request.statusAnswered === 'open') {
		request.statusAnswered = answer.status;
		request.answer = shorten(answer.body);
	}
	// Before the answer is written: a client that goes on at once must not count twice.
	endRequest();
	if (answer) await writeAnswer(outgoing, answer);
}

/** While the data folder cannot be written, nothing is done that a restart would undo. */
function refuseUnkept(problem: string | undefined): ServiceAnswer | undefined {
	return problem === undefined
		? undefined
		: { ...answerJson(503, buildErrorBody(503, problem)), reason: problem };
}

/** A page of history is half a megabyte: ten thousand of them are not kept. */
function shorten(answer: string[]): string {
	const beginning = takeBeginning(answer, maxAnswerKept);
	const length = measurePieces(answer);
	return length === beginning.length ? beginning : `${beginning} ... (${length} characters in all)`;
}

async function findAnswer(
	state: State,
	traffic: Traffic,
	exchange: Exchange,
): Promise<ServiceAnswer | undefined> {
	const { request } = exchange;
	const due = performance.now() + drawLatency(state);
	const fault = pickFault(state, traffic, request);
	if (fault) request.fault = describeFault(fault);
	if (fault?.when === 'later') actLater(state, request, fault.laterMs ?? 0);
	// A request travels as well as its answer: the service acts halfway.
	await waitUntil((performance.now() + due) / 2);
	// To read it was a turn.
	if (request.bytes > longBody) await nextTurn();
	const answer = doesServiceAct(fault) ? await answerRequest(state, request) : undefined;
	await waitUntil(due);
	if (answer?.reason) request.reason = answer.reason;
	if (answer?.notes) request.notes = answer.notes;
	return fault ? await applyFault(state, fault.effect, exchange, answer) : answer;
}

function doesServiceAct(fault: FaultRule | undefined): boolean {
	if (!fault || fault.when === 'after') return true;
	return typeof fault.effect === 'object' && 'slowMs' in fault.effect;
}

function drawLatency({ settings, random }: State): number {
	return settings.latencyMs + settings.latencyJitterMs * random();
}

/** @param moment of `performance.now()` */
async function waitUntil(moment: number): Promise<void> {
	const ms = moment - performance.now();
	if (ms > 0) await pause(Math.round(ms));
}

function readRequest(state: State, incoming: IncomingMessage, body: string): LoggedRequest {
	const { method = '', url = '', headers, socket } = incoming;
	const mark = url.indexOf('?');
	const path = mark === -1 ? url : url.slice(0, mark);
	const rawQuery = mark === -1 ? '' : url.slice(mark + 1);
	const parameters = new URLSearchParams(rawQuery);
	const repeated = listRepeated(parameters);
	return {
		number: 0,
		at: Date.now(),
		clockMs: readClock(state),
		method,
		surface: /^\/api\/(rest|otp|http)\//.exec(path)?.[1] ?? '',
		path,
		query: Object.fromEntries(parameters),
		...(repeated.length > 0 && { repeated }),
		rawQuery,
		bytes: url.length + body.length,
		headers: readHeaders(headers),
		body: parseBody(body),
		ipAddress: readIpAddress(socket.remoteAddress),
		statusAnswered: 'open',
	};
}

function readHeaders(headers: IncomingMessage['headers']): Record<string, string> {
	return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

function parseBody(text: string): unknown {
	if (text === '') return '';
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return text;
	}
}
