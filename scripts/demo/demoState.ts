import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stateFolder } from '../n8n/paths';

/** What the demo has set up in n8n already, so that a restart leaves the user's edits alone. */
export interface DemoState {
	credentialId?: string;
	/** The address that we wrote into the credential. */
	baseUrl?: string;
	/** File name of an example -> id of the workflow that was made of it. */
	examples: Record<string, string>;
}

/** Beside n8n's database: whoever deletes that folder starts afresh. */
const stateFile = join(stateFolder, '.n8n', 'demo.json');

export function readDemoState(): DemoState {
	if (!existsSync(stateFile)) return { examples: {} };
	return JSON.parse(readFileSync(stateFile, 'utf8')) as DemoState;
}

export function saveDemoState(state: DemoState): void {
	writeFileSync(stateFile, JSON.stringify(state, null, 2));
}
