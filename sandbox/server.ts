import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { createControlApp } from './control/api';
import type { Controls } from './control/controls';
import { passThrough } from './control/gateway';
import type { Traffic } from './control/traffic';
import { type GuardRefusal, isOfService, maxBodyBytes, passGuard, tooLong } from './guard';
import { buildErrorBody } from './service/refusal';
import type { StartOptions } from './settings';
import type { State } from './state';
import { createPageApp } from './ui/page';

/** @throws Error with code EADDRINUSE when the port is taken */
export async function listen(
	state: State,
	traffic: Traffic,
	controls: Controls,
	{ port = 0, host = '127.0.0.1', allowedHosts = [] }: StartOptions,
	tls: Exclude<StartOptions['tls'], true>,
) {
	const { userAgent, controlToken } = state;
	const door = { host, allowedHosts, userAgent, controlToken };
	const answerOwnPaths = getRequestListener(createOwnApp(state, controls).fetch, {
		overrideGlobalObjects: false,
	});
	const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
		const path = passGuard(incoming, door);
		if (typeof path !== 'string') return await refuseUnread(incoming, outgoing, path);
		// The guard and the routes must see the same path.
		incoming.url = encodeURI(path) + (/\?[^#]*/.exec(incoming.url ?? '')?.[0] ?? '');
		const body = await readBody(incoming);
		if (body === undefined) return await refuseUnread(incoming, outgoing, tooLong);
		if (!isOfService(path)) {
			return await answerOwnPaths(Object.assign(incoming, { rawBody: body }), outgoing);
		}
		await passThrough(state, traffic, incoming, outgoing, body.toString('utf8'));
	};
	// Long, so that an idle connection does not close just as a client reuses it.
	const options = { keepAliveTimeout: 65_000 };
	const server = tls ? createSecureServer({ ...options, ...tls }) : createServer(options);
	server.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
		answer(incoming, outgoing).catch(() => outgoing.destroy());
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
	return { url: `${tls ? 'https' : 'http'}://${name}:${bound}`, close };
}

/** Undefined if the body is too long; without Content-Length, only reading shows this. */
function readBody(incoming: IncomingMessage): Promise<Buffer | undefined> {
	return new Promise((resolve, reject) => {
		const chunks: Buffer[] = [];
		let bytes = 0;
		incoming.on('data', (chunk: Buffer) => {
			bytes += chunk.length;
			if (bytes <= maxBodyBytes) chunks.push(chunk);
			else resolve(undefined);
		});
		incoming.once('end', () => resolve(Buffer.concat(chunks))).once('error', reject);
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
	{ status, message }: GuardRefusal,
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

function createOwnApp(state: State, controls: Controls): Hono {
	const app = new Hono();
	app.route('/_sandbox/api', createControlApp(controls));
	app.route('/_sandbox', createPageApp(state));
	app.get('/', (context) => context.redirect('/_sandbox'));
	return app;
}
