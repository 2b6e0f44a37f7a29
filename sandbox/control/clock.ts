import { moveDueMessages } from '../service/delivery';
import { WrongValue } from '../shape';
import { readClock, reportChange, type State } from '../state';
import { doInTurns, type Work } from '../turns';
import { doDueLateActs } from './lateActs';
import type { Traffic } from './traffic';

const tickMs = 20;
/** Times have years of four digits. */
const lastMs = Date.UTC(9999, 11, 31);

/**
 * Lets messages move by themselves while the pace is not 0, and late acts happen in any case.
 *
 * @returns a function that stops it
 */
export function startClock(state: State, traffic: Traffic): () => void {
	let isAtWork = false;
	const timer = setInterval(() => {
		if (isAtWork) return;
		isAtWork = true;
		void doInTurns(doWhatIsDue(state, traffic, state.settings.pace > 0)).finally(() => {
			isAtWork = false;
		});
	}, tickMs);
	timer.unref();
	return () => clearInterval(timer);
}

function* doWhatIsDue(state: State, traffic: Traffic, doMessagesMove: boolean): Work {
	yield* doDueLateActs(state, traffic);
	if (doMessagesMove) yield* moveDueMessages(state);
}

/** Moves the sandbox's clock, and does what is due by then. */
export function* advanceClock(state: State, traffic: Traffic, ms: number): Work {
	const wanted = readClock(state) + ms;
	if (!(wanted >= 0 && wanted <= lastMs)) {
		throw new WrongValue('ms must be a number that leaves the clock between 1970 and 9999.');
	}
	state.clockOffsetMs += ms;
	state.advancedAtMs = readClock(state);
	reportChange(state, { kind: 'clock' });
	yield* doWhatIsDue(state, traffic, true);
}
