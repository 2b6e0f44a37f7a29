import { join } from 'node:path';

/** How often the n8n of the tests looks for waits that end soon. By itself it looks once a minute, as in queue mode. */
export const lookSeconds = 2;

/** Settings for such an n8n. */
export const lookOften = {
	NODE_OPTIONS: `--require ${JSON.stringify(join(__dirname, 'waitTracker.cjs'))}`,
	LOOK_EVERY_MS: String(lookSeconds * 1000),
};
