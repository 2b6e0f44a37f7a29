import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type StoredMessage, storeMessages } from '../service/messages';
import type { StoredOtp } from '../service/otp';
import type { State } from '../state';

const SAVE_EVERY_MS = 3000;

interface SavedData {
	balance: number;
	messages: StoredMessage[];
	codes: StoredOtp[];
}

/**
 * Takes up what an earlier run has left in `file`, and saves there every few seconds when something has
 * changed.
 *
 * @returns a function that saves for the last time
 * @throws Error when the file is there but cannot be read
 */
export function keepData(state: State, file: string): () => void {
	if (existsSync(file)) restoreData(state, file);
	let savedChanges = state.changes;
	const save = (): void => {
		if (savedChanges === state.changes) return;
		savedChanges = state.changes;
		saveData(state, file);
	};
	const timer = setInterval(save, SAVE_EVERY_MS);
	timer.unref();
	return () => {
		clearInterval(timer);
		save();
	};
}

function restoreData(state: State, file: string): void {
	const saved = readData(file);
	state.balance = saved.balance;
	state.codes = saved.codes;
	storeMessages(state, saved.messages);
}

function readData(file: string): SavedData {
	try {
		return JSON.parse(readFileSync(file, 'utf8')) as SavedData;
	} catch {
		throw new Error(
			`The data file ${file} cannot be read. Delete it to start with an empty sandbox.`,
		);
	}
}

/** Written beside and then renamed: a crash leaves the last whole file. */
function saveData({ balance, messages, codes }: State, file: string): void {
	const data: SavedData = { balance, messages, codes };
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(`${file}.new`, JSON.stringify(data), { mode: 0o600 });
	renameSync(`${file}.new`, file);
}
