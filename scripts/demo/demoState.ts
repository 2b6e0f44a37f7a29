import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stateFolder } from '../n8n/paths';

/** What we wrote into a credential. */
export interface KnownCredential {
	id: string;
	/** The address that it leads to. */
	address: string;
}

/** What the demo has set up in n8n already, so that a restart leaves the user's edits alone. */
export interface DemoState {
	/** Of the demo's login. */
	password: string;
	/** By the type of the credential. */
	credentials: Record<string, KnownCredential>;
	/** File name of an example -> id of the workflow that was made of it. */
	examples: Record<string, string>;
}

/** Beside n8n's database: deleting that folder resets both. */
const fileIn = (folder: string) => join(folder, '.n8n', 'demo.json');

/** n8n wants a digit and a capital letter. */
function makePassword(): string {
	return `Demo-${randomBytes(9).toString('base64url')}-1`;
}

/**
 * What is kept in the folder, with a password that is made on the first start. The folder holds keys, codes and
 * the password: nobody else on this computer is to look into it.
 */
export function openDemoState(folder = stateFolder): DemoState {
	mkdirSync(folder, { recursive: true });
	chmodSync(folder, 0o700);
	const file = fileIn(folder);
	const kept = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as object) : {};
	const state = { password: makePassword(), credentials: {}, examples: {}, ...kept };
	// Before n8n gets it, so that a start that is cut off does not lock the user out.
	saveDemoState(state, folder);
	return state;
}

export function saveDemoState(state: DemoState, folder = stateFolder): void {
	const file = fileIn(folder);
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, JSON.stringify(state, null, 2), { mode: 0o600 });
}
