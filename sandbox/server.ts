import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer, Server as SecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { createControlApp } from './control/api';
import type { Controls } from './control/controls';
import { passThrough } from './control/gateway';
import type { Traffic } from './control/traffic';
import { type GuardRefusal, isOfService, maxBodyBytes, passGuard, tooLong } from './guard';
import { buildErrorBody } from './service/refusal';
import type { StartOptions, TlsOptions } from './settings';
import type { State } from './state';
import { createPageApp } from './ui/page';

export interface Running {
	/** scheme://host:port */
	url: string;
	close(): Promise<void>;
}

type ListenOptions = Omit<StartOptions, 'tls'> & { tls?: TlsOptions };

/** @throws Error with code EADDRINUSE when the port is taken */
export async function listen(
	state: State,
	traffic: Traffic,
	controls: Controls,
	{ port = 0, host = '127.0.0.1', allowedHosts = [], tls }: ListenOptions,
): Promise<Running> {
	const door = { host, allowedHosts, userAgent: state.userAgent };
	const answerOwnPaths = getRequestListener(createOwnApp(state, controls).fetch, {
		overrideGlobalObjects: false,
	});
	const answer = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
		const path = passGuard(incoming, door);
		if (typeof path !== 'string') return void refuseUnread(incoming, outgoing, path);
		// The guard and the routes must see the same path.
		incoming.url = encodeURI(path) + (/\?[^#]*/.exec(incoming.url ?? '')?.[0] ?? '');
		readBody(incoming)
			.then((body) => {
				if (body === undefined) return refuseUnread(incoming, outgoing, tooLong);
				if (isOfService(path)) {
					return passThrough(state, traffic, incoming, outgoing, body.toString('utf8'));
				}
				return answerOwnPaths(Object.assign(incoming, { rawBody: body }), outgoing);
			})
			.catch(() => outgoing.destroy());
	};
	// Long, so that an idle connection does not close just as a client reuses it.
	const options = { keepAliveTimeout: 65_000 };
	const server = tls
		? createSecureServer({ ...options, ...tls }, answer)
		: createServer(options, answer);
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		// Node's default is 511; a client may open more than a thousand connections at once.
		server.listen({ port, host, backlog: 4096 }, resolve);
	});
	return { url: readUrl(server, host), close: () => closeServer(server) };
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
	const timer = setTimeout(() => incoming.socket.destroy(), droppedForMs).unref();
	if (!incoming.readableEnded) await once(incoming, 'close').catch(() => undefined);
	clearTimeout(timer);
	outgoing.end();
}

function createOwnApp(state: State, controls: Controls): Hono {
	const app = new Hono();
	app.route('/_sandbox/api', createControlApp(controls));
	app.route('/_sandbox', createPageApp(state));
	app.get('/', (context) => context.redirect('/_sandbox'));
	return app;
}

function readUrl(server: Server, host: string): string {
	const { port } = server.address() as AddressInfo;
	const scheme = server instanceof SecureServer ? 'https' : 'http';
	return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function closeServer(server: Server): Promise<void> {
	return new Promise((resolve) => {
		server.close(() => resolve());
		server.closeAllConnections();
	});
}
