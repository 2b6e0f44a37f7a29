import type { ApiCredential, OtherOptions, Settings } from './entities';
import * as schemas from './schemas';
import { read, WrongValue } from './shapes';

export type { ApiCredential, Settings } from './entities';
/** How a delivery receipt carries its values (field note 10); all but `get` are a POST. */
export type ReceiptMethod = Settings['receiptMethod'];
/** Which flags must be the number 1 or 0: none, only `test` as observed (field note 2), or all. */
export type StrictFlags = Settings['strictFlags'];

/** All settings with their defaults; `schemas.ts` describes and validates them. */
export const defaultSettings: Settings = {
	credentials: [{ apiKey: 'demo-key', apiSecret: 'demo-secret' }],
	successStatus: 201,
	latencyMs: 0,
	latencyJitterMs: 0,
	pace: 1500,
	balance: 1_000_000,
	currency: 'MMK',
	numbers: {},
	prices: { domestic: 20, international: 150 },
	testMessagesCost: false,
	defaultReceiptUrl: '',
	receiptMethod: 'query',
	receiptAttempts: 3,
	receiptRetryMs: 1000,
	historyLagMs: 0,
	historyLagJitterMs: 0,
	bulkLagMs: 0,
	unlistedScheduled: false,
	historySender: '',
	shuffleBulk: false,
	seed: 1,
	whitelist: [],
	strictFlags: 'none',
	bareRefusals: false,
	strictHttpFlags: false,
	largeRequestIds: false,
	knownSenders: [],
	linksBaseUrl: '',
	maxMessagesKept: 100_000,
	maxRequestsKept: 10_000,
};

/** A certificate and its key, in PEM format. */
export type TlsOptions = Exclude<OtherOptions['tls'], boolean | undefined>;

export interface StartOptions extends Partial<Settings> {
	/** 0 (the default) selects a free port. */
	port?: number;
	host?: string;
	/** Accepted host names besides loopback and `host`, such as the name of a container. */
	allowedHosts?: string[];
	/** Shorthand for one unrestricted entry in `credentials`. */
	apiKey?: string;
	apiSecret?: string;
	/** Folder that keeps messages, codes, mails, balance, clock and late acts across restarts. */
	dataFolder?: string;
	/** Serves HTTPS with this certificate; `true` generates one (see `caFile`). */
	tls?: boolean | TlsOptions;
	/** File for the certificate authority of `tls: true`, in PEM format, that clients must trust. */
	caFile?: string;
	/** JSON file with balance, numbers, messages and faults. A kept balance or kept messages take precedence. */
	seedFile?: string;
}

/** @throws WrongValue for a name that is not a setting, or a value that is not valid */
export function changeSettings(settings: Settings, changes: Partial<Settings>): Settings {
	return { ...settings, ...dropUndefined(read(schemas.settingChanges, changes, 'settings')) };
}

function dropUndefined<T extends object>(object: T): Partial<T> {
	const given = Object.entries(object).filter(([, value]) => value !== undefined);
	return Object.fromEntries(given) as Partial<T>;
}

export function isSettingName(name: string): boolean {
	return Object.hasOwn(defaultSettings, name);
}

/** @throws WrongValue for a name that is not an option, or a value that is not valid */
export function readStartSettings(options: StartOptions): Settings {
	const given = Object.entries(dropUndefined(options));
	const pick = (isSetting: boolean) =>
		Object.fromEntries(given.filter(([name]) => isSettingName(name) === isSetting));
	const { apiKey, apiSecret, tls, caFile } = read(schemas.startOptions, pick(false), 'options');
	if (caFile !== undefined && tls !== true) throw new WrongValue('caFile is for tls: true only.');
	const settings = changeSettings(defaultSettings, pick(true));
	const [first] = defaultSettings.credentials;
	if (options.credentials || !first) return settings;
	const own = { apiKey: apiKey ?? first.apiKey, apiSecret: apiSecret ?? first.apiSecret };
	return { ...settings, credentials: [own] };
}

/** @param surface any other than the three uses the status of `rest` */
export function readSuccessStatus({ successStatus }: Settings, surface: string): number {
	if (typeof successStatus === 'number') return successStatus;
	const { rest, otp, http } = successStatus;
	return { rest, otp, http }[surface] ?? rest;
}

/** Omits API secrets. */
export function describeSettings(settings: Settings): object {
	const credentials = settings.credentials.map(({ apiKey, products, whitelist }) => ({
		...{ apiKey, products, whitelist },
	}));
	return { ...settings, credentials };
}

/** API token: Base64 of `APIKey:APISecret` in UTF-8 (specification, Authentication 2). */
export function buildToken({ apiKey, apiSecret }: ApiCredential): string {
	return Buffer.from(`${apiKey}:${apiSecret}`, 'utf8').toString('base64');
}
