import { randomUUID } from 'node:crypto';
import type { LateAct, LoggedRequest } from '../entities';
import { moveDueMessages } from '../service/delivery';
import { answerRequest } from '../service/endpoints';
import { WrongValue } from '../shapes';
import { readClock, type State } from '../state';
import { noteRequest, type Traffic } from './traffic';

const tickMs = 20;
/** Written times have four-digit years. */
const lastMs = Date.UTC(9999, 11, 31);

/** Does what is due every `tickMs`. @returns a function that stops it */
export function startClock(state: State, traffic: Traffic): () => void {
	const timer = setInterval(() => doWhatIsDue(state, traffic), tickMs);
	timer.unref();
	return () => clearInterval(timer);
}

/** Moves the clock, and does what is due. @throws WrongValue out of range */
export function advanceClock(state: State, traffic: Traffic, ms: number): void {
	const wanted = readClock(state) + ms;
	if (!(wanted >= 0 && wanted <= lastMs)) {
		throw new WrongValue('ms must be a number that leaves the clock between 1970 and 9999.');
	}
	state.clockOffsetMs += ms;
	state.advancedAtMs = readClock(state);
	doWhatIsDue(state, traffic);
}

function doWhatIsDue(state: State, traffic: Traffic): void {
	const due = [...state.lateActs.values()].filter(({ dueMs }) => dueMs <= readClock(state));
	for (const act of due.sort((a, b) => a.dueMs - b.dueMs)) {
		state.lateActs.delete(act.id);
		doLateAct(state, traffic, act);
	}
	// With a pace of 0, only messages that were due at the last advance move.
	moveDueMessages(state, state.settings.pace > 0 ? readClock(state) : state.advancedAtMs);
}

/** Makes the service act on a request `laterMs` from now (sandbox's clock), after its response. */
export function actLater(state: State, request: LoggedRequest, laterMs: number): void {
	const id = randomUUID();
	state.lateActs.set(id, { id, dueMs: readClock(state) + laterMs, request });
}

function doLateAct(state: State, { lateActsUnderWay }: Traffic, { id, request }: LateAct): void {
	const acting = answerRequest(state, request)
		.then(({ status }) => noteRequest(state, request, { statusOfLateAct: status }))
		.finally(() => lateActsUnderWay.delete(id));
	lateActsUnderWay.set(id, acting);
}
