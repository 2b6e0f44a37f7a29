import { randomUUID } from 'node:crypto';
import type { LateAct, LoggedRequest } from '../entities';
import { answerRequest } from '../service/endpoints';
import { readClock, type State } from '../state';
import type { Steps } from '../steps';
import { noteRequest, type Traffic } from './traffic';

/** Lets the service act on a request `laterMs` from now, when its sender has long had another response. */
export function actLater(state: State, request: LoggedRequest, laterMs: number): void {
	state.lateActs.insert({ id: randomUUID(), dueMs: readClock(state) + laterMs, request });
}

/** Acts on what is due, oldest first. */
export function* doDueLateActs(state: State, traffic: Traffic): Steps {
	for (const act of state.lateActs.list('dueMs <= ? ORDER BY dueMs', readClock(state))) {
		if (state.lateActs.count('id = ?', act.id) === 0) continue;
		if (!traffic.lateActsUnderWay.has(act.id)) doLateAct(state, traffic, act);
		yield;
	}
}

function doLateAct(state: State, { lateActsUnderWay }: Traffic, { id, request }: LateAct): void {
	// In one transaction with what was stored: a kill leaves both or none.
	const acting = answerRequest(state, request, () => state.lateActs.remove('id = ?', id))
		.then(async ({ status }) => {
			await state.store.committed();
			noteRequest(state, request, { statusOfLateAct: status });
		})
		// What could not be written is still due.
		.catch(() => undefined)
		.finally(() => lateActsUnderWay.delete(id));
	lateActsUnderWay.set(id, acting);
}
