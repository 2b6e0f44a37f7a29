import { moveDueMessages } from '../service/delivery';
import { WrongValue } from '../shape';
import { readClock, reportChange, type State } from '../state';
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
	const timer = setInterval(() => {
		doDueLateActs(state, traffic);
		if (state.settings.pace > 0) moveDueMessages(state);
	}, tickMs);
	timer.unref();
	return () => clearInterval(timer);
}

/** Moves the sandbox's clock, and does what is due by then. */
export function advanceClock(state: State, traffic: Traffic, ms: number): void {
	const wanted = readClock(state) + ms;
	if (!(wanted >= 0 && wanted <= lastMs)) {
		throw new WrongValue('ms must be a number that leaves the clock between 1970 and 9999.');
	}
	state.clockOffsetMs += ms;
	state.advancedAtMs = readClock(state);
	reportChange(state, { kind: 'clock' });
	doDueLateActs(state, traffic);
	moveDueMessages(state);
}
