import type { CodeAttempt, CodeBook, CodeRequest } from './book';
import type { CodeWorld } from './world';
import { failedItem, isRead, isUnsent, machineTime } from './reading';
import { ownerOf } from './service';
import type { Violation } from '../invariants';

/** A code that counts, as docs/otp-request.md says: from when the node looked at its item. */
interface Counted {
	process: string;
	at: number;
	order: number;
	keys: Record<string, string>;
	/** When it turned out that it was certainly not sent. */
	undone: number;
	id?: string;
	/** When this process learned that it was verified. */
	verified: number;
	/** By which it is counted; `at` is that of the response once there is one. */
	begunAt: number;
}

const second = 1000;
const hour = 3600 * second;

/** What it says, its option, its default, by what it counts, and for how long. Of a node, only unverified codes count. */
const rules: Array<
	Record<'most' | 'ms', number> & Record<'says' | 'by', string> & { option?: string }
> = [
	{ says: 'a moment ago', most: 1, by: 'recipient', ms: 30 * second },
	{ says: 'in the last 24 hours', most: 20, by: 'recipient', ms: 24 * hour },
	{
		...{ says: 'in the last hour', option: 'maxPerRecipientPerHour', most: 5 },
		...{ by: 'recipient', ms: hour },
	},
	{ says: 'too many unverified', option: 'maxPerHour', most: 300, by: 'node', ms: hour },
];
type Rule = (typeof rules)[number];

/** What the limits of each process allow, counted from what happened. */
export function judgeLimits(world: CodeWorld, book: CodeBook): Violation[] {
	const counted: Counted[] = [];
	const violations: Violation[] = [];
	const open = new Map<string, Counted>();
	const looks = book.attempts
		.filter(({ node }) => node === 'OtpRequest')
		.flatMap((attempt) =>
			Object.entries(attempt.looks).map(([item, look]) => ({ attempt, item: Number(item), look })),
		);
	const events = [
		...looks.map(({ attempt, item, look }) => ({
			order: look.order,
			run: () => begin(attempt, item),
		})),
		...looks.map(({ attempt, item }) => ({
			order: endOf(attempt, item),
			run: () => finish(attempt, item),
		})),
		...book.requests.map((one) => ({ order: one.endOrder ?? Infinity, run: () => hear(one) })),
		...book.attempts
			.filter(({ hasMemory }) => !hasMemory)
			.map(({ order, items, run }) => ({
				order,
				run: () => items.forEach((_, item) => open.delete(`${run} ${item}`)),
			})),
	];

	function begin(attempt: CodeAttempt, item: number): void {
		const { at, order } = attempt.looks[item];
		const now = { keys: keysOf(attempt, item), at, order, process: attempt.process };
		const name = `${attempt.run} ${item}`;
		const text = limitOf(attempt, item);
		const earlier = open.get(name);
		const age = machineTime(world, at) - machineTime(world, earlier?.at ?? 0);
		const lifeMs = Number(world.options.ttl ?? 600) * second;
		const isCounted = earlier !== undefined && age < lifeMs;
		if (isCounted || attempt.items[item].person.phone === '') return;
		const full = rules.filter((rule) => isFull(rule, now));
		const what = `${name}: ${text ?? full[0]?.says}`;
		const isRequested = attempt.requests.some((one) => one.item === item);
		if (isRequested && full.length > 0)
			violations.push({ sign: `8 above a limit: ${full[0].says}`, what });
		if (text !== undefined && !full.some(({ says }) => text.includes(says)))
			violations.push({ sign: '9 limited without reason', what });
		// Of a process that was killed, no output tells that an item was limited.
		if (text !== undefined || full.length > 0) return;
		const [undone, verified] = [Infinity, Infinity];
		const one = { ...now, undone, verified, begunAt: at };
		counted.push(one);
		open.set(name, one);
	}

	/** A response says that a code was sent, or verified. */
	function hear(request: CodeRequest): void {
		const { attempt, item, endOrder = 0, shownId, query } = request;
		const { process } = attempt;
		if (!isRead(request)) return;
		const one = open.get(`${attempt.run} ${item}`);
		if (request.kind === 'request') {
			if (one) one.at = request.endedAt ?? 0;
			if (one?.process === process) one.id = shownId;
			return;
		}
		const found = counted.filter(
			({ id, process: from }) => id === query.requestId && from === process,
		);
		for (const one of found) one.verified = Math.min(one.verified, endOrder);
	}

	/** Whether it turned out that the code of an item was certainly not sent. */
	function finish(attempt: CodeAttempt, item: number): void {
		const name = `${attempt.run} ${item}`;
		const one = open.get(name);
		if (one?.order !== attempt.looks[item].order) return;
		const last = attempt.requests.filter((request) => request.item === item).at(-1);
		if (last && !isUnsent(last)) return;
		one.undone = endOf(attempt, item);
		open.delete(name);
	}

	function keysOf(attempt: CodeAttempt, item: number): Counted['keys'] {
		return { node: 'node', recipient: ownerOf(attempt.items[item].person.phone) };
	}

	function isFull(rule: Rule, now: Pick<Counted, 'keys' | 'at' | 'order' | 'process'>): boolean {
		const most = Number((rule.option && world.options[rule.option]) ?? rule.most);
		if (most === 0) return false;
		const all = counted
			.filter((one) => one.process === now.process && one.keys[rule.by] === now.keys[rule.by])
			.filter((one) => one.begunAt > now.at - rule.ms && one.order < now.order)
			.filter((one) => one.undone > now.order)
			.filter((one) => rule.by === 'recipient' || one.verified > now.order);
		return all.length >= most;
	}

	for (const { run } of events.sort((a, b) => a.order - b.order)) run();
	return violations;
}

/** When the node was done with an item. */
function endOf({ looks, requests, endOrder = Infinity }: CodeAttempt, item: number): number {
	const last = requests.filter((one) => one.item === item).at(-1);
	return last ? (last.endOrder ?? Infinity) : (looks[item + 1]?.order ?? endOrder);
}

/** What an item that failed at a limit says. */
function limitOf({ outputs, error, ...attempt }: CodeAttempt, item: number): string | undefined {
	const own = outputs.flat().find(({ json }) => {
		const { kind, itemIndex } = (json.details ?? {}) as Record<string, unknown>;
		return kind === 'limited' && itemIndex === item;
	});
	if (own) return String(own.json.error);
	const { message = '' } = error ?? {};
	const isOwn = failedItem({ ...attempt, outputs, error }) === item;
	return /^No code was sent: /.test(message) && isOwn ? message : undefined;
}
