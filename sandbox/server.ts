import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { createControlApp } from './control/api';
import type { Controls } from './control/controls';
import { passThrough } from './control/gateway';
import type { Traffic } from './control/traffic';
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
	{ port = 0, host = '127.0.0.1' }: StartOptions,
): Promise<Running> {
	const answerOwnPaths = getRequestListener(createOwnApp(state, traffic, controls).fetch, {
		overrideGlobalObjects: false,
	});
	// A client that keeps its connection must not lose a request to our closing of it.
	const server = createServer({ keepAliveTimeout: 65_000 }, (incoming, outgoing) => {
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
	await passThrough(state, traffic, incoming, outgoing, await text(incoming));
}

function createOwnApp(state: State, traffic: Traffic, controls: Controls): Hono {
	const app = new Hono();
	app.route('/_sandbox/api', createControlApp(state, traffic, controls));
	app.route('/_sandbox', createPageApp(controls));
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
