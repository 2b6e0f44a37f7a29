import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startClock } from './control/clock';
import { type Controls, createControls } from './control/controls';
import { createTraffic } from './control/traffic';
import { isLoopback } from './guard';
import { listen } from './server';
import { postOwedReceipts } from './service/receipts';
import { buildToken, nameSeedFile, readSeedFile } from './settings';
import { readStartSettings, type StartOptions } from './settings';
import { WrongValue } from './shapes';
import { createState } from './state';
import { createCertificate, readPair } from './tls';

export type { StatsReport } from './control/traffic';
export type { ActiveFault, Behaviour, FaultEffect, FaultRule, LoggedRequest } from './entities';
export type { OtpState, SentReceipt, StoredMail, StoredMessage, StoredOtp } from './entities';
export type { Surface } from './entities';
export { decryptMessage } from './service/encryption';
export { buildToken } from './settings';
export type { ApiCredential, ReceiptMethod, Settings, StartOptions, StrictFlags } from './settings';

/** A running sandbox, with its addresses, credentials and controls. */
export interface Sandbox extends Omit<Controls, 'internal'> {
	/** `http://host:port`; `https://host:port` with `tls`. */
	url: string;
	/** Base URL of the service: `url` followed by /api. */
	baseUrl: string;
	/** `apiKey`, `apiSecret` and `token` (see `buildToken`) are those of the first credential. */
	apiKey: string;
	apiSecret: string;
	token: string;
	/** For inbox and control API; undefined if they need none. */
	controlToken?: string;
	/** With `tls: true`: the file with the certificate authority (PEM) that clients must trust. */
	caFile?: string;
	close(): Promise<void>;
}

/**
 * Starts a sandbox, on loopback by default.
 *
 * @throws Error with code EADDRINUSE when the port is in use; otherwise an Error that names the option, seed file
 *   or data folder that cannot be used. Nothing is left open then.
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
	// First of all, lock the data folder: one that another sandbox uses must stay untouched.
	const state = createState(given, options.dataFolder);
	ends.push(() => state.store.close());
	const { host = '127.0.0.1', allowedReceivers = [], controlToken } = options;
	if (!isLoopback(host)) {
		state.allowedReceivers = allowedReceivers.map((name) => name.toLowerCase());
	}
	state.controlToken = controlToken ?? (isLoopback(host) ? undefined : randomUUID());
	const { pair, caFile } = prepareTls(options, ends);
	const traffic = createTraffic(state);
	const controls = createControls(state, traffic, seed);
	const server = await listen(state, traffic, controls, options, pair);
	ends.push(server.close, () => state.lifetime.abort());
	state.url = server.url;
	const { internal, ...others } = controls;
	try {
		internal.loadSeed();
	} catch (error) {
		throw error instanceof WrongValue ? nameSeedFile(options.seedFile, error) : error;
	}
	postOwedReceipts(state);
	ends.push(startClock(state, traffic));
	const [{ apiKey, apiSecret } = { apiKey: '', apiSecret: '' }] = state.startSettings.credentials;
	return {
		...others,
		...{ url: state.url, baseUrl: `${state.url}/api`, caFile, controlToken: state.controlToken },
		...{ apiKey, apiSecret, token: buildToken({ apiKey, apiSecret }) },
	};
}

/** Its SQLite knows `isTransaction` from 22.16 and 24.0 on. */
function checkNode(): void {
	const { node } = process.versions;
	const [major = 0, minor = 0] = node.split('.').map(Number);
	if (major >= 24 || (major === 22 && minor >= 16)) return;
	throw new Error(`The sandbox needs Node 22.16 or later, except Node 23. This is Node ${node}.
Install Node 24 from https://nodejs.org, or let npx bring it along:

  npx --yes --package node@24 --package messaging-service-sandbox messaging-service-sandbox

In a clone of the repository, npm start installs Node 24, also for npm run sandbox.`);
}

/** @returns certificate and key, and for `tls: true` the file that clients must trust */
function prepareTls(options: StartOptions, ends: Array<() => unknown>) {
	const { tls, host = '127.0.0.1', allowedHosts = [] } = options;
	if (!tls) return {};
	if (tls !== true) return { pair: readPair(tls) };
	const names = ['localhost', '*.localhost', '127.0.0.1', '::1', host, ...allowedHosts];
	const { authority, ...pair } = createCertificate(names);
	const caFile = findCaFile(options, ends);
	try {
		writeFileSync(caFile, authority);
	} catch (error) {
		throw new Error(`The file ${caFile} cannot be written: ${(error as Error).message}.`);
	}
	return { pair, caFile };
}

/** By default in a folder that only this user can read, for as long as the sandbox runs. */
function findCaFile({ caFile, dataFolder }: StartOptions, ends: Array<() => unknown>): string {
	if (caFile !== undefined) return caFile;
	if (dataFolder !== undefined) return join(dataFolder, 'ca.pem');
	const folder = mkdtempSync(join(tmpdir(), 'messaging-service-sandbox-'));
	ends.push(() => rmSync(folder, { recursive: true, force: true }));
	return join(folder, 'ca.pem');
}
