import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startClock } from './control/clock';
import { type Controls, createControls } from './control/controls';
import { createTraffic } from './control/traffic';
import { listen } from './server';
import { postOwedReceipts } from './service/receipts';
import {
	buildToken,
	dropUndefined,
	readSeedFile,
	readStartSettings,
	type StartOptions,
	type TlsOptions,
} from './settings';
import { createState } from './state';
import { createCertificate } from './tls';

export type { StatsReport } from './control/traffic';
export type {
	ActiveFault,
	Behaviour,
	FaultEffect,
	FaultRule,
	LoggedRequest,
	OtpState,
	SentReceipt,
	StoredMail,
	StoredMessage,
	StoredOtp,
	Surface,
} from './entities';
export { decryptMessage } from './service/encryption';
export { buildToken } from './settings';
export type { ApiCredential, ReceiptMethod, Settings, StartOptions, StrictFlags } from './settings';

/** A running sandbox, with its addresses, credentials and controls. */
export interface Sandbox extends Controls {
	/** `http://host:port`; `https://host:port` with `tls`. */
	url: string;
	/** Base URL of the service: `url` followed by /api. */
	baseUrl: string;
	/** `apiKey`, `apiSecret` and `token` (see `buildToken`) are those of the first credential. */
	apiKey: string;
	apiSecret: string;
	token: string;
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
	const { tls, authority } = readTls(options);
	// First of all, lock the data folder: one that another sandbox uses must stay untouched.
	const state = createState(
		readStartSettings({ ...settings, ...dropUndefined(options) }),
		options.dataFolder,
	);
	const traffic = createTraffic(state);
	const controls = createControls(state, traffic, seed);
	const server = await listen(state, traffic, controls, { ...options, tls }).catch(
		(error: unknown) => {
			state.store.close();
			throw error;
		},
	);
	state.url = server.url;
	controls.loadSeed();
	postOwedReceipts(state);
	const stopClock = startClock(state, traffic);
	const [credential = { apiKey: '', apiSecret: '' }] = state.startSettings.credentials;
	return {
		...controls,
		url: state.url,
		baseUrl: `${state.url}/api`,
		apiKey: credential.apiKey,
		apiSecret: credential.apiSecret,
		token: buildToken(credential),
		...(authority && { caFile: writeAuthority(authority, state.url, options) }),
		close: async () => {
			stopClock();
			state.lifetime.abort();
			await server.close();
			state.store.close();
		},
	};
}

function readTls({ tls, host = '127.0.0.1', allowedHosts = [] }: StartOptions): {
	tls?: TlsOptions;
	authority?: string;
} {
	if (tls !== true) return tls ? { tls } : {};
	const names = ['localhost', '*.localhost', '127.0.0.1', '::1', host, ...allowedHosts];
	const { authority, ...certified } = createCertificate([...new Set(names)]);
	return { tls: certified, authority };
}

/** The same port gets the same file name, so that clients find it after a restart. */
function writeAuthority(authority: string, url: string, options: StartOptions): string {
	const { dataFolder, caFile } = options;
	const name = `messaging-service-sandbox-${new URL(url).port}-ca.pem`;
	const file = caFile ?? (dataFolder ? join(dataFolder, 'ca.pem') : join(tmpdir(), name));
	writeFileSync(file, authority);
	return file;
}
