import { Chance } from '../chance';

/** Calls of the service to SMS Delivery Receipt Trigger, as plain JSON. The same world gives the same story. */
export interface ReceiptWorld {
	kind: 'receipts';
	seed: number;
	/** Trigger On. */
	statuses: string[];
	passOnRepeats: boolean;
	/** `empty`: an expression without a value. */
	authentication: 'secret' | 'none' | 'empty';
	hasAllowlist: boolean;
	/** How the service writes numbers. */
	number: 'usual' | 'masked' | 'missing';
	calls: Call[];
	/** What n8n does with its n-th execution; nothing special after the last. */
	starts: StartPlan[];
	kills: Array<{ atMs: number; process: number }>;
}

export interface Call {
	atMs: number;
	process: number;
	/** Of two triggers. */
	trigger: 'A' | 'B';
	/** Milliseconds before each repeat while the response is no 2xx. */
	repeats: number[];
	receipts: Receipt[];
	form: keyof typeof forms;
	secret: 'right' | 'wrong' | 'short' | 'missing' | 'twice';
	address: string;
}

export interface Receipt {
	/** Number of the message. */
	message: number;
	/** As written. */
	status: string;
	/** How its number is written, where it is shown. */
	spelling: 'usual' | 'plus' | 'national';
	clientReference?: string;
	updatedAt: string;
}

export interface StartPlan {
	/** How long n8n takes to save an execution. */
	ms: number;
	/** Whether it fails, as with a full database. */
	fails: boolean;
}

export type Fields = Record<string, unknown>;

/** What n8n gives to the trigger. */
export interface Wire {
	type?: string;
	query?: Fields;
	body?: unknown;
	text?: string;
}

const json = 'application/json';
const urlencoded = 'application/x-www-form-urlencoded';
const encode = (fields: Fields) =>
	new URLSearchParams(
		Object.entries(fields).flatMap(([name, value]) =>
			value === undefined ? [] : [[name, String(value)] as [string, string]],
		),
	).toString();
const ofJson = (value: unknown): Wire => ({ type: json, body: value, text: JSON.stringify(value) });

/** How a call carries receipts. Forms with one receipt carry the first. */
export const forms = {
	query: ([query]: Fields[]): Wire => ({ query, body: {} }),
	json: ([one]: Fields[]) => ofJson(one),
	list: (all: Fields[]) => ofJson(all),
	form: ([one]: Fields[]): Wire => ({ type: urlencoded, body: { ...one }, text: encode(one) }),
	/** What PHP does with JSON. */
	mislabeled: ([one]: Fields[]): Wire => {
		const text = JSON.stringify(one);
		return { type: urlencoded, body: { [text]: '' }, text };
	},
	unlabeled: ([one]: Fields[]): Wire => ({ type: 'text/x-unknown', text: JSON.stringify(one) }),
	multipart: ([one]: Fields[]): Wire => ({
		type: 'multipart/form-data; boundary=x',
		body: { data: one },
	}),
	split: ([{ status, ...query }]: Fields[]): Wire => ({ ...ofJson({ status }), query }),
	extra: ([one]: Fields[]) => ofJson({ ...one, to2: 'x', delivered: 'no', receiptId: '1' }),
	mixed: (all: Fields[]) => ofJson([...all, 'x']),
	// No receipts.
	empty: (): Wire => ({ body: {} }),
	broken: ([one]: Fields[]): Wire => ({
		type: json,
		body: {},
		text: JSON.stringify(one).slice(0, -2),
	}),
	withoutStatus: ([one]: Fields[]) => ofJson({ ...one, status: undefined }),
	withoutId: ([one]: Fields[]) => ofJson({ ...one, messageId: ' ' }),
	nested: ([one]: Fields[]) => ofJson({ ...one, status: { text: one.status } }),
	control: ([one]: Fields[]) => ofJson({ ...one, messageId: 'a\u0000b' }),
	large: ([one]: Fields[]) => ofJson({ ...one, more: 'x'.repeat(1_000_001) }),
	/** The same without Content-Length. */
	chunked: ([one]: Fields[]) => ofJson({ ...one, more: 'x'.repeat(1_000_001) }),
};
const listed: Array<keyof typeof forms> = ['list', 'mixed'];
const invalid: Array<keyof typeof forms> = [
	...([
		'empty',
		'broken',
		'withoutStatus',
		'withoutId',
		'nested',
		'control',
		'large',
		'chunked',
	] as const),
];

/** The receipts that a call carries; none if it is not a delivery receipt. */
export function carriedBy({ form, receipts }: Call): Receipt[] {
	if (invalid.includes(form)) return [];
	return listed.includes(form) ? receipts : receipts.slice(0, 1);
}

export const plainReceipts: Record<string, unknown> = {
	...{ statuses: [], passOnRepeats: false, authentication: 'secret' },
	...{ hasAllowlist: false, number: 'usual', kills: [], starts: [], process: 0, trigger: 'A' },
	...{ repeats: [], form: 'json', secret: 'right', spelling: 'usual', ms: 20, fails: false },
};

const spellings = { Delivered: 'DELIVERED ', Failed: 'failed', Sent: ' sent', '?': '?' };
const words = ['Delivered', 'Failed', 'Sent', '?', 'Queued', 'Success', 'Undelivered'];
export const allowed = '203.0.113.7';

export function drawReceipts(seed: number): ReceiptWorld {
	const chance = new Chance(seed ^ 0xace);
	const messages = chance.between(1, 6);
	const drawReceipt = (): Receipt => {
		const status = chance.pick(words);
		const isOdd = chance.is(0.2) && status in spellings;
		return {
			message: chance.between(1, messages),
			status: isOdd ? spellings[status as 'Sent'] : status,
			spelling: chance.choose({ usual: 6, plus: 1, national: 1 }),
			...(chance.is(0.5) && { clientReference: chance.pick(['', 'order 1', 'a\nb', '007']) }),
			updatedAt: chance.pick(['2030-01-16 09:31:00', '2030-01-16 09:32:10', '0000-00-00 00:00:00']),
		};
	};
	const isBusy = chance.is(0.5);
	const calls = Array.from(
		{ length: chance.between(1, 14) },
		(): Call => ({
			atMs: chance.between(
				0,
				chance.choose({ now: 6, soon: 3, late: 1 }) === 'late' ? 90_000_000 : isBusy ? 300 : 40_000,
			),
			process: chance.is(0.9) ? 0 : 1,
			trigger: chance.is(0.9) ? 'A' : 'B',
			repeats: Array.from({ length: chance.between(0, 3) }, () => chance.pick([50, 1000, 30_000])),
			receipts: Array.from({ length: chance.is(0.7) ? 1 : chance.between(2, 5) }, drawReceipt),
			form: chance.is(0.85)
				? chance.pick(
						(Object.keys(forms) as Array<Call['form']>).filter((one) => !invalid.includes(one)),
					)
				: chance.pick(invalid),
			secret: chance.choose({ right: 90, wrong: 3, short: 2, missing: 3, twice: 2 }),
			address: chance.choose({ [allowed]: 90, '::ffff:203.0.113.9': 4, '198.51.100.1': 5, '': 1 }),
		}),
	);
	return {
		...{ kind: 'receipts', seed },
		statuses: chance.is(0.7)
			? []
			: chance.pick([['onDelivered'], ['onNotDelivered', 'Sent'], ['*']]),
		passOnRepeats: chance.is(0.15),
		authentication: chance.choose({ secret: 90, none: 7, empty: 3 }),
		hasAllowlist: chance.is(0.3),
		number: chance.choose({ usual: 7, masked: 2, missing: 1 }),
		calls,
		starts: Array.from({ length: 10 }, () => ({
			ms: chance.is(0.9) ? chance.between(1, 300) : chance.between(5_000, 30_000),
			fails: chance.is(0.15),
		})),
		kills: chance.is(0.2) ? [{ atMs: chance.between(0, isBusy ? 600 : 40_000), process: 0 }] : [],
	};
}
