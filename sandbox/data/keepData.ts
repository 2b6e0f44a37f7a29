import type { State } from '../state';
import { DataFolder } from './DataFolder';
import { applyRestored, createRestored, listEntries, restoreEntry, writeChange } from './entries';

/**
 * Takes up what an earlier run has left in `folder`, and writes every change there before it is answered.
 *
 * @returns a function that ends it
 * @throws Error when the folder cannot be used or a file of it cannot be read
 */
export function keepData(state: State, folder: string): () => void {
	const data = new DataFolder(folder, () => listEntries(state));
	const restored = createRestored(state.settings.maxMessagesKept);
	data.read((entry) => restoreEntry(restored, entry));
	applyRestored(state, restored);
	data.open();
	state.listeners.add((change) => {
		const written = writeChange(state, change);
		if (written) data.add(written);
	});
	state.keeper = data;
	return () => data.close();
}
