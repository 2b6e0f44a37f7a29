import type { State } from '../state';
import { DataFolder } from './DataFolder';
import { applyRestored, toEntry } from './entries';

/**
 * Takes up what an earlier run has left in `folder`, and writes every change there before it is answered.
 *
 * @returns a function that ends it
 * @throws Error when the folder cannot be used or a file of it cannot be read
 */
export function keepData(state: State, folder: string): () => void {
	const data = new DataFolder(folder);
	applyRestored(state, data.read());
	data.open(state);
	state.listeners.add((change) => {
		const entry = toEntry(state, change);
		if (entry) data.add(state, entry);
	});
	return () => data.close();
}
