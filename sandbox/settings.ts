import type { Behaviour, FaultRule, StoredMessage, Surface } from './entities';

export interface ApiCredential {
	apiKey: string;
	apiSecret: string;
	/** Surfaces this key may use; default: all. */
	products?: Surface[];
	/** IP addresses this key may send from; any if omitted or empty. */
	whitelist?: string[];
}

/** How a delivery receipt carries its values (field note 10); all but `get` are a POST. */
export type ReceiptMethod = 'query' | 'form' | 'json' | 'get';

/** Which flags must be the number 1 or 0: none, only `test` as observed (field note 2), or all. */
export type StrictFlags = 'none' | 'test' | 'all';

/** HTTP status of a success: one for all surfaces, or one for each. */
export type SuccessStatus = number | Record<Surface, number>;

/** All settings with their defaults; `settingSchemas.ts` describes and validates them. */
export const defaultSettings = {
	credentials: [{ apiKey: 'demo-key', apiSecret: 'demo-secret' }] as ApiCredential[],
	successStatus: 201 as SuccessStatus,
	latencyMs: 0,
	latencyJitterMs: 0,
	pace: 1500,
	balance: 1_000_000,
	currency: 'MMK',
	numbers: {} as Record<string, Behaviour>,
	prices: { domestic: 20, international: 150 },
	testMessagesCost: false,
	defaultReceiptUrl: '',
	receiptMethod: 'query' as ReceiptMethod,
	receiptAttempts: 3,
	receiptRetryMs: 1000,
	historyLagMs: 0,
	historyLagJitterMs: 0,
	bulkLagMs: 0,
	unlistedScheduled: false,
	historySender: '',
	shuffleBulk: false,
	seed: 1,
	whitelist: [] as string[],
	strictFlags: 'none' as StrictFlags,
	bareRefusals: false,
	strictHttpFlags: false,
	largeRequestIds: false,
	knownSenders: [] as string[],
	linksBaseUrl: '',
	maxMessagesKept: 100_000,
	maxRequestsKept: 10_000,
};

export type Settings = typeof defaultSettings;

/** A certificate and its key, in PEM format. */
export interface TlsOptions {
	cert: string;
	key: string;
}

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

/** The content of a seed file. */
export interface Seed {
	settings: Partial<Settings>;
	messages: Array<Partial<StoredMessage>>;
	faults: FaultRule[];
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
