import { randomUUID } from 'node:crypto';
import type { LateAct, LoggedRequest } from '../entities';
import { answerRequest } from '../service/endpoints';
import { readClock, type State } from '../state';
import type { Steps } from '../steps';
import { noteRequest, type Traffic } from './traffic';

/** Makes the service act on a request `laterMs` from now (sandbox's clock), after its response. */
export function actLater(state: State, request: LoggedRequest, laterMs: number): void {
	state.lateActs.insert({ id: randomUUID(), dueMs: readClock(state) + laterMs, request });
}

/** Starts all due acts, oldest first. */
export function* doDueLateActs(state: State, traffic: Traffic): Steps {
	for (const act of state.lateActs.list('dueMs <= ? ORDER BY dueMs', readClock(state))) {
		if (state.lateActs.count('id = ?', act.id) === 0) continue;
		if (!traffic.lateActsUnderWay.has(act.id)) doLateAct(state, traffic, act);
		yield;
	}
}

function doLateAct(state: State, { lateActsUnderWay }: Traffic, { id, request }: LateAct): void {
	// In one transaction with the stored messages: a crash leaves both or neither.
	const acting = answerRequest(state, request, () => state.lateActs.remove('id = ?', id))
		.then(async ({ status }) => {
			await state.store.committed();
			noteRequest(state, request, { statusOfLateAct: status });
		})
		// If the write failed, the act is still due.
		.catch(() => undefined)
		.finally(() => lateActsUnderWay.delete(id));
	lateActsUnderWay.set(id, acting);
}
