import type { CodeAttempt, CodeBook, CodeRequest } from './book';
import type { CodeWorld } from './world';
import { failedItem, isRead, isUnsent, machineTime } from './reading';
import { ownerOf } from './service';
import type { Violation } from '../invariants';

/** A code that counts, as docs/otp-request.md says. */
interface Counted {
	process: string;
	at: number;
	order: number;
	keys: Record<string, string | undefined>;
	/** When it turned out that it was certainly not sent. */
	undone: number;
	id?: string;
	/** When this process learned that it was verified. */
	verified: number;
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Option, its default, by what it counts, and for how long. Of all but recipients, only unverified codes count. */
const rules = [
	{ option: 'pauseSeconds', label: 'Pause (Seconds)', most: 30, by: 'recipient', ms: 0 },
	...[
		{ option: 'maxPerRecipient', label: 'Max Codes per Recipient', most: 5, ms: 10 * minute },
		{
			option: 'maxPerRecipientPerDay',
			label: 'Max Codes per Recipient per Day',
			most: 20,
			ms: day,
		},
	].map((rule) => ({ ...rule, by: 'recipient' })),
	...[
		{ option: 'maxPerHour', label: 'Max Codes per Hour', most: 300, by: 'node' },
		{ option: 'maxPerRange', label: 'Max Codes to Similar Numbers', most: 10, by: 'range' },
		{ option: 'maxPerVisitor', label: 'Max Codes per Visitor', most: 5, by: 'visitor' },
	].map((rule) => ({ ...rule, ms: hour })),
];
type Rule = (typeof rules)[number];

/** What the limits of each process allow, counted from what happened. */
export function judgeLimits(world: CodeWorld, book: CodeBook): Violation[] {
	const counted: Counted[] = [];
	const violations: Violation[] = [];
	const open = new Map<string, Counted & { hasResponse: boolean }>();
	const events = [
		...book.requests.flatMap((one) => [
			{ order: one.order, run: () => begin(one) },
			...(one.endOrder === undefined ? [] : [{ order: one.endOrder, run: () => end(one) }]),
		]),
		...book.attempts.flatMap((attempt) =>
			limitedIn(attempt).map(({ item, label, order }) => ({
				order: order + 0.5,
				run: () => limit(attempt, item, label),
			})),
		),
		...book.attempts
			.filter(({ hasMemory }) => !hasMemory)
			.map(({ order, items, run }) => ({
				order,
				run: () => items.forEach((_, item) => open.delete(`${run} ${item}`)),
			})),
	];

	function limit(attempt: CodeAttempt, item: number, label: string): void {
		const rule = rules.find((one) => one.label === label);
		const { process } = attempt;
		const isReached = ({ at, order }: { at: number; order: number }) =>
			rule !== undefined && isFull(rule, { keys: keysOf(attempt, item), at, order, process });
		const [look, end] = [attempt.looks[item], endOf(attempt, item)];
		const what = `${attempt.run}, item ${item + 1}: ${label}`;
		if (!isReached(end)) violations.push({ sign: '9 limited without reason', what });
		if (end.at > look.at && isReached(look)) violations.push({ sign: '9 limited late', what });
	}

	function begin({ kind, attempt, item, at, order }: CodeRequest): void {
		if (kind === 'check') return;
		const name = `${attempt.run} ${item}`;
		const earlier = open.get(name);
		// As the node looked when it began with the item.
		const age = machineTime(world, attempt.looks[item].at) - machineTime(world, earlier?.at ?? 0);
		if (earlier && !earlier.hasResponse && age < 10 * minute) return;
		const { process } = attempt;
		const keys = keysOf(attempt, item);
		const full = rules.find((rule) => isFull(rule, { keys, at, order, process }));
		const what = `${attempt.run}, item ${item + 1}: a code is requested above ${full?.label}`;
		if (full) violations.push({ sign: `8 above ${full.option}`, what });
		const never = Infinity;
		const one = { process, at, order, keys, undone: never, verified: never };
		counted.push(one);
		open.set(name, Object.assign(one, { hasResponse: false }));
	}

	function end(request: CodeRequest): void {
		const { attempt, item, order, endOrder = 0, shownId } = request;
		const { process } = attempt;
		const one = open.get(`${attempt.run} ${item}`);
		if (request.kind === 'check') {
			const found = counted.filter(
				({ id, process: from }) => id === request.query.requestId && from === process,
			);
			if (isRead(request)) for (const one of found) one.verified = Math.min(one.verified, endOrder);
		} else if (one && isRead(request)) {
			Object.assign(one, { hasResponse: true });
			if (one.process === process) one.id = shownId;
		} else if (one?.order === order && isUnsent(request)) {
			one.undone = endOrder;
			open.delete(`${attempt.run} ${item}`);
		}
	}

	function keysOf(attempt: CodeAttempt, item: number): Counted['keys'] {
		const { phone, visitor } = attempt.items[item].person;
		const range = phone.includes('@') ? undefined : phone.slice(0, -4);
		const isPrivate = visitor?.startsWith('172.18.') === true;
		return {
			...{ node: 'node', recipient: ownerOf(phone), range },
			visitor: isPrivate ? undefined : visitor,
		};
	}

	function isFull(rule: Rule, now: Pick<Counted, 'keys' | 'at' | 'order' | 'process'>): boolean {
		const given = Number(world.options[rule.option] ?? rule.most);
		const key = now.keys[rule.by];
		if (given === 0 || key === undefined) return false;
		const isPause = rule.option === 'pauseSeconds';
		const [most, ms] = isPause ? [1, given * second] : [given, rule.ms];
		const all = counted
			.filter((one) => one.process === now.process && one.keys[rule.by] === key)
			.filter((one) => one.at > now.at - ms && one.order < now.order && one.undone > now.order)
			.filter((one) => rule.by === 'recipient' || one.verified > now.order);
		return all.length >= most;
	}

	for (const { run } of events.sort((a, b) => a.order - b.order)) run();
	return violations;
}

/** The items of an attempt that failed at a limit. */
function limitedIn(attempt: CodeAttempt): Array<{ item: number; label: string; order: number }> {
	if (attempt.node !== 'OtpRequest') return [];
	const errors = attempt.outputs.flat().flatMap(({ json }) => {
		const { kind, description, itemIndex } = (json.details ?? {}) as Record<string, unknown>;
		return kind === 'limited'
			? [{ item: Number(itemIndex), description: String(description) }]
			: [];
	});
	const { message = '', description = '' } = attempt.error ?? {};
	if (/^No code was sent: /.test(message)) errors.push({ item: failedItem(attempt), description });
	return errors.flatMap(({ item, description: text }) => {
		const label = /edit (.*?) under Options/.exec(text)?.[1] ?? text;
		return attempt.looks[item] ? [{ item, label, order: endOf(attempt, item).order }] : [];
	});
}

/** When the node was done with an item: it works on one after the other. */
function endOf({ looks, endedAt, endOrder }: CodeAttempt, item: number) {
	return looks.slice(item + 1).find(Boolean) ?? { at: endedAt ?? 0, order: endOrder ?? 0 };
}
