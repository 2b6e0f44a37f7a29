import type { Attempt, Book, Item, Request, Stored } from './book';
import { toDigits } from './service';
import { partlyAccepted, plainTraits, timeOuts, type SendPlan, type World } from './world';

/* What the invariants read in the book of a world. */

export const minute = 60_000;

export function groupBy<T>(list: T[], keyOf: (one: T) => string): Map<string, T[]> {
	const groups = new Map<string, T[]>();
	for (const one of list) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
	return groups;
}

export const isBulk = ({ node }: World) => node === 'SmsBulkSend';
export const isTool = ({ kind }: Attempt) => kind === 'tool';
export const canSkip = ({ options }: World) => options.skipIfAlreadySent === true;
export const isReport = ({ options }: World) => options.whenOutcomeUnknown === 'report';
/** Whether no message may be sent again while it is in doubt, unless it is no longer scheduled. */
export const isSentOnce = (world: World) =>
	isReport(world) || world.options.scheduledAt !== undefined;

/** The runs of a node: all attempts at the same round of the same execution, over all retries. */
export function runsOf({ attempts }: Book): Attempt[][] {
	return [...groupBy(attempts, ({ family, pass }) => `${family} ${pass}`).values()];
}

/** What the service has accepted, or will, from some attempts. */
export function storedBy(attempts: Attempt[], until = Infinity): Stored[] {
	const all = attempts.flatMap(({ requests }) => requests.flatMap(({ stored }) => stored));
	return all.filter(({ createdAt }) => createdAt <= until);
}

/**
 * Runs whose messages history cannot tell apart, which are bulk messages and those with the user's reference, are one
 * group: it is the same to people which of them sent.
 */
export function sharedRuns(world: World, book: Book): Attempt[][][] {
	return isShared(world) ? [runsOf(book)] : runsOf(book).map((run) => [run]);
}

export const isShared = (world: World) =>
	isBulk(world) || world.options.clientReference !== undefined;

/** Whether history shows which message of a run a record is. */
export const isNamed = (world: World) => !isBulk(world) && world.service.reference !== 'missing';

/** never-twice.md: "A retry counts a message with the same number, text and sender ID [...] as its own": no other. */
export function isRecognised(world: World, attempts: Attempt[]): boolean {
	const { text, sender, createdAt } = world.service;
	const isApart = new Set(attempts.map(({ process }) => process)).size > 1;
	// never-twice.md: "A service changes texts in history, and bulk messages are retried in several n8n processes".
	const isGivenBack = attempts.some(({ isRetry, state }) => !isRetry && state === 'threw');
	const isOther = text === 'other' && (sender !== 'usual' || (isApart && isGivenBack));
	const isListed = !isOther && createdAt === 'usual';
	return isNamed(world) || (isListed && !world.isTextChanging && !hasLink(world));
}

/** Its text ends with a link that differs in each execution. */
export const hasLink = ({ node }: World) => node === 'SmsSendAndWaitForResponse';

/** Not of a retry whose steps before have given it other texts. */
export const hasUsualTexts = ({ rows }: Attempt) =>
	rows.every(({ text }) => !text.endsWith('(new)'));

export function hasSeveralTexts(attempts: Attempt[], to: string): boolean {
	const rows = attempts.flatMap((one) => one.rows).filter(({ numbers }) => numbers.includes(to));
	return new Set(rows.map(({ text }) => text)).size > 1;
}

/** Of all attempts of a run, the most of something: they bring the same messages. */
export const mostOf = (run: Attempt[], of: (one: Attempt) => number) => Math.max(0, ...run.map(of));
export const sum = (list: number[]) => list.reduce((all, one) => all + one, 0);

/** How many messages to a number an attempt is to bring, without those that others have sent. */
export function claimOf(world: World, attempt: Attempt, to: string): number {
	const isTo = (item: Item) => {
		const [number, ...others] = attempt.rows[placeOf(item)]?.numbers ?? [];
		return (others.length > 0 ? toDigits(item.json.to) : number) === to;
	};
	const skipped = count(attempt.items, (item) => item.json.alreadySent === true && isTo(item));
	return (wantedBy(world, attempt).get(to) ?? 0) - skipped;
}

export function hasActedOnRejection(attempts: Attempt[]): boolean {
	return attempts.some(({ requests }) =>
		requests.some((one) => isClearlyRejected(one) && one.stored.length > 0),
	);
}

/** service.md: equal or changed texts in another order swap their IDs, where numbers do not tell. */
export function areSwapped({ service }: World, { to, text, request }: Stored): boolean {
	const { numbers, plan, stored } = request;
	const isOrdered = (plan?.response === 'shuffled') === (service.responseOrder === 'reversed');
	if (isOrdered) return false;
	const isChanged = service.responseText === 'other';
	if (!['masked', 'missing'].includes(service.responseNumber))
		return isChanged && count(numbers, (one) => one === to) > 1;
	return isChanged || count(stored, (one) => one.text === text) > 1;
}

/** How many messages to each number an attempt is to bring. */
export function wantedBy({ options }: World, { rows, kind }: Attempt): Map<string, number> {
	const { doNotSendTo, skipDuplicates, allowedCountryCodes, maxMessages = Infinity } = options;
	const wanted = new Map<string, number>();
	if (kind === 'dryRun') return wanted;
	const met = new Set<string>();
	for (const { number, content } of rows.flatMap(({ numbers, text, from, ref }) => {
		const reference = options.clientReference === undefined ? undefined : ref;
		return numbers.map((to) => ({ number: to, content: [to, text, from, reference].join('|') }));
	})) {
		const isForeign = allowedCountryCodes !== undefined && !/^(95|65)/.test(number);
		const isOptedOut = doNotSendTo !== undefined && number === toDigits(doNotSendTo);
		const isDuplicate = skipDuplicates !== false && met.has(content);
		met.add(content);
		if (!isForeign && !isOptedOut && !isDuplicate)
			wanted.set(number, (wanted.get(number) ?? 0) + 1);
	}
	const all = [...wanted.values()].reduce((sum, one) => sum + one, 0);
	return all > Number(maxMessages) && options.skipIfAlreadySent !== true ? new Map() : wanted;
}

export function isSend({ kind }: Request): boolean {
	return kind === 'send';
}

/** Whether the node has read that the service has certainly not acted. */
export function isClearlyRejected({ got }: Request): boolean {
	const isStatus = typeof got === 'number' && got >= 300 && got < 500 && got !== 408;
	return isStatus || got === 'ECONNREFUSED';
}

/** The key has no access to history. */
export function isDenied({ got }: Request): boolean {
	return got === 401 || got === 403 || got === 404;
}

export function isFailed({ got, plan }: Request): boolean {
	const isGood = typeof got === 'number' && got < 300;
	return !isGood || !['records', 'shuffled'].includes(String(plan?.response ?? 'records'));
}

/**
 * Whether the service kept to what docs/service.md ("How the nodes react") expects of it: it lists an accepted message within a minute,
 * after a time-out within two, after the rejection of a bulk request within seconds, and lets history be read.
 */
export function isWithinPromise(world: World, attempts: Attempt[]): boolean {
	const { reference, text } = world.service;
	if (!isBulk(world) && reference === 'missing' && text === 'other') return false;
	return attempts.every(({ requests, state, endedAt: killedAt = 0 }) =>
		requests.every((request) => {
			const { kind, got, endedAt, stored } = request;
			if (kind === 'read') return !isDenied(request);
			// What was accepted before a kill is in history for a retry.
			if (endedAt === undefined)
				return stored.every(({ createdAt }) => state === 'killed' && createdAt <= killedAt);
			const plan = request.plan as SendPlan | undefined;
			const isTimeOut = timeOuts.includes(plan?.response) || got === 'ECONNABORTED';
			const isRejection = partlyAccepted.includes(plan?.response) && !isSentOnce(world);
			const within = isRejection ? 4_000 : isTimeOut ? 2 * minute : minute;
			return stored.every(({ listedAt }) => listedAt <= endedAt + within);
		}),
	);
}

/** Whether a retry gets nothing of what an attempt has left: its process keeps that for ten minutes. */
function isForgotten(one: Attempt, retry: Attempt): boolean {
	const isLeft = one.kept > 0 || one.isRetry;
	const isKept = isLeft && retry.begunAt - (one.endedAt ?? 0) < 10 * minute;
	return one.process !== retry.process || !isKept;
}

/** Whether each attempt knows of those before it, from n8n or from its process. */
export function areKept(attempts: Attempt[]): boolean {
	return attempts.every(
		(one, n) =>
			one.state !== 'killed' &&
			(one.hasMemory || attempts.slice(0, n).every((before) => !isForgotten(before, one))),
	);
}

/**
 * never-twice.md: "Between retries in different n8n processes, wait a minute (two after a time-out)": whether what one had
 * sent was listed before the next one began.
 */
export function isSeenByRetries(attempts: Attempt[]): boolean {
	const isSeen = (earlier: Attempt, later: Attempt) =>
		(earlier.endedAt ?? Infinity) <= later.begunAt &&
		storedBy([earlier]).every(
			({ listedAt, account }) =>
				listedAt <= later.begunAt && storedBy([later]).every((one) => one.account === account),
		);
	const isApart = (one: Attempt, other: Attempt) =>
		one.family === other.family && one.begunAt <= other.begunAt && isForgotten(one, other);
	return attempts.every((later) =>
		attempts.every(
			(earlier) =>
				earlier === later ||
				!isApart(earlier, later) ||
				(later.hasMemory && later.execution === earlier.execution + 1) ||
				isSeen(earlier, later),
		),
	);
}

/** Whether history shows all as it was sent, and when. */
export function isPlainHistory({ service, serviceTimeZone, clock }: World): boolean {
	const plain = [
		...(['createdAt', 'order', 'paging', 'filters', 'number', 'text', 'sender', 'ids'] as const),
		...(['noReference', 'reference', 'zoneMinutes', 'clockMs'] as const),
	];
	const isUsual = plain.every((name) => service[name] === plainTraits[name]);
	return isUsual && serviceTimeZone === 'Asia/Yangon' && clock.length === 0;
}

/** "The service's clock is corrected by the header Date." */
export function isClockKnown({ service, clock }: World): boolean {
	const { clockMs, hasDate } = service;
	const ahead = [0, ...clock.map(({ aheadMs }) => aheadMs)];
	return hasDate || ahead.every((ms) => Math.abs(clockMs - ms) < 15 * minute);
}

/** n8n gives a retry of what was killed or failed before the node nothing but the millisecond when it began. */
export function areTakenForOne({ executions, clock }: World): boolean {
	if (clock.length > 0) return executions.length > 1;
	const begins = new Set(executions.map(({ atMs, workflow }) => `${atMs} ${workflow}`));
	return begins.size < executions.length && executions.some((one) => one.kill ?? one.failsBefore);
}

/** Services may list IDs in another case. */
export function idOf({ json: { messageId } }: Pick<Item, 'json'>): string | undefined {
	return messageId === undefined ? undefined : String(messageId).toLowerCase();
}

/** The phone number that an output item is about. */
export function numberOf({ rows }: Attempt, { pairedItem }: Item): string | undefined {
	return rows[placeOf({ pairedItem })]?.numbers[0];
}

export function placeOf({ pairedItem }: Pick<Item, 'pairedItem'>): number {
	return (pairedItem as { item: number } | undefined)?.item ?? -1;
}

export function kindOf({ json }: Item): string | undefined {
	return (json.details as { kind?: string } | undefined)?.kind;
}

/** All that an attempt says of its failures. */
export function wordsOf({ error, items }: Attempt): string[] {
	const ofItems = items.map(({ json: { error: title, details } }) =>
		title === undefined
			? ''
			: `${String(title)} ${String((details as { description?: string }).description)}`,
	);
	return [error ? `${error.message} ${error.description}` : '', ...ofItems].filter(Boolean);
}

/** Whether an attempt of Retry On Fail only tells what the one before told: a failure that lasts costs no further request. */
export function repeatsEnding({ attempts }: Book, attempt: Attempt): boolean {
	const { family, execution, pass } = attempt;
	const before = attempts.find(
		(one) =>
			one.family === family &&
			one.execution === execution &&
			one.pass === pass &&
			one.try === attempt.try - 1,
	);
	if (!before || attempt.requests.length > 0) return false;
	return wordsOf(before).join() === wordsOf(attempt).join();
}

export function count<T>(list: T[], is: (one: T) => boolean): number {
	return list.filter(is).length;
}
