import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createControlRoutes } from './control/api';
import type { Controls } from './control/controls';
import { passThrough } from './control/gateway';
import type { Traffic } from './control/traffic';
import { isOfService, maxBodyBytes, passGuard, refuseLong } from './guard';
import { answerOwn, type Reply } from './routing';
import { buildErrorBody, Refusal } from './service/refusal';
import type { StartOptions } from './settings';
import type { State } from './state';
import { createPageRoutes } from './ui/page';

/** @throws Error with code EADDRINUSE when the port is taken */
export async function listen(
	state: State,
	traffic: Traffic,
	controls: Controls,
	{ port = 0, host = '127.0.0.1', allowedHosts = [] }: StartOptions,
) {
	const { userAgent, controlToken } = state;
	const door = { host, allowedHosts, userAgent, controlToken };
	const routes = [...createControlRoutes(controls), ...createPageRoutes(state)];
	const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
		const path = passGuard(incoming, door);
		const body = await readBody(incoming);
		const query = /\?([^#]*)/.exec(incoming.url ?? '')?.[1] ?? '';
		const received = { method: incoming.method ?? '', path, query, body };
		if (isOfService(path)) {
			return await passThrough(state, traffic, { incoming, outgoing }, received);
		}
		const gone = new AbortController();
		outgoing.once('close', () => gone.abort());
		write(outgoing, await answerOwn(routes, { ...received, signal: gone.signal }));
	};
	// Long, so that an idle connection does not close just as a client reuses it.
	const server = createServer({ keepAliveTimeout: 65_000 });
	server.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
		answer(incoming, outgoing)
			.catch((error: unknown) => {
				if (error instanceof Refusal) return refuseUnread(incoming, outgoing, error);
				throw error;
			})
			.catch(() => outgoing.destroy());
	});
	// Node's default is 511; a client may open more than a thousand connections at once.
	await once(server.listen({ port, host, backlog: 4096 }), 'listening');
	const { port: bound } = server.address() as AddressInfo;
	const close = async (): Promise<void> => {
		const closed = once(server.close(), 'close');
		server.closeAllConnections();
		await closed;
	};
	const name = host.includes(':') ? `[${host}]` : host;
	return { url: `http://${name}:${bound}`, close };
}

function write(outgoing: ServerResponse, { status, headers, body }: Reply): void {
	const length = { 'Content-Length': Buffer.byteLength(body) };
	outgoing.writeHead(status, { ...headers, ...length }).end(body);
}

/** @throws Refusal if it is too long; without Content-Length, only reading shows this */
function readBody(incoming: IncomingMessage): Promise<string> {
	return new Promise((resolve, reject) => {
		const chunks: Buffer[] = [];
		let bytes = 0;
		incoming.on('data', (chunk: Buffer) => {
			bytes += chunk.length;
			if (bytes <= maxBodyBytes) chunks.push(chunk);
			else reject(refuseLong());
		});
		incoming.once('end', () => resolve(Buffer.concat(chunks).toString())).once('error', reject);
	});
}

const maxDroppedBytes = 64_000_000;
const droppedForMs = 30_000;

/**
 * Responds at once, then drops the rest of the body (limited in size and time) before it closes the connection:
 * many clients read the response only after sending the whole body.
 */
async function refuseUnread(
	incoming: IncomingMessage,
	outgoing: ServerResponse,
	{ status, message }: Refusal,
): Promise<void> {
	const body = JSON.stringify(buildErrorBody(status, message));
	const type = { 'Content-Type': 'application/json; charset=UTF-8', Connection: 'close' };
	outgoing.writeHead(status, { ...type, 'Content-Length': Buffer.byteLength(body) }).write(body);
	let bytes = 0;
	incoming.on('data', (chunk: Buffer) => {
		bytes += chunk.length;
		if (bytes > maxDroppedBytes) incoming.socket.destroy();
	});
	incoming.resume();
	const signal = AbortSignal.timeout(droppedForMs);
	if (!incoming.readableEnded) {
		await once(incoming, 'close', { signal }).catch(() => incoming.socket.destroy());
	}
	outgoing.end();
}
