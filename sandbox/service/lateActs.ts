import type { LoggedRequest } from '../control/requestLog';
import { readClock, type State } from '../state';
import { answerRequest } from './routes';

/** A request that the service acts on when its sender has long had another answer. */
export interface LateAct {
	/** The sandbox's time. */
	dueMs: number;
	request: LoggedRequest;
}

/** Lets the service act on a request `laterMs` from now; a reset drops it. */
export function actLater(state: State, request: LoggedRequest, laterMs: number): void {
	state.lateActs.push({ dueMs: readClock(state) + laterMs, request });
}

/** Acts on what is due, oldest first. */
export function doDueLateActs(state: State): void {
	const now = readClock(state);
	const due = state.lateActs.filter(({ dueMs }) => dueMs <= now).sort((a, b) => a.dueMs - b.dueMs);
	if (due.length === 0) return;
	state.lateActs = state.lateActs.filter(({ dueMs }) => dueMs > now);
	for (const { request } of due) act(state, request);
}

function act(state: State, request: LoggedRequest): void {
	const acting = answerRequest(state, request)
		.then(({ status }) => void (request.statusOfLateAct = status))
		.finally(() => state.lateActsUnderWay.delete(acting));
	state.lateActsUnderWay.add(acting);
}
