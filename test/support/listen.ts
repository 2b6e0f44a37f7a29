import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';

/** A server on a free port of loopback. `close` ends its connections too. */
export async function listen(server: Server & { closeAllConnections?(): void }) {
	await once(server.listen(0, '127.0.0.1'), 'listening');
	const { port } = server.address() as AddressInfo;
	const close = async (): Promise<void> => {
		const closed = new Promise<void>((resolve) => server.close(() => resolve()));
		server.closeAllConnections?.();
		await closed;
	};
	return { port, url: `http://127.0.0.1:${port}`, close };
}
