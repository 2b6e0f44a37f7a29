import type { Behaviour, FaultRule, StoredMessage, Surface } from './entities';

export interface ApiCredential {
	apiKey: string;
	apiSecret: string;
	/** Surfaces this key may use; all when left out. */
	products?: Surface[];
	/** IP addresses this key may send from; any when left out or empty. */
	whitelist?: string[];
}

/** How the values of a delivery receipt travel (field note 10); all but `get` are a POST. */
export type ReceiptMethod = 'query' | 'form' | 'json' | 'get';

/** Which flags must be the number 1 or 0: none, only `test` as was seen (field note 2), or all. */
export type StrictFlags = 'none' | 'test' | 'all';

/** One status for all surfaces, or one for each. */
export type SuccessStatus = number | Record<Surface, number>;

/** Each setting with its default; `settingSchemas.ts` says what it may be, and what it does. */
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

/** A certificate and its key, as PEM. */
export interface TlsOptions {
	cert: string;
	key: string;
}

export interface StartOptions extends Partial<Settings> {
	/** 0 (the default) takes a free port. */
	port?: number;
	host?: string;
	/** Names besides loopback's and `host` by which it may be called, such as that of a container. */
	allowedHosts?: string[];
	/** Short for one unrestricted entry in `credentials`. */
	apiKey?: string;
	apiSecret?: string;
	/** Folder that keeps messages, codes, balance and clock over restarts. */
	dataFolder?: string;
	/** Serves HTTPS: with this certificate, or with `true` by a certificate of its own (see `caFile`). */
	tls?: boolean | TlsOptions;
	/** Where the certificate authority of `tls: true` is kept, as PEM, for clients to trust. */
	caFile?: string;
	/** What it holds at the start; loaded into an empty sandbox only. */
	seedFile?: string;
}

/** What a sandbox holds at the start. */
export interface Seed {
	settings: Partial<Settings>;
	messages: Array<Partial<StoredMessage>>;
	faults: FaultRule[];
}

/** @param surface another one than the three has no success of its own */
export function readSuccessStatus({ successStatus }: Settings, surface: string): number {
	if (typeof successStatus === 'number') return successStatus;
	const { rest, otp, http } = successStatus;
	return { rest, otp, http }[surface] ?? rest;
}

/** Without the secrets, which the one who set them knows. */
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
