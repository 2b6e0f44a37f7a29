import { isIP } from 'node:net';
import * as z from 'zod/v4';
import { defaultSettings, type Settings, type StartOptions } from './settings';
import { filledText, milliseconds, read, WrongValue } from './shapes';

const flag = z.boolean();
const count = z.int().min(1);
const ipAddress = z.string().refine((text) => isIP(text) > 0, 'an IP address');
const urlOrNothing = z
	.string()
	.refine(
		(text) => text === '' || (/^https?:\/\//i.test(text) && URL.canParse(text)),
		'empty or a URL such as http://localhost:5678/webhook/sms',
	);
const credential = z.strictObject({
	apiKey: filledText,
	apiSecret: filledText,
	products: z.array(z.enum(['rest', 'otp', 'http'])).optional(),
	whitelist: z.array(ipAddress).optional(),
});
const behaviour = z.strictObject({
	statuses: z.array(filledText).describe('After Accepted, in order.'),
	paceFactor: z.number().positive().max(1000).optional(),
	receipts: z.enum(['once', 'twice', 'none', 'reversed']).optional(),
	refusal: z.enum(['inBody', 'byStatus']).optional(),
	answerDelayMs: milliseconds.optional(),
	isEarly: z.boolean().optional(),
});
const price = z.number().min(0);
const success = z.int().min(200).max(299);

/** Allowed values and description of each setting. */
const settingSchemas: { [N in keyof Settings]: z.ZodType<Settings[N]> } = {
	credentials: z
		.array(credential)
		.describe(
			'API keys, each with its secret, and where wanted its surfaces (`products`) and IP `whitelist`.',
		),
	successStatus: z
		.union([success, z.strictObject({ rest: success, otp: success, http: success })])
		.describe(
			'Status of every success, the GETs included: 201 as documented, 200 as some deployments respond. `{"rest": 201, "otp": 200, "http": 200}` sets it for each surface.',
		),
	latencyMs: milliseconds.describe('Each response takes this long; the service acts halfway.'),
	latencyJitterMs: milliseconds.describe('To which a random part of up to this is added.'),
	pace: milliseconds.describe(
		'Milliseconds between two status steps; 0 = messages move only when told.',
	),
	balance: price.describe('The balance; setting it sets the balance.'),
	currency: filledText.describe('ISO 4217 code of the balance.'),
	numbers: z
		.record(z.string().regex(/^\d+$/, 'a number in digits only, such as 959779123456'), behaviour)
		.describe('What happens to messages and codes for these numbers, by 959779123456.'),
	prices: z
		.strictObject({ domestic: price, international: price })
		.describe('Price of one message part.'),
	testMessagesCost: flag.describe('Test messages are charged like others.'),
	defaultReceiptUrl: urlOrNothing.describe(
		"The account's receipt URL for messages without their own; empty = no receipts.",
	),
	receiptMethod: z
		.enum(['query', 'form', 'json', 'get'])
		.describe('How the values of a receipt travel; all but `get` are a POST.'),
	receiptAttempts: count.describe(
		'How often a receiver that does not respond with 200 is called in all.',
	),
	receiptRetryMs: milliseconds.describe(
		'Milliseconds before the second attempt; the pause doubles with each further one.',
	),
	historyLagMs: milliseconds.describe('A new message appears in history only so much later.'),
	historyLagJitterMs: milliseconds.describe(
		'To which a random part of up to this is added, drawn for each message.',
	),
	bulkLagMs: milliseconds.describe(
		'The second half of the messages of a bulk request appears in history this much later.',
	),
	unlistedScheduled: flag.describe(
		'A scheduled message appears in history only when its time has come.',
	),
	historySender: z
		.string()
		.describe(
			'History shows, and filters by, this sender ID in place of the one asked for; empty = that one.',
		),
	shuffleBulk: flag.describe('Bulk responses come in random order.'),
	seed: z.int().describe('Seed of everything random that decides behavior: faults, jitter, order.'),
	whitelist: z.array(ipAddress).describe('IP addresses that may send; empty = any.'),
	strictFlags: z
		.enum(['none', 'test', 'all'])
		.describe(
			'Flags that must be the number 1 or 0: `none` accepts booleans as documented, `test` rejects them for `test` as was seen, `all` for every flag.',
		),
	bareRefusals: flag.describe(
		'A recipient rejected inside a 2xx is answered with `status` and `message` only.',
	),
	strictHttpFlags: flag.describe(
		'Rejects every flag on the query-parameter surface, as was seen there.',
	),
	largeRequestIds: flag.describe('OTP request IDs above 2^53, as digits in JSON.'),
	knownSenders: z
		.array(filledText)
		.describe('Registered sender IDs; empty = every sender ID is registered.'),
	linksBaseUrl: urlOrNothing.describe(
		'Base of the URLs in `links` of message history; empty = the address by which the client came.',
	),
	maxMessagesKept: count.describe('Messages and codes kept; the oldest go first.'),
	maxRequestsKept: count.describe('Requests and receipts kept; the oldest go first.'),
};

export const settingsSchema = z.strictObject(settingSchemas);
export const settingChanges: z.ZodType<Partial<Settings>> = z
	.strictObject(settingSchemas)
	.partial();

/** @throws WrongValue for a name that is not a setting, or a value that is not valid */
export function changeSettings(settings: Settings, changes: Partial<Settings>): Settings {
	return { ...settings, ...dropUndefined(read(settingChanges, changes, 'settings')) };
}

function dropUndefined<T extends object>(object: T): Partial<T> {
	const given = Object.entries(object).filter(([, value]) => value !== undefined);
	return Object.fromEntries(given) as Partial<T>;
}

/** Start options that are not settings. */
const startOptions = z
	.strictObject({
		port: z.int().min(0).max(65_535),
		host: filledText,
		allowedHosts: z.array(filledText),
		apiKey: filledText,
		apiSecret: filledText,
		dataFolder: filledText,
		tls: z.union([z.boolean(), z.strictObject({ cert: filledText, key: filledText })]),
		caFile: filledText,
		seedFile: filledText,
	})
	.partial();

export function isSettingName(name: string): boolean {
	return Object.hasOwn(settingSchemas, name);
}

/** @throws WrongValue for a name that is not an option, or a value that is not valid */
export function readStartSettings(options: StartOptions): Settings {
	const given = Object.entries(options).filter(([, value]) => value !== undefined);
	const others = given.filter(([name]) => !isSettingName(name));
	const { apiKey, apiSecret, tls, caFile } = read(
		startOptions,
		Object.fromEntries(others),
		'options',
	);
	if (caFile !== undefined && tls !== true) throw new WrongValue('caFile is for tls: true only.');
	const chosen = given.filter(([name]) => isSettingName(name));
	const settings = changeSettings(defaultSettings, Object.fromEntries(chosen));
	const [first] = defaultSettings.credentials;
	if (options.credentials || !first) return settings;
	const own = { apiKey: apiKey ?? first.apiKey, apiSecret: apiSecret ?? first.apiSecret };
	return { ...settings, credentials: [own] };
}
