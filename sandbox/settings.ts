/** The three surfaces of the service; an API key can be limited to some of them (field note 6). */
export type Surface = 'rest' | 'otp' | 'http';

export interface ApiCredential {
	apiKey: string;
	apiSecret: string;
	/** Surfaces this key may use; all when left out. */
	products?: Surface[];
	/** IP addresses this key may be used from; any when left out or empty. */
	whitelist?: string[];
}

/** How the values of a delivery receipt travel (field note 10); all but `get` are a POST. */
export type ReceiptMethod = 'query' | 'form' | 'json' | 'get';

export interface Settings {
	credentials: ApiCredential[];
	/** Status of every success, the GETs included: 201 as documented, 200 as some deployments answer. */
	successStatus: number;
	/** Each answer takes `latencyMs` plus a random part of up to `latencyJitterMs`, in milliseconds. */
	latencyMs: number;
	latencyJitterMs: number;
	/** Milliseconds between two status steps; 0 = messages move only by `advance` and `setStatus`. */
	pace: number;
	balance: number;
	/** ISO 4217 code. */
	currency: string;
	/** Price of one message part. */
	prices: { domestic: number; international: number };
	testMessagesCost: boolean;
	/** The account's receipt URL for messages without their own; empty = no receipts. */
	defaultReceiptUrl: string;
	receiptMethod: ReceiptMethod;
	/** How often a receiver that does not answer 200 is called in all. */
	receiptAttempts: number;
	/** Milliseconds before the second attempt; the pause doubles with each further one. */
	receiptRetryMs: number;
	/** A new message appears in history only after this many milliseconds. */
	historyLagMs: number;
	/** To which a random (seeded) part of up to this is added, for each message anew. */
	historyLagJitterMs: number;
	/** The second half of the messages of one bulk request appears this much later than the first. */
	bulkLagMs: number;
	/** A scheduled message appears in history only when its time has come. */
	unlistedScheduled: boolean;
	/** The sender ID that history shows and filters by in place of the one asked for; empty = that one. */
	historySender: string;
	/** Bulk answers come in random order (seeded). */
	shuffleBulk: boolean;
	/** Seed of everything random that decides behaviour: fault probability, jitter, shuffling. */
	seed: number;
	/** IP addresses that may use the service; empty = any. */
	whitelist: string[];
	/** Refuse every flag on the query-parameter surface, as field note 2 has seen. */
	strictHttpFlags: boolean;
	/** OTP request IDs above 2^53, as digits in JSON (field note 14). */
	largeRequestIds: boolean;
	/** Registered sender IDs; empty = every sender ID is registered. */
	knownSenders: string[];
	/** Base of the URLs in `links` of message history; empty = the sandbox's own address. */
	linksBaseUrl: string;
	maxMessagesKept: number;
	maxRequestsKept: number;
}

export interface StartOptions extends Partial<Settings> {
	/** 0 (the default) takes a free port. */
	port?: number;
	host?: string;
	/** Short for one unrestricted entry in `credentials`. */
	apiKey?: string;
	apiSecret?: string;
	/** File that keeps messages, codes and balance over restarts. */
	dataFile?: string;
}

const DEFAULTS: Settings = {
	credentials: [{ apiKey: 'demo-key', apiSecret: 'demo-secret' }],
	successStatus: 201,
	latencyMs: 0,
	latencyJitterMs: 0,
	pace: 1500,
	balance: 1_000_000,
	currency: 'MMK',
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
	strictHttpFlags: false,
	largeRequestIds: false,
	knownSenders: [],
	linksBaseUrl: '',
	maxMessagesKept: 100_000,
	maxRequestsKept: 100_000,
};

const SETTING_NAMES = Object.keys(DEFAULTS) as Array<keyof Settings>;

/**
 * Lays `changes` over `settings`. Names that are no setting and undefined values are left out, so that
 * the whole of the start options can be passed.
 */
export function changeSettings(settings: Settings, changes: Partial<Settings>): Settings {
	const known = SETTING_NAMES.filter((name) => changes[name] !== undefined);
	return { ...settings, ...Object.fromEntries(known.map((name) => [name, changes[name]])) };
}

export function readStartSettings(options: StartOptions): Settings {
	const settings = changeSettings(DEFAULTS, options);
	const [first] = DEFAULTS.credentials;
	if (options.credentials || !first) return settings;
	const { apiKey = first.apiKey, apiSecret = first.apiSecret } = options;
	return { ...settings, credentials: [{ apiKey, apiSecret }] };
}

/** Names in `changes` that are no setting, for a clear refusal. */
export function findUnknownSettings(changes: object): string[] {
	return Object.keys(changes).filter((name) => !(name in DEFAULTS));
}

/** API token: Base64 of `APIKey:APISecret` in UTF-8 (specification, Authentication 2). */
export function buildToken({ apiKey, apiSecret }: ApiCredential): string {
	return Buffer.from(`${apiKey}:${apiSecret}`, 'utf8').toString('base64');
}
