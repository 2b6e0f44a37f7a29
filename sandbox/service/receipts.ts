import type { StatusChange, StoredMessage } from '../entities';
import { readClock, type State } from '../state';
import { shareChanges } from './changes';
import { findReceiptUrl, Posting } from './Posting';

/** Notes which receipts of a message are to be posted, so that none is lost on the way. */
export function oweReceipts(state: State, message: StoredMessage, changes: StatusChange[]): void {
	if (findReceiptUrl(state, message)) message.owed = shareChanges(message.owed.concat(changes));
}

/** Posts receipts that are owed. @param onEnd told when all are answered or given up */
export function postReceipts(
	state: State,
	message: StoredMessage,
	changes: StatusChange[],
	onEnd: () => void = () => undefined,
): void {
	new Posting(state, message, changes, 0, onEnd).begin();
}

/** Posts a receipt that somebody asked for. @returns when it is answered or given up */
export function postReceiptNow(
	state: State,
	message: StoredMessage,
	change: StatusChange,
): Promise<void> {
	return new Promise((resolve) => {
		new Posting(state, message, [change], readClock(state), resolve).begin();
	});
}

/** Posts what an earlier run of the sandbox still owed. */
export function postOwedReceipts(state: State, message: StoredMessage): void {
	if (message.owed.length === 0) return;
	new Posting(state, message, message.owed, readClock(state), () => undefined).begin();
}
