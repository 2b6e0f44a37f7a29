import { randomUUID } from 'node:crypto';
import type { LateAct } from '../entities';
import { answerRequest } from '../service/endpoints';
import { awaitLateAct, readClock, reportChange, type State } from '../state';
import type { Work } from '../turns';
import type { LoggedRequest, Traffic } from './traffic';

/** Lets the service act on a request `laterMs` from now, when its sender has long had another answer. */
export function actLater(state: State, request: LoggedRequest, laterMs: number): void {
	const act = { id: randomUUID(), dueMs: readClock(state) + laterMs, request };
	awaitLateAct(state, act);
	reportChange(state, { kind: 'lateAct', act });
}

/** Acts on what is due, oldest first. */
export function* doDueLateActs(state: State, traffic: Traffic): Work {
	const now = readClock(state);
	const { lateActsDue } = state;
	for (let act = lateActsDue.take(now); act; act = lateActsDue.take(now)) {
		doLateAct(state, traffic, act);
		yield;
		// Emptied in the meantime, and the clock may be another.
		if (lateActsDue !== state.lateActsDue) return;
	}
}

function doLateAct(state: State, { lateActsUnderWay }: Traffic, { id, request }: LateAct): void {
	// In one turn with what was stored, and so in one line of the data file: a kill leaves both or none.
	const noteAsActed = (): void => {
		state.lateActs.delete(id);
		reportChange(state, { kind: 'acted', id });
	};
	const acting = answerRequest(state, request, noteAsActed)
		// One that an earlier run left behind is in no log.
		.then(({ status }) => void Object.assign(request, { statusOfLateAct: status }))
		.finally(() => lateActsUnderWay.delete(acting));
	lateActsUnderWay.add(acting);
}
