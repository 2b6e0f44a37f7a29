import type { IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { LoggedRequest } from '../entities';
import { answerRequest } from '../service/endpoints';
import type { Received } from '../routing';
import { listRepeated, parseJson } from '../shapes';
import { readClock, type State } from '../state';
import { actLater } from './clock';
import { applyFault, describeFault, type Exchange, pickFault } from './faults';
import { beginRequest, noteRequest, type Traffic } from './traffic';

const maxAnswerKept = 4_000;

/** Handles every request under /api: logs, counts and delays it, and applies faults. */
export async function passThrough(
	state: State,
	traffic: Traffic,
	connection: Omit<Exchange, 'request'>,
	received: Received,
): Promise<void> {
	const { incoming, outgoing } = connection;
	const request = readRequest(state, incoming, received);
	const endRequest = beginRequest(state, traffic, request);
	outgoing.once('close', () => {
		if (request.statusAnswered === 'open') noteRequest(state, request, { statusAnswered: 'gone' });
		endRequest();
	});
	const answer = await findAnswer(state, traffic, { request, ...connection });
	if (answer && request.statusAnswered === 'open') {
		const { status: statusAnswered, reason = request.reason } = answer;
		noteRequest(state, request, { statusAnswered, reason, answer: shorten(answer.body) });
	}
	// Before the response is written: the client's next request must not count as concurrent with this one.
	endRequest();
	if (!answer) return;
	const bytes = Buffer.from(answer.body);
	// By the sandbox's clock, as `createdAt` is.
	const dated = { Date: new Date(readClock(state)).toUTCString(), ...answer.headers };
	const headers = { ...dated, 'Content-Length': bytes.length };
	const hasLength = answer.status !== 204 && answer.status !== 304;
	outgoing.writeHead(answer.status, hasLength ? headers : dated).end(bytes);
}

/** A page of message history is half a megabyte: too much to log 10,000 times. */
function shorten(answer: string): string {
	if (answer.length <= maxAnswerKept) return answer;
	return `${answer.slice(0, maxAnswerKept)} ... (${answer.length} characters in all)`;
}

async function findAnswer(state: State, traffic: Traffic, exchange: Exchange) {
	const { request } = exchange;
	const { latencyMs, latencyJitterMs } = state.settings;
	const due = performance.now() + latencyMs + latencyJitterMs * state.random();
	const fault = pickFault(state, traffic, request);
	if (fault) noteRequest(state, request, { fault: describeFault(fault) });
	if (fault?.when === 'later') actLater(state, request, fault.laterMs ?? 0);
	// Requests and responses share the latency, so the service acts halfway.
	await waitUntil((performance.now() + due) / 2);
	const isSlowed = typeof fault?.effect === 'object' && 'slowMs' in fault.effect;
	const doesAct = !fault || fault.when === 'after' || isSlowed;
	const answer = doesAct ? await answerRequest(state, request) : undefined;
	await waitUntil(due);
	if (answer?.reason || answer?.notes) {
		noteRequest(state, request, { reason: answer.reason, notes: answer.notes });
	}
	return fault ? await applyFault(state, fault.effect, exchange, answer) : answer;
}

/** @param moment of `performance.now()` */
async function waitUntil(moment: number): Promise<void> {
	const ms = moment - performance.now();
	if (ms > 0) await pause(Math.round(ms));
}

function readRequest(
	state: State,
	{ headers, rawHeaders, socket }: IncomingMessage,
	{ method, path: decoded, query: rawQuery, body }: Received,
): LoggedRequest {
	const path = encodeURI(decoded);
	const parameters = new URLSearchParams(rawQuery);
	const repeated = listRepeated(parameters);
	const [scheme = '', host = ''] = state.url.split('//');
	return {
		...{ number: 0, at: Date.now(), clockMs: readClock(state), method, path, rawQuery },
		surface: /^\/api\/(rest|otp|http)\//.exec(path)?.[1] ?? '',
		query: Object.fromEntries(parameters),
		...(repeated.length > 0 && { repeated }),
		bytes: [path, rawQuery, ...rawHeaders, body].join('').length,
		headers: Object.fromEntries(Object.entries(headers).map(([name, one]) => [name, String(one)])),
		body: parseBody(body),
		// An IPv4 address on an IPv6 socket begins with ::ffff:
		ipAddress: (socket.remoteAddress ?? '').replace(/^::ffff:/, ''),
		// Keeps the host name that the client used.
		baseUrl: state.settings.linksBaseUrl || `${scheme}//${headers.host ?? host}/api`,
		statusAnswered: 'open',
	};
}

function parseBody(text: string): unknown {
	try {
		return text && parseJson(text);
	} catch {
		return text;
	}
}
