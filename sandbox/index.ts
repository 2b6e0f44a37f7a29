import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { createControlApp } from './control/api';
import { type Controls, createControls } from './control/controls';
import { keepData } from './control/dataFile';
import { createServiceApp } from './service/app';
import { startDelivery } from './service/delivery';
import { buildToken, readStartSettings, type StartOptions } from './settings';
import { createState, type State } from './state';
import { createPageApp } from './ui/page';

export type { FaultEffect, FaultRule } from './control/faults';
export type { LoggedRequest, StatsReport } from './control/requestLog';
export { decryptMessage } from './service/encryption';
export type { StoredMessage } from './service/messages';
export type { OtpState, StoredOtp } from './service/otp';
export type { SentReceipt } from './service/receipts';
export { buildToken } from './settings';
export type { ApiCredential, ReceiptMethod, Settings, StartOptions, Surface } from './settings';

/** A running stand-in for the service. */
export interface Sandbox extends Controls {
	/** http://host:port */
	url: string;
	/** What the credential's `baseUrl` is: `url` and /api. */
	baseUrl: string;
	/** Of the first credential. */
	apiKey: string;
	apiSecret: string;
	token: string;
	close(): Promise<void>;
}

/**
 * Starts the service on loopback.
 *
 * @throws Error with code EADDRINUSE when the port is taken
 */
export async function startSandbox(options: StartOptions = {}): Promise<Sandbox> {
	const state = createState(readStartSettings(options));
	const controls = createControls(state);
	const saveData = options.dataFile ? keepData(state, options.dataFile) : undefined;
	const server = await listen(createApp(state, controls), options).catch((error: unknown) => {
		saveData?.();
		throw error;
	});
	state.url = readUrl(server, options.host);
	const stopDelivery = startDelivery(state);
	const [credential = { apiKey: '', apiSecret: '' }] = state.startSettings.credentials;
	return {
		...controls,
		url: state.url,
		baseUrl: `${state.url}/api`,
		apiKey: credential.apiKey,
		apiSecret: credential.apiSecret,
		token: buildToken(credential),
		close: () => {
			stopDelivery();
			saveData?.();
			state.lifetime.abort();
			return closeServer(server);
		},
	};
}

function createApp(state: State, controls: Controls): Hono {
	const app = new Hono();
	app.route('/api', createServiceApp(state));
	app.route('/_sandbox/api', createControlApp(state, controls));
	app.route('/_sandbox', createPageApp(controls));
	app.get('/', (context) => context.redirect('/_sandbox'));
	return app;
}

async function listen(app: Hono, { port = 0, host = '127.0.0.1' }: StartOptions): Promise<Server> {
	const server = createAdaptorServer({
		fetch: app.fetch,
		overrideGlobalObjects: false,
		// A client that keeps its connection must not lose a request to our closing of it.
		serverOptions: { keepAliveTimeout: 65_000 },
	}) as Server;
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		// More waiting connections than Node's 511: a client may open more than a thousand at once.
		server.listen({ port, host, backlog: 4096 }, resolve);
	});
	return server;
}

function readUrl(server: Server, host = '127.0.0.1'): string {
	const { port } = server.address() as AddressInfo;
	return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function closeServer(server: Server): Promise<void> {
	return new Promise((resolve) => {
		server.close(() => resolve());
		server.closeAllConnections();
	});
}
