import { answerRequest } from '../service/endpoints';
import { readClock, type State } from '../state';
import type { LoggedRequest, Traffic } from './traffic';

/** Lets the service act on a request `laterMs` from now, when its sender has long had another answer. */
export function actLater(
	state: State,
	traffic: Traffic,
	request: LoggedRequest,
	laterMs: number,
): void {
	traffic.lateActs.add(readClock(state) + laterMs, request);
}

/** Acts on what is due, oldest first. */
export function doDueLateActs(state: State, traffic: Traffic): void {
	const now = readClock(state);
	const { lateActs } = traffic;
	for (let request = lateActs.take(now); request; request = lateActs.take(now)) {
		act(state, traffic, request);
	}
}

function act(state: State, { lateActsUnderWay }: Traffic, request: LoggedRequest): void {
	const acting = answerRequest(state, request)
		.then(({ status }) => void (request.statusOfLateAct = status))
		.finally(() => lateActsUnderWay.delete(acting));
	lateActsUnderWay.add(acting);
}
