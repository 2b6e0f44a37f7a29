import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for each test. @returns the path of a name in it */
export function useFolder() {
	let folder = '';
	beforeEach(() => void (folder = mkdtempSync(join(realpathSync(tmpdir()), 'test-'))));
	afterEach(() => rmSync(folder, { recursive: true, force: true }));
	return (...names: string[]) => join(folder, ...names);
}
