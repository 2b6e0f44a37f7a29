import { startClock } from './control/clock';
import { type Controls, createControls } from './control/controls';
import { createTraffic } from './control/traffic';
import { keepData } from './data/keepData';
import { listen } from './server';
import { buildToken, readStartSettings, type StartOptions } from './settings';
import { createState, endLifetime } from './state';

export type { FaultEffect, FaultRule } from './control/faultRule';
export type { LoggedRequest, StatsReport } from './control/traffic';
export type {
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
	const traffic = createTraffic();
	const controls = createControls(state, traffic);
	const stopKeeping = options.dataFolder ? keepData(state, options.dataFolder) : undefined;
	const server = await listen(state, traffic, controls, options).catch((error: unknown) => {
		stopKeeping?.();
		throw error;
	});
	state.url = server.url;
	const stopClock = startClock(state, traffic);
	const [credential = { apiKey: '', apiSecret: '' }] = state.startSettings.credentials;
	return {
		...controls,
		url: state.url,
		baseUrl: `${state.url}/api`,
		apiKey: credential.apiKey,
		apiSecret: credential.apiSecret,
		token: buildToken(credential),
		close: () => {
			stopClock();
			endLifetime(state);
			stopKeeping?.();
			return server.close();
		},
	};
}
