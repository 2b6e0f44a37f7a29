import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { createControlApp } from './control/api';
import type { Controls } from './control/controls';
import { passThrough } from './control/gateway';
import type { Traffic } from './control/traffic';
import { findGuardRefusal, type GuardRefusal, maxBodyBytes } from './guard';
import { buildErrorBody } from './service/refusal';
import type { StartOptions } from './settings';
import type { State } from './state';
import { createPageApp } from './ui/page';

export interface Running {
	/** http://host:port */
	url: string;
	close(): Promise<void>;
}

/** @throws Error with code EADDRINUSE when the port is taken */
export async function listen(
	state: State,
	traffic: Traffic,
	controls: Controls,
	{ port = 0, host = '127.0.0.1', allowedHosts = [] }: StartOptions,
): Promise<Running> {
	const door = { host, allowedHosts, userAgent: state.userAgent };
	const answerOwnPaths = getRequestListener(createOwnApp(state, traffic, controls).fetch, {
		overrideGlobalObjects: false,
	});
	// A client that keeps its connection must not lose a request to our closing of it.
	const server = createServer({ keepAliveTimeout: 65_000 }, (incoming, outgoing) => {
		const refusal = findGuardRefusal(incoming, door);
		if (refusal) return refuseUnread(incoming, outgoing, refusal);
		if (!isOfService(incoming)) return void answerOwnPaths(incoming, outgoing);
		answerService(state, traffic, incoming, outgoing).catch(() => outgoing.destroy());
	});
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		// More waiting connections than Node's 511: a client may open more than a thousand at once.
		server.listen({ port, host, backlog: 4096 }, resolve);
	});
	return { url: readUrl(server, host), close: () => closeServer(server) };
}

function isOfService({ url = '' }: IncomingMessage): boolean {
	return /^\/api(?:[/?]|$)/.test(url);
}

async function answerService(
	state: State,
	traffic: Traffic,
	incoming: IncomingMessage,
	outgoing: ServerResponse,
): Promise<void> {
	const body = await readBody(incoming);
	if (body === undefined) {
		refuseUnread(incoming, outgoing, { status: 413, message: 'A body may have 1 MB at most.' });
	} else {
		await passThrough(state, traffic, incoming, outgoing, body);
	}
}

/** Undefined when it is too long, which a body without a length shows only while it comes. */
async function readBody(incoming: IncomingMessage): Promise<string | undefined> {
	const chunks: Buffer[] = [];
	let bytes = 0;
	for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
		chunks.push(chunk as Buffer);
		bytes += (chunk as Buffer).length;
		if (bytes > maxBodyBytes) return undefined;
	}
	return Buffer.concat(chunks).toString('utf8');
}

/** What still comes is dropped for a moment: a connection that is cut at once can lose our answer. */
function refuseUnread(
	incoming: IncomingMessage,
	outgoing: ServerResponse,
	{ status, message }: GuardRefusal,
): void {
	const headers = { 'Content-Type': 'application/json; charset=UTF-8', Connection: 'close' };
	outgoing.writeHead(status, headers).end(JSON.stringify(buildErrorBody(status, message)));
	incoming.resume();
	setTimeout(() => incoming.socket.destroy(), 1000).unref();
}

function createOwnApp(state: State, traffic: Traffic, controls: Controls): Hono {
	const app = new Hono();
	app.route('/_sandbox/api', createControlApp(controls));
	app.route('/_sandbox', createPageApp(state, traffic));
	app.get('/', (context) => context.redirect('/_sandbox'));
	return app;
}

function readUrl(server: Server, host: string): string {
	const { port } = server.address() as AddressInfo;
	return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function closeServer(server: Server): Promise<void> {
	return new Promise((resolve) => {
		server.close(() => resolve());
		server.closeAllConnections();
	});
}
