import { randomUUID } from 'node:crypto';
import { startClock } from './control/clock';
import { type Controls, createControls } from './control/controls';
import { createTraffic } from './control/traffic';
import { isLoopback } from './guard';
import { listen } from './server';
import { buildToken, nameSeedFile, readSeedFile } from './settings';
import { readStartSettings, type StartOptions } from './settings';
import { WrongValue } from './shapes';
import { createState } from './state';

export type { StatsReport } from './control/traffic';
export type { ActiveFault, Behaviour, FaultEffect, FaultRule, LoggedRequest } from './entities';
export type { OtpState, SentReceipt, StoredMail, StoredMessage, StoredOtp } from './entities';
export type { Surface } from './entities';
export { decryptMessage } from './service/encryption';
export { buildToken } from './settings';
export type { ApiCredential, ReceiptMethod, Settings, StartOptions, StrictFlags } from './settings';

/** A running sandbox, with its addresses, credentials and controls. */
export interface Sandbox extends Omit<Controls, 'internal'> {
	/** `http://host:port` */
	url: string;
	/** Base URL of the service: `url` followed by /api. */
	baseUrl: string;
	/** `apiKey`, `apiSecret` and `token` (see `buildToken`) are those of the first credential. */
	apiKey: string;
	apiSecret: string;
	token: string;
	/** For inbox and control API; undefined if they need none. */
	controlToken?: string;
	close(): Promise<void>;
}

/**
 * Starts a sandbox, on loopback by default.
 *
 * @throws Error with code EADDRINUSE when the port is in use; otherwise an Error that names the option or seed file
 *   that cannot be used. Nothing is left open then.
 */
export async function startSandbox(options: StartOptions = {}): Promise<Sandbox> {
	checkNode();
	const ends: Array<() => unknown> = [];
	const close = async (): Promise<void> => {
		for (const end of ends.splice(0).reverse()) await end();
	};
	try {
		return { ...(await open(options, ends)), close };
	} catch (error) {
		await close().catch(() => undefined);
		throw error;
	}
}

/** @param ends gets what ends each part, in the order of their starts */
async function open(options: StartOptions, ends: Array<() => unknown>) {
	const { settings, ...seed } = readSeedFile(options.seedFile);
	const given = readStartSettings(options, settings);
	const state = createState(given);
	const { host = '127.0.0.1', allowedReceivers = [], controlToken } = options;
	if (!isLoopback(host)) {
		state.allowedReceivers = allowedReceivers.map((name) => name.toLowerCase());
	}
	state.controlToken = controlToken ?? (isLoopback(host) ? undefined : randomUUID());
	const traffic = createTraffic();
	const controls = createControls(state, traffic, seed);
	const server = await listen(state, traffic, controls, options);
	ends.push(server.close, () => state.lifetime.abort());
	state.url = server.url;
	const { internal, ...others } = controls;
	try {
		internal.loadSeed();
	} catch (error) {
		throw error instanceof WrongValue ? nameSeedFile(options.seedFile, error) : error;
	}
	ends.push(startClock(state, traffic));
	const [{ apiKey, apiSecret } = { apiKey: '', apiSecret: '' }] = state.startSettings.credentials;
	return {
		...others,
		...{ url: state.url, baseUrl: `${state.url}/api`, controlToken: state.controlToken },
		...{ apiKey, apiSecret, token: buildToken({ apiKey, apiSecret }) },
	};
}

/** The versions that it is tested with. */
function checkNode(): void {
	const { node } = process.versions;
	const [major = 0, minor = 0] = node.split('.').map(Number);
	if (major >= 24 || (major === 22 && minor >= 16)) return;
	throw new Error(`The sandbox needs Node 22.16 or later, except Node 23. This is Node ${node}.
Install Node 24 from https://nodejs.org, or let npx bring it along:

  npx --yes --package node@24 node node_modules/messaging-service-sandbox/dist/sandbox.js

In a clone of the repository, npm start installs Node 24, also for npm run sandbox.`);
}
