import { watch } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../n8n/paths';

const watched = ['nodes', 'credentials', 'icons'];
const quietMs = 300;

/**
 * Calls `onChange` after files of the package have changed and a moment passed in which none did: editors
 * write a file in several steps. A change while `onChange` is at work is followed by another call.
 * @returns a function that ends the watching
 */
export function watchSources(onChange: () => Promise<void>): () => void {
	let timer: NodeJS.Timeout | undefined;
	let isAtWork = false;
	let hasChangedAgain = false;
	const work = async () => {
		if (isAtWork) {
			hasChangedAgain = true;
			return;
		}
		isAtWork = true;
		do {
			hasChangedAgain = false;
			await onChange();
		} while (hasChangedAgain);
		isAtWork = false;
	};
	const onEvent = () => {
		clearTimeout(timer);
		timer = setTimeout(() => void work(), quietMs);
	};
	const watchers = watched.map((folder) =>
		watch(join(projectFolder, folder), { recursive: true }, onEvent),
	);
	return () => {
		clearTimeout(timer);
		for (const watcher of watchers) watcher.close();
	};
}
