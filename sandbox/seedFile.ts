import { readFileSync } from 'node:fs';
import type { FaultRule, Settings, StoredMessage } from './entities';
import { seed as seedSchema } from './schemas';
import { read } from './shapes';

/** The content of a seed file. */
export interface Seed {
	settings: Partial<Settings>;
	messages: Array<Partial<StoredMessage>>;
	faults: FaultRule[];
}

/** @throws Error that names the file and the mistake in it */
export function readSeedFile(file: string | undefined): Seed {
	if (file === undefined) return { settings: {}, messages: [], faults: [] };
	try {
		const seed = read(seedSchema, JSON.parse(readFileSync(file, 'utf8')));
		const { balance, numbers, messages = [], faults = [] } = seed;
		const settings = { ...(balance !== undefined && { balance }), ...(numbers && { numbers }) };
		return { settings, messages, faults };
	} catch (error) {
		const why = error instanceof Error ? error.message : String(error);
		throw new Error(`The seed file ${file} cannot be used: ${why}`);
	}
}
