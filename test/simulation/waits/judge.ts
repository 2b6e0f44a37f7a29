import { beginning } from '../clock';
import type { Violation } from '../invariants';
import type { Called, WaitBook } from './play';
import type { WaitCall, WaitWorld } from './world';

type Invariant = (world: WaitWorld, book: WaitBook) => Violation[];

const delivered = ['Delivered', 'Success'];
const notDelivered = ['Failed', 'Undelivered'];

const isWhole = ({ form }: WaitCall) => form !== 'broken' && form !== 'withoutStatus';

/** Calls of the service with the proof, about the message that is awaited. */
function receiptsOf({ calls }: WaitBook): Called[] {
	return calls.filter(({ by }) => by.proof === 'right' && by.message === 'own' && isWhole(by));
}

/** The outcome that a status means, if it ends the wait. */
function outcomeOf(status: string, waitFor: WaitWorld['waitFor']): string | undefined {
	if (delivered.includes(status)) return 'delivered';
	return notDelivered.includes(status) && waitFor === 'anyFinal' ? 'notDelivered' : undefined;
}

/** The execution ends once, with one item. */
const endsOnce: Invariant = ({ killAtMs }, { ends, sent, waits }) => {
	// n8n has saved nothing of what was killed before its wait.
	const isLost =
		killAtMs !== undefined &&
		ends.length === 0 &&
		killAtMs <= (waits?.at ?? Infinity) + 3_100 - beginning;
	return [
		...(ends.length === 1 || isLost ? [] : [{ sign: '1 ends', what: `${ends.length} times` }]),
		...(sent.length > 1 ? [{ sign: '1 sent twice', what: `${sent.length} messages` }] : []),
		...ends
			.filter(({ items }) => items.length !== 1)
			.map(({ items }) => ({ sign: '1 items', what: `${items.length} items` })),
	];
};

/** Never an outcome that neither a receipt nor history has shown. */
const outcomeIsTrue: Invariant = ({ waitFor, statuses, minutes }, book) =>
	book.ends.flatMap(({ at, by, items: [item] }): Violation[] => {
		if (by === 'error') return [{ sign: '2 fails', what: JSON.stringify(item) }];
		const { outcome } = item;
		const shown = [
			...statuses.filter(({ atMs }) => book.sentAt + atMs <= at).map(({ status }) => status),
			...receiptsOf(book)
				.filter((one) => one.at <= at)
				.map((one) => one.by.status),
		];
		// At the time limit, any final status counts. The node itself ends with its last lookup before a short one.
		const { until = book.sentAt + minutes * 60_000 } = book.waits ?? {};
		const isAtEnd = at > until - 6_000;
		const meant = shown.map((status) => outcomeOf(status, isAtEnd ? 'anyFinal' : waitFor));
		const isShown = outcome === 'timedOut' || meant.includes(String(outcome));
		const isOfNode = by === 'node' && !book.waits && isAtEnd;
		const isLate = by === 'limit' || isOfNode || outcome !== 'timedOut';
		if (by === 'call' && at > until + 1_000) return [{ sign: '2 ends too late', what: `${at}` }];
		return isShown && isLate ? [] : [{ sign: `2 ${String(outcome)} by ${by}`, what: shown.join() }];
	});

/** A receipt that was accepted in time ends the wait. */
const receiptEndsIt: Invariant = ({ waitFor }, book) => {
	const { waits, ends } = book;
	if (!waits) return [];
	return receiptsOf(book).flatMap(({ at, status, by }): Violation[] => {
		const outcome = outcomeOf(by.status, waitFor);
		const hasEnded = ends.some((one) => one.at <= at && one.by !== 'limit');
		if (status !== 200 || outcome === undefined || at >= waits.until) return [];
		return hasEnded ? [] : [{ sign: '3 accepted, and waits on', what: `${by.status} at ${at}` }];
	});
};

/** Only the service and the node know the addresses. */
const onlyAuthentic: Invariant = (_, { calls }) =>
	calls.flatMap((one): Violation[] => {
		const { by } = one;
		const right =
			by.proof !== 'right' ? [401, 409] : isWhole(by) ? [200, 409, 0] : [400, 200, 409, 0];
		if (right.includes(one.status) || one.status === 0) return [];
		return [{ sign: `4 status ${one.status}`, what: `${by.proof}, ${by.form}: ${one.text}` }];
	});

/** sms-send-and-wait.md: the node reads message history in the first 30 seconds. */
const historyEndsIt: Invariant = ({ killAtMs, reads, waitFor, statuses, minutes }, book) => {
	if (killAtMs !== undefined || reads.some((one) => one !== 'records')) return [];
	const lastLook = Math.min(minutes * 60_000, 30_000) - 4_000;
	// Services that take a final status back are not promised anything.
	const isShown = statuses.some(
		({ status, atMs }, n) =>
			atMs <= lastLook &&
			(statuses[n + 1]?.atMs ?? Infinity) > lastLook + 4_000 &&
			outcomeOf(status, waitFor) !== undefined,
	);
	const left = book.ends.find(
		({ by, items: [item] }) => by !== 'call' && item?.outcome === 'timedOut',
	);
	return isShown && left ? [{ sign: '5 history is not read', what: JSON.stringify(statuses) }] : [];
};

/** Nothing of an address leaves, and nothing stays. */
const nothingStays: Invariant = (_, { ends, timersLeft, unhandled }) => [
	...(/proof=|signature=/.test(JSON.stringify(ends))
		? [{ sign: '6 address shown', what: JSON.stringify(ends).slice(0, 300) }]
		: []),
	...(timersLeft > 0 ? [{ sign: '7 timers left', what: String(timersLeft) }] : []),
	...unhandled.map((what) => ({ sign: '7 unhandled', what })),
];

const invariants = [
	...[endsOnce, outcomeIsTrue, receiptEndsIt, onlyAuthentic, historyEndsIt, nothingStays],
];

export function judgeWaits(world: WaitWorld, book: WaitBook): Violation[] {
	return invariants.flatMap((one) => one(world, book));
}

/** What happened in a world, in words. */
export function tellWaits(world: WaitWorld, book: WaitBook, violations: Violation[]): string {
	const seconds = (at: number) => `${((at - beginning) / 1000).toFixed(1).padStart(8)} s  `;
	const { calls, ends, waits, sentAt } = book;
	const lines = [
		{ at: sentAt, text: 'the service accepts the message' },
		...world.statuses.map(({ atMs, status }) => ({ at: sentAt + atMs, text: `it is ${status}` })),
		...(waits ? [{ at: waits.at, text: `n8n waits until ${seconds(waits.till)}` }] : []),
		...calls.map(({ by, at, status, text }) => ({
			at,
			text: `${JSON.stringify(by)}: ${status} ${text}`,
		})),
		...ends.map(({ at, by, items }) => ({
			at,
			text: `ends by ${by}: ${items.map(({ outcome, status }) => `${outcome}, ${status}`).join()}`,
		})),
	].sort((a, b) => a.at - b.at);
	const broken = new Map(violations.map(({ sign, what }) => [sign, `!! ${sign}: ${what}`]));
	const told = lines.slice(0, 60).map(({ at, text }) => seconds(at) + text);
	return [JSON.stringify(world), ...told, ...broken.values()].join('\n');
}
