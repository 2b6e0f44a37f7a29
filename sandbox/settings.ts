import { isIP } from 'node:net';
import type { Surface } from './entities';
import { flag, listOf, longestMs, number, objectOf, oneOf, type Shape, text } from './shape';

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

/** Which flags must be the number 1 or 0: none, only `test` as was seen (field note 2), or all. */
export type StrictFlags = 'none' | 'test' | 'all';

interface Setting<T> {
	default: T;
	shape: Shape<T>;
}

/** @param about one sentence for people */
function setting<T>(shape: Shape<T>, value: T, about: string): Setting<T> {
	const schema = { ...shape.schema, description: about };
	return { default: value, shape: { ...shape, schema } };
}

const milliseconds = number({ min: 0, max: longestMs });
const count = number({ min: 1, isWhole: true });
const filledText = text('a text that is not empty', (value) => value !== '');
const ipAddress = text('an IP address', (value) => isIP(value) > 0);
const urlOrNothing = text(
	'empty or a URL such as http://localhost:5678/webhook/sms',
	(value) => value === '' || (/^https?:\/\//i.test(value) && URL.canParse(value)),
);
const credential = objectOf<ApiCredential>(
	{
		apiKey: filledText,
		apiSecret: filledText,
		products: listOf(oneOf('rest', 'otp', 'http')),
		whitelist: listOf(ipAddress),
	},
	['apiKey', 'apiSecret'],
);
const prices = objectOf<{ domestic: number; international: number }>(
	{ domestic: number({ min: 0 }), international: number({ min: 0 }) },
	['domestic', 'international'],
);

/** Each setting once: its default, what it may be, and what it does. */
export const settingTable = {
	credentials: setting<ApiCredential[]>(
		listOf(credential),
		[{ apiKey: 'demo-key', apiSecret: 'demo-secret' }],
		'API keys, each with its secret, and where wanted its surfaces (`products`) and IP `whitelist`.',
	),
	successStatus: setting(
		number({ min: 200, max: 299, isWhole: true }),
		201,
		'Status of every success, the GETs included: 201 as documented, 200 as some deployments answer.',
	),
	latencyMs: setting(milliseconds, 0, 'Each answer takes this long; the service acts halfway.'),
	latencyJitterMs: setting(milliseconds, 0, 'To which a random part of up to this is added.'),
	pace: setting(
		milliseconds,
		1500,
		'Milliseconds between two status steps; 0 = messages move only when told.',
	),
	balance: setting(number({ min: 0 }), 1_000_000, 'The balance; setting it sets the balance.'),
	currency: setting(filledText, 'MMK', 'ISO 4217 code of the balance.'),
	prices: setting(prices, { domestic: 20, international: 150 }, 'Price of one message part.'),
	testMessagesCost: setting(flag(), false, 'Test messages are charged like others.'),
	defaultReceiptUrl: setting(
		urlOrNothing,
		'',
		"The account's receipt URL for messages without their own; empty = no receipts.",
	),
	receiptMethod: setting<ReceiptMethod>(
		oneOf('query', 'form', 'json', 'get'),
		'query',
		'How the values of a receipt travel; all but `get` are a POST.',
	),
	receiptAttempts: setting(
		count,
		3,
		'How often a receiver that does not answer 200 is called in all.',
	),
	receiptRetryMs: setting(
		milliseconds,
		1000,
		'Milliseconds before the second attempt; the pause doubles with each further one.',
	),
	historyLagMs: setting(milliseconds, 0, 'A new message appears in history only so much later.'),
	historyLagJitterMs: setting(
		milliseconds,
		0,
		'To which a random part of up to this is added, for each message anew.',
	),
	bulkLagMs: setting(
		milliseconds,
		0,
		'The second half of the messages of a bulk request appears in history this much later.',
	),
	unlistedScheduled: setting(
		flag(),
		false,
		'A scheduled message appears in history only when its time has come.',
	),
	historySender: setting(
		text(),
		'',
		'History shows, and filters by, this sender ID in place of the one asked for; empty = that one.',
	),
	shuffleBulk: setting(flag(), false, 'Bulk answers come in random order.'),
	seed: setting(
		number({ isWhole: true }),
		1,
		'Seed of everything random that decides behaviour: faults, jitter, order.',
	),
	whitelist: setting<string[]>(
		listOf(ipAddress),
		[],
		'IP addresses that may use the service; empty = any.',
	),
	strictFlags: setting<StrictFlags>(
		oneOf('none', 'test', 'all'),
		'none',
		'Flags that must be the number 1 or 0: `none` takes booleans as documented, `test` refuses them for `test` as was seen, `all` for every flag.',
	),
	bareRefusals: setting(
		flag(),
		false,
		'A recipient refused inside a 2xx is answered with `status` and `message` only.',
	),
	strictHttpFlags: setting(
		flag(),
		false,
		'Refuses every flag on the query-parameter surface, as was seen there.',
	),
	largeRequestIds: setting(flag(), false, 'OTP request IDs above 2^53, as digits in JSON.'),
	knownSenders: setting<string[]>(
		listOf(filledText),
		[],
		'Registered sender IDs; empty = every sender ID is registered.',
	),
	linksBaseUrl: setting(
		urlOrNothing,
		'',
		"Base of the URLs in `links` of message history; empty = the sandbox's own address.",
	),
	maxMessagesKept: setting(count, 100_000, 'Messages and codes kept; the oldest go first.'),
	maxRequestsKept: setting(count, 10_000, 'Requests and receipts kept; the oldest go first.'),
};

type Table = typeof settingTable;
export type Settings = { [N in keyof Table]: Table[N]['default'] };

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
}

const names = Object.keys(settingTable) as Array<keyof Settings>;

const defaults = Object.fromEntries(
	names.map((name) => [name, settingTable[name].default]),
) as Settings;

/** What a change of settings may hold. */
export const settingChanges = objectOf<Partial<Settings>>(
	Object.fromEntries(names.map((name) => [name, settingTable[name].shape])) as never,
	[],
	'settings',
);

/** @throws WrongValue for a name that is no setting, or a value it cannot have */
export function changeSettings(settings: Settings, changes: Partial<Settings>): Settings {
	return { ...settings, ...settingChanges.read(changes, '') };
}

/** What a start takes besides settings. */
const startOptions = objectOf<Omit<StartOptions, keyof Settings>>(
	{
		port: number({ min: 0, max: 65_535, isWhole: true }),
		host: filledText,
		allowedHosts: listOf(filledText),
		apiKey: filledText,
		apiSecret: filledText,
		dataFolder: filledText,
	},
	[],
	'options',
);

/** Without the secrets, which whoever set them knows. */
export function describeSettings(settings: Settings): object {
	const credentials = settings.credentials.map(({ apiKey, products, whitelist }) => ({
		apiKey,
		products,
		whitelist,
	}));
	return { ...settings, credentials };
}

/** @throws WrongValue for a name that is no option, or a value it cannot have */
export function readStartSettings(options: StartOptions): Settings {
	const isSetting = ([name]: [string, unknown]) => Object.hasOwn(settingTable, name);
	const given = Object.entries(options);
	const others = given.filter((entry) => !isSetting(entry));
	const { apiKey, apiSecret } = startOptions.read(Object.fromEntries(others), '');
	const settings = changeSettings(defaults, Object.fromEntries(given.filter(isSetting)));
	const [first] = defaults.credentials;
	if (options.credentials || !first) return settings;
	const own = { apiKey: apiKey ?? first.apiKey, apiSecret: apiSecret ?? first.apiSecret };
	return { ...settings, credentials: [own] };
}

/** API token: Base64 of `APIKey:APISecret` in UTF-8 (specification, Authentication 2). */
export function buildToken({ apiKey, apiSecret }: ApiCredential): string {
	return Buffer.from(`${apiKey}:${apiSecret}`, 'utf8').toString('base64');
}
