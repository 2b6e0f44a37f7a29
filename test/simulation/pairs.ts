import { judge } from './invariants';
import { play } from './play';
import { complete, plainSend, plainTraits, type Row, type Traits, type World } from './world';

/** How a service differs, one value of one trait. */
type Shape = [trait: keyof Traits, value: unknown];

const values: Partial<Record<keyof Traits, unknown[]>> = {
	responseNumber: ['plus', 'national', 'masked', 'bare', 'short', 'missing'],
	responseOrder: ['reversed'],
	responseText: ['other'],
	number: ['plus', 'national', 'masked', 'bare', 'short', 'missing'],
	text: ['trimmed', 'cut', 'escaped', 'lineFeeds', 'other'],
	sender: ['upper', 'other'],
	reference: ['trimmed', 'number', 'lower', 'missing'],
	noReference: ['empty'],
	createdAt: ['missing', 'iso', 'offset'],
	zoneMinutes: [0, 270],
	clockMs: [-400_000],
	hasDate: [false],
	order: ['oldest'],
	paging: ['fromZero', 'twenty', 'capped', 'clamped', 'stuck', 'twins'],
	filters: ['ignored'],
	rejects: ['inWords', 'withData', 'inStatus'],
};

const shapes = Object.entries(values).flatMap(([trait, all]) =>
	all.map((value): Shape => [trait as keyof Traits, value]),
);

/** Rows of different texts, or of one text. */
function rowsOf(size: number, text: (n: number) => string, ref?: (n: number) => string): Row[] {
	return Array.from({ length: size }, (_, n) => {
		const number = `95979100${String(1000 + n)}`;
		return { to: number, numbers: [number], text: text(n), ...(ref && { ref: ref(n) }) };
	});
}

const texts = rowsOf(5, (n) => `Hello & 'you'\r\n order ${n + 1} is ready and waits `);
const sameText = rowsOf(5, () => 'Hello');
const references = rowsOf(
	3,
	(n) => `Hello ${n}`,
	(n) => `Order-${n}`,
);
const oneReference = rowsOf(
	3,
	() => 'Hello',
	() => 'Order-1',
);
const twice = [texts[0], { ...texts[0], text: 'Another text' }, texts[1], texts[1]];
const forbidden = sameText.map((row, n) => (n === 1 ? { ...row, text: 'Forbidden' } : row));

const base = { isListed: true, onError: 'continueRegularOutput' } as const;
const send = { ...base, node: 'SmsSend' } as const;
const bulk = { ...base, node: 'SmsBulkSend' } as const;
const lost = { ...plainSend, response: 'cut' as const, listsAfterMs: 2_000 };
const unsent = { ...lost, accepts: 'none' as const };
const byReference = { clientReference: '={{ $json.ref }}' };
const withReference = { options: byReference };
const skipping = { skipIfAlreadySent: true };
const again = { atMs: 5 * 60_000 };
/** The step before fails at first. A retry sends the first request; the next one, elsewhere, knows nothing of it. */
const retried = {
	onError: 'stopWorkflow' as const,
	sends: [plainSend, { ...plainSend, response: 401 as const, accepts: 'none' as const }],
	executions: [
		{
			failsBefore: true,
			retries: [
				{ of: 'original', waitMs: 1_000 },
				{ of: 'original', waitMs: 180_000, process: 1 },
			],
		},
	],
};

/** What is played in each shape. */
const plays = {
	'bulk, clean': { ...bulk, rows: texts },
	'bulk, one text': { ...bulk, rows: sameText },
	'bulk, one rejected': { ...bulk, rows: forbidden },
	'bulk, lost': { ...bulk, rows: texts, sends: [lost] },
	'bulk, one text, lost': { ...bulk, rows: sameText, sends: [lost] },
	'bulk, not accepted': { ...bulk, rows: texts, sends: [unsent] },
	'bulk, cut response': { ...bulk, rows: texts, sends: [{ ...plainSend, response: 'part' }] },
	'bulk, many lost': { ...bulk, rows: rowsOf(45, (n) => `Hi ${n}`), sends: [lost] },
	'bulk, one number, lost': { ...bulk, rows: twice, sends: [lost] },
	'bulk, retried': { ...bulk, rows: texts, options: { recipientsPerRequest: 2 }, ...retried },
	'bulk, again, skipping': {
		...bulk,
		rows: texts,
		options: skipping,
		executions: [{}, again],
	},
	'send, lost': { ...send, rows: texts, sends: [lost] },
	'send, not accepted': { ...send, rows: texts, sends: [unsent] },
	'send, one number, lost': { ...send, rows: twice, sends: [lost] },
	'send, references, lost': { ...send, rows: references, ...withReference, sends: [lost] },
	'send, one reference, lost': { ...send, rows: oneReference, ...withReference, sends: [lost] },
	'send, retried': { ...send, rows: texts, options: { parallelRequests: 1 }, ...retried },
	'send, again, skipping': {
		...send,
		rows: references,
		options: { ...byReference, ...skipping },
		executions: [{}, again],
	},
};

export interface PairResult {
	shapes: string;
	/** Signs of the invariants that broke, with the plays that showed them. */
	broken: Map<string, string[]>;
}

const nameOf = ([trait, value]: Shape) => `${trait} ${String(value)}`;

export async function playShapes(of: Shape[]): Promise<PairResult> {
	const service = { ...plainTraits, ...Object.fromEntries(of) } as Traits;
	const broken = new Map<string, string[]>();
	for (const [name, play_] of Object.entries(plays)) {
		const world = complete({ ...(play_ as unknown as Partial<World>), service });
		const signs = new Set(judge(world, await play(world)).map(({ sign }) => sign));
		for (const sign of signs) broken.set(sign, [...(broken.get(sign) ?? []), name]);
	}
	return { shapes: of.map(nameOf).join(' + ') || 'as specified', broken };
}

/** The service as specified, each shape alone, and all pairs of two traits. */
export function listPairs(): Shape[][] {
	const pairs = shapes.flatMap((one, n) =>
		shapes.slice(n + 1).flatMap((other) => (one[0] === other[0] ? [] : [[one, other]])),
	);
	return [[], ...shapes.map((one) => [one]), ...pairs];
}

/** A line for each pair that breaks an invariant more than its shapes do alone, and the totals. */
export async function printPairs(print: (line: string) => void, most = 2): Promise<number> {
	const totals = new Map<string, number>();
	const singly = new Map<string, Set<string>>();
	const pairs = listPairs().filter((of) => of.length <= most);
	let failing = 0;
	for (const of of pairs) {
		const { shapes: name, broken } = await playShapes(of);
		if (of.length < 2) singly.set(name, new Set(broken.keys()));
		const known = new Set(
			of.length < 2 ? [] : of.flatMap((one) => [...(singly.get(nameOf(one)) ?? [])]),
		);
		if (broken.size > 0) failing += 1;
		for (const [sign, by] of broken) {
			totals.set(sign, (totals.get(sign) ?? 0) + 1);
			if (!known.has(sign)) print(`${name.padEnd(44)} | ${sign} | ${by.join('; ')}`);
		}
	}
	const count = `${pairs.length} shapes and pairs, ${Object.keys(plays).length} worlds each`;
	print(`\n${count}: ${failing} break an invariant.`);
	for (const [sign, n] of totals) print(`${String(n).padStart(6)}  ${sign}`);
	return failing;
}
