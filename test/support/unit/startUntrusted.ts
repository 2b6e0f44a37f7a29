import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/** An HTTPS server whose certificate nobody trusts. */
export async function startUntrusted() {
	const pem = readFileSync(join(__dirname, '../../fixtures/untrusted.pem'));
	const server = createServer({ cert: pem, key: pem }, (_, response) => response.end());
	await once(server.listen(0, '127.0.0.1'), 'listening');
	const { port } = server.address() as AddressInfo;
	const close = () => {
		server.close();
		server.closeAllConnections();
	};
	return { url: `https://127.0.0.1:${port}/api`, close };
}
