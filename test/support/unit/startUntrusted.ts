import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';

import { listen } from '../listen';

/** An HTTPS server whose certificate nobody trusts. */
export async function startUntrusted() {
	const pem = readFileSync(join(__dirname, '../../fixtures/untrusted.pem'));
	const server = createServer({ cert: pem, key: pem }, (_, response) => response.end());
	const { port, close } = await listen(server);
	return { url: `https://127.0.0.1:${port}/api`, close };
}
