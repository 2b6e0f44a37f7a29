import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { StoredMessage, StoredOtp } from '../entities';
import { storeMessages } from '../service/messages';
import { storeOtp } from '../service/otp';
import type { State } from '../state';

const saveEveryMs = 3000;

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
	let hasChanged = false;
	state.listeners.add(() => (hasChanged = true));
	const save = (): void => {
		if (!hasChanged) return;
		hasChanged = false;
		saveData(state, file);
	};
	const timer = setInterval(save, saveEveryMs);
	timer.unref();
	return () => {
		clearInterval(timer);
		save();
	};
}

function restoreData(state: State, file: string): void {
	const saved = readData(file);
	state.balance = saved.balance;
	for (const otp of saved.codes) storeOtp(state, otp);
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
