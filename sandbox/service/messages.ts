import type { MessageRecord, StoredMessage } from '../entities';
import { NotFound } from '../notFound';
import { type State, takeMark } from '../state';
import type { Steps } from '../steps';
import { Unwritable } from '../store/Database';

export function storeMessages(state: State, messages: StoredMessage[]): void {
	for (const message of messages) {
		message.mark = takeMark(state);
		state.messages.insert(message, state.settings.maxMessagesKept);
	}
}

const stagedPerStep = 500;
/** Up to this many messages are stored at once, without staging. */
export const fewMessages = 1_000;
let lastStaged = 0;

/**
 * Writes thousands of messages to a staging table over several turns, then stores them by one statement: no
 * request sees a part of them, and a crash leaves all or none. A clear or reset in between discards them.
 *
 * @param prepare called just before they are stored; none is stored if it throws. Returns milliseconds to add to
 *   their times
 * @throws Unwritable when none was stored
 */
export function* storeInSteps(
	state: State,
	count: number,
	make: (index: number) => StoredMessage,
	prepare: () => number = () => 0,
): Steps {
	const { lifetime } = state;
	const first = lastStaged + 1;
	lastStaged += count;
	const range = [first, lastStaged];
	for (let index = 0; index < count; index += 1) {
		state.staged.insert({ ...make(index), mark: first + index });
		if ((index + 1) % stagedPerStep === 0) yield;
	}
	try {
		if (lifetime !== state.lifetime) return;
		publish(state, range, prepare());
		// Later turns are other transactions, so a failed write must show here.
		state.store.commit();
	} finally {
		yield* tidy(state, range);
	}
}

const droppedPerStep = 5_000;

/** Ignores a failed write: the messages are stored already. */
function* tidy({ staged, messages, settings }: State, [first = 0, last = 0]: number[]): Steps {
	try {
		for (let from = first; from <= last; from += droppedPerStep) {
			yield;
			staged.remove('mark BETWEEN ? AND ?', from, Math.min(from + droppedPerStep - 1, last));
		}
		yield* messages.keepNewestInSteps(settings.maxMessagesKept);
	} catch (error) {
		if (!(error instanceof Unwritable)) throw error;
	}
}

function publish(state: State, range: number[], laterMs: number): void {
	const [first = 0, last = 0] = range;
	const count = last - first + 1;
	// The rollback of another request's transaction may have removed a part of them.
	if (state.staged.count('mark BETWEEN ? AND ?', ...range) < count) {
		throw new Unwritable(state.store.problem ?? 'The messages were not written.');
	}
	const later = `+ ${laterMs}`;
	const moved: Record<string, string> = {
		mark: `mark + ${state.mark + 1 - first}`,
		...{ createdAtMs: `createdAtMs ${later}`, dueMs: `dueMs ${later}` },
		listedFromMs: `listedFromMs ${later}`,
	};
	const columns = state.staged.columns.map(({ name }) => moved[name] ?? `"${name}"`).join(', ');
	const sql = `INSERT INTO message SELECT ${columns} FROM staged WHERE mark BETWEEN ? AND ?`;
	state.store.write(sql, ...range);
	state.mark += count;
}

/** @throws NotFound when there is no such message */
export function findMessage(state: State, messageId: string): StoredMessage {
	const message = state.messages.findNewest('messageId = ?', messageId);
	if (!message) throw new NotFound(`There is no message with the id ${messageId}.`);
	return message;
}

/** The record as in responses of send and message history. */
export function toRecord(message: StoredMessage): MessageRecord {
	const { messageId, message: text, to, clientReference, scheduledAt, createdAt } = message;
	const { messageCount, from, network, type, status, test, encryptMessage } = message;
	return {
		...{ messageId, message: text, to, clientReference, scheduledAt, createdAt },
		...{ messageCount, from, network, type, status, test },
		...(encryptMessage && { encryptMessage }),
	};
}
