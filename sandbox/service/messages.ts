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
/** So many are stored at once, without being staged. */
export const fewMessages = 1_000;
let lastStaged = 0;

/**
 * Writes thousands of messages over several turns beside the others, and stores them in one, by one statement:
 * nobody sees a part of them, and a kill leaves all or none.
 *
 * @param prepare called before they are stored: when it throws, none is; it returns the time that they are moved by
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
		// Later turns are other transactions: whether this one is written shows here.
		state.store.commit();
	} finally {
		yield* tidy(state, range);
	}
}

const droppedPerStep = 5_000;

/** What cannot be dropped changes nothing about what was stored. */
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
	// A transaction of another request that was undone has undone a part of them.
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

/** The record as the response to a send carries it. */
export function toRecord(message: StoredMessage): MessageRecord {
	const { messageId, message: text, to, clientReference, scheduledAt, createdAt } = message;
	const { messageCount, from, network, type, status, test, encryptMessage } = message;
	return {
		...{ messageId, message: text, to, clientReference, scheduledAt, createdAt },
		...{ messageCount, from, network, type, status, test },
		...(encryptMessage && { encryptMessage }),
	};
}
