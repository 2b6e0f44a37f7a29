import type { IDataObject } from 'n8n-workflow';

import { beginning } from '../clock';
import type { Violation } from '../invariants';
import { carriedBy, type Call, type Receipt, type ReceiptWorld } from './world';
import { secret, write, type Came, type ReceiptBook, type Started } from './play';

type Invariant = (world: ReceiptWorld, book: ReceiptBook) => Violation[];

const day = 24 * 60 * 60_000;
/** A call waits at most so long for others. */
const longestWait = 21_000;
const delivered = ['delivered', 'success'];
const notDelivered = ['failed', 'undelivered'];

const wordOf = ({ status }: Receipt) => status.trim().toLowerCase();

function isAuthentic(
	{ authentication, hasAllowlist }: ReceiptWorld,
	{ secret: given, address }: Call,
): boolean {
	if (authentication === 'empty' || (hasAllowlist && !address.includes('203.0.113.'))) return false;
	return authentication === 'none' || given === 'right';
}

/** The receipts of a call that are to start the workflow. */
function wantedBy(world: ReceiptWorld, call: Call): Receipt[] {
	if (!isAuthentic(world, call)) return [];
	const lists = { onDelivered: delivered, onNotDelivered: notDelivered, Sent: ['sent'] };
	const { statuses } = world;
	const wanted = statuses.flatMap((name) => lists[name as 'Sent'] ?? []);
	return carriedBy(call).filter((one) => wanted.length === 0 || wanted.includes(wordOf(one)));
}

/** docs/receipts.md: a receipt is its message, recipient and status. */
const nameOf = (one: Receipt) => `m-${one.message} ${wordOf(one)}`;
const nameOfItem = ({ messageId, status }: IDataObject) =>
	`${String(messageId)} ${String(status).trim().toLowerCase()}`;
const isIn = ({ process, call }: Came, one: Started) =>
	one.process === process && one.trigger === call.trigger;

/** "Calls without the secret, from outside the IP Allowlist, over 1 MB, or without a receipt start nothing." */
const onlyAuthentic: Invariant = (world, book) => [
	...book.executions.flatMap((one): Violation[] =>
		one.items.flatMap((item): Violation[] => {
			const source = book.calls
				.filter((came) => isIn(came, one) && came.at <= one.at)
				.flatMap(({ call }) => wantedBy(world, call))
				.find((receipt) => isOf(world, item, receipt));
			return source ? [] : [{ sign: '1 started without a receipt', what: JSON.stringify(item) }];
		}),
	),
	...book.calls.flatMap(({ call, status, text = '' }): Violation[] => {
		if (status === undefined) return [];
		const isOk = isAuthentic(world, call);
		const isEmpty = carriedBy(call).length === 0;
		const right = !isOk
			? [401, 403, ...(world.authentication === 'empty' ? [500, 0] : [])]
			: ['large', 'chunked'].includes(call.form)
				? [413]
				: isEmpty
					? [400]
					: [200, 500, 503];
		const what = `${call.form}, ${call.secret}, ${call.address}: ${status} ${text}`;
		return right.includes(status) ? [] : [{ sign: `2 status ${status}`, what }];
	}),
];

/** The fields as they came, and what they mean. */
function isOf(world: ReceiptWorld, item: IDataObject, receipt: Receipt): boolean {
	const fields = write(world, receipt);
	const isSame = Object.entries(fields).every(
		([name, value]) => (item[name] ?? null) === (value ?? null),
	);
	const word = wordOf(receipt);
	const meaning = delivered.includes(word) ? true : notDelivered.includes(word) ? false : null;
	return isSame && item.delivered === meaning && item.final === (meaning !== null);
}

/** "A receipt starts one execution in 24 hours, unless Allow Repeated Receipts is on." */
const once: Invariant = (world, book) => {
	const items = book.executions.flatMap((one) =>
		one.items.map((item) => ({ one, name: nameOfItem(item) })),
	);
	return items.flatMap(({ one, name }, n): Violation[] => {
		const earlier = items
			.slice(0, n)
			.filter(
				(other) =>
					other.name === name &&
					other.one.process === one.process &&
					other.one.trigger === one.trigger,
			);
		const came = book.calls.filter((call) => isIn(call, one) && call.at <= one.at);
		const times = came
			.flatMap(({ call }) => wantedBy(world, call))
			.filter((receipt) => nameOf(receipt) === name);
		const isTwice = world.passOnRepeats
			? earlier.length + 1 > times.length
			: earlier.some((other) => one.at - other.one.at < day - 1_000);
		return isTwice ? [{ sign: '3 started twice', what: `${name} at ${one.at - beginning}` }] : [];
	});
};

/** "The receipt started the workflow. Or the trigger ignored it: it was a repeat, or its status isn't selected." */
const noneLost: Invariant = (world, book) =>
	book.calls
		.filter(({ status }) => status === 200)
		.flatMap((came): Violation[] => {
			const { endedAt = 0, at } = came;
			const since = world.passOnRepeats ? at : endedAt - day - 1_000;
			const started = book.executions
				.filter((one) => isIn(came, one) && one.at <= endedAt && one.at >= since)
				.flatMap(({ items }) => items.map(nameOfItem));
			const names = wantedBy(world, came.call).map(nameOf);
			const lost = names.filter((name) => !started.includes(name));
			return lost.map((what) => ({ sign: '4 accepted and lost', what }));
		});

/** With Allow Repeated Receipts, each accepted call counts. */
const eachCounts: Invariant = (world, book) => {
	if (!world.passOnRepeats) return [];
	const started = book.executions.flatMap(({ items }) => items.map(nameOfItem));
	const accepted = book.calls.filter(({ status }) => status === 200);
	const names = accepted.flatMap(({ call }) => wantedBy(world, call).map(nameOf));
	const count = (list: string[], name: string) => list.filter((one) => one === name).length;
	const lost = [...new Set(names)].filter((name) => count(started, name) < count(names, name));
	return lost.map((what) => ({ sign: '4 accepted and lost', what: `${what}, fewer times` }));
};

/** Each call starts an execution of its own receipts, and gets a response. */
const oneForEachCall: Invariant = ({ starts }, book) => {
	const slowest = Math.max(20, ...starts.map(({ ms }) => ms));
	const killed = (process: string) =>
		book.calls.some((one) => one.process === process && one.status === undefined);
	return [
		...book.executions
			.filter(({ items, of }) => items.length > of.call.receipts.length)
			.map(({ items }) => ({ sign: '5 receipts of others', what: `${items.length} items` })),
		...book.executions
			.filter(({ items }) => items.length === 0)
			.map(() => ({ sign: '5 empty execution', what: 'an execution without items' })),
		...book.calls.flatMap(({ at, endedAt, process, call }): Violation[] => {
			if (endedAt === undefined && killed(process) && call.process === 0) return [];
			const tookMs = (endedAt ?? Infinity) - at;
			const isLate = tookMs > longestWait + 2 * slowest;
			return isLate ? [{ sign: '6 no response', what: `${tookMs} ms` }] : [];
		}),
	];
};

const noSecrets: Invariant = (_, { executions, calls, log, timersLeft, unhandled }) => {
	const shown = JSON.stringify([
		executions.map(({ items }) => items),
		calls.map(({ text }) => text),
		log,
	]);
	return [
		...(shown.includes(secret.slice(0, -1))
			? [{ sign: '7 secret shown', what: shown.slice(0, 200) }]
			: []),
		...(timersLeft > 0 ? [{ sign: '8 timers left', what: String(timersLeft) }] : []),
		...unhandled.map((what) => ({ sign: '8 unhandled', what })),
	];
};

const invariants = [onlyAuthentic, once, noneLost, eachCounts, oneForEachCall, noSecrets];

export function judgeReceipts(world: ReceiptWorld, book: ReceiptBook): Violation[] {
	return invariants.flatMap((one) => one(world, book));
}

/** What happened in a world, in words. */
export function tellReceipts(
	world: ReceiptWorld,
	book: ReceiptBook,
	violations: Violation[],
): string {
	const settings = { ...world, calls: undefined };
	const seconds = (at: number) => `${((at - beginning) / 1000).toFixed(2).padStart(8)} s  `;
	const lines = [
		...book.executions.map(({ at, process, items, trigger }) => ({
			at,
			text: `${process}, trigger ${trigger} starts the workflow: ${items.map(nameOfItem).join(', ')}`,
		})),
		...book.calls.flatMap(({ call, at, endedAt, status, process }) => {
			const { form, secret: given, address, trigger } = call;
			const names = call.receipts.map(nameOf).join(', ');
			const who = `${process}, trigger ${trigger}`;
			return [
				{ at, text: `${who} is called, ${form}, secret ${given}, from ${address}: ${names}` },
				{ at: endedAt ?? at, text: `${who} responds ${status ?? 'nothing'} to ${names}` },
			];
		}),
	].sort((a, b) => a.at - b.at);
	const broken = new Map(violations.map(({ sign, what }) => [sign, `!! ${sign}: ${what}`]));
	const told = lines.slice(0, 60).map(({ at, text }) => seconds(at) + text);
	return [JSON.stringify(settings), ...told, ...broken.values()].join('\n');
}
