import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startClock } from './control/clock';
import { type Controls, createControls } from './control/controls';
import { createTraffic } from './control/traffic';
import { isLoopback } from './guard';
import { listen } from './server';
import { postOwedReceipts } from './service/receipts';
import { buildToken, readSeedFile, readStartSettings, type StartOptions } from './settings';
import { createState } from './state';
import { createCertificate } from './tls';

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
 *   or data folder that cannot be used
 */
export async function startSandbox(options: StartOptions = {}): Promise<Sandbox> {
	const { settings, ...seed } = readSeedFile(options.seedFile);
	const given = readStartSettings(options, settings);
	const { host = '127.0.0.1', allowedHosts = [] } = options;
	const names = ['localhost', '*.localhost', '127.0.0.1', '::1', host, ...allowedHosts];
	const own = options.tls === true ? createCertificate(names) : undefined;
	const tls = options.tls === true ? own : options.tls;
	// First of all, lock the data folder: one that another sandbox uses must stay untouched.
	const state = createState(given, options.dataFolder);
	if (!isLoopback(host)) {
		state.allowedReceivers = options.allowedReceivers?.map((name) => name.toLowerCase()) ?? [];
	}
	state.controlToken = options.controlToken ?? (isLoopback(host) ? undefined : randomUUID());
	const traffic = createTraffic(state);
	const controls = createControls(state, traffic, seed);
	const listening = listen(state, traffic, controls, options, tls);
	const server = await listening.catch((error: unknown) => {
		state.store.close();
		throw error;
	});
	state.url = server.url;
	const { internal, ...open } = controls;
	internal.loadSeed();
	postOwedReceipts(state);
	const stopClock = startClock(state, traffic);
	const [{ apiKey, apiSecret } = { apiKey: '', apiSecret: '' }] = state.startSettings.credentials;
	return {
		...open,
		...{ url: state.url, baseUrl: `${state.url}/api` },
		...{ apiKey, apiSecret, token: buildToken({ apiKey, apiSecret }) },
		controlToken: state.controlToken,
		...(own && { caFile: writeAuthority(own.authority, state.url, options) }),
		close: async () => {
			stopClock();
			state.lifetime.abort();
			await server.close();
			state.store.close();
		},
	};
}

/** The same port gets the same file name, so that clients find it after a restart. */
function writeAuthority(authority: string, url: string, options: StartOptions): string {
	const { dataFolder, caFile } = options;
	const name = `messaging-service-sandbox-${new URL(url).port}-ca.pem`;
	const file = caFile ?? (dataFolder ? join(dataFolder, 'ca.pem') : join(tmpdir(), name));
	writeFileSync(file, authority);
	return file;
}
