import type { Attempt, Book, Item, Request, Stored } from './book';
import { toDigits } from './service';
import { partlyAccepted, timeOuts, type SendPlan, type World } from './world';

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

/** How many messages to each number an attempt is to bring. */
export function wantedBy(
	world: World,
	{ rows, kind, begunAt }: Attempt,
	isOut = hasOptedOut(world, begunAt),
): Map<string, number> {
	const { doNotSendTo, skipDuplicates, allowedCountryCodes } = world.options;
	const wanted = new Map<string, number>();
	for (const number of rows.flatMap(({ numbers }) => numbers)) {
		const isForeign = allowedCountryCodes !== undefined && !/^(95|65)/.test(number);
		const isOptedOut = isOut && number === optedOut(doNotSendTo);
		if (kind === 'dryRun' || isForeign || isOptedOut) continue;
		wanted.set(number, skipDuplicates ? 1 : (wanted.get(number) ?? 0) + 1);
	}
	return wanted;
}

export function hasOptedOut({ optsOutAtMs, beginsAt }: World, at: number): boolean {
	return at - beginsAt >= optsOutAtMs;
}

export function optedOut(doNotSendTo: unknown): string | undefined {
	return doNotSendTo === undefined ? undefined : toDigits(doNotSendTo);
}

export function isSend({ kind }: Request): boolean {
	return kind === 'send';
}

/** Whether the node has read that the service has certainly not acted. */
export function isClearlyRejected({ got }: Request): boolean {
	const isStatus = typeof got === 'number' && got >= 400 && got < 500 && got !== 408;
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
			const within = isRejection ? 4_000 : isTimeOut ? 2 * minute - 5_000 : minute - 5_000;
			return stored.every(({ listedAt }) => listedAt <= endedAt + within);
		}),
	);
}

/**
 * errors.md: "message history belongs to another account": said once, where the original has reached its account. After
 * that, people know.
 */
function isToldOfAccount(attempts: Attempt[], { family }: Attempt): boolean {
	const isSaid = (one: Attempt) => wordsOf(one).some((words) => /to another account/.test(words));
	const unheard: unknown[] = [401, 402, 403, 429, 'ECONNREFUSED', undefined];
	const hasReached = ({ requests, state }: Attempt) =>
		state !== 'killed' && requests.some((one) => isSend(one) && !unheard.includes(one.got));
	const originals = attempts.filter((one) => one.family === family && !one.isRetry);
	return originals.some(hasReached) && !attempts.some(isSaid);
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
				listedAt <= later.begunAt &&
				(isToldOfAccount(attempts, later) ||
					storedBy([later]).every((one) => one.account === account)),
		);
	const isApart = (one: Attempt, other: Attempt) =>
		one.family === other.family && one.begunAt <= other.begunAt && isForgotten(one, other);
	return attempts.every((later) =>
		attempts.every(
			(earlier) =>
				!isApart(earlier, later) ||
				(later.hasMemory && later.execution === earlier.execution + 1) ||
				isSeen(earlier, later),
		),
	);
}

/** Whether the clocks of the machine are right all the time. */
export function isMachineRight({ clock, sleeps }: World): boolean {
	return clock.length === 0 && sleeps.length === 0;
}

/** never-twice.md, "Times in history have no zone": whether the nodes can read those of this service. */
export function isDatable(world: World): boolean {
	const { zoneMinutes } = world.service;
	const isKnown =
		([0, 390] as unknown[]).includes(zoneMinutes) ||
		(zoneMinutes === 420 && world.serviceTimeZone === 'Asia/Bangkok');
	return isKnown && isClockKnown(world);
}

/** "The service's clock is corrected by the header Date." */
export function isClockKnown({ service, clock }: World): boolean {
	const { clockMs, hasDate } = service;
	const ahead = [0, ...clock.map(({ aheadMs }) => aheadMs)];
	return hasDate || ahead.every((ms) => Math.abs(clockMs - ms) < 15 * minute);
}

/** "... or whose time fits none, once a response has shown that": in its attempt, before it. */
export function hasShownTimes({ attempt, at }: Request): boolean {
	const isClear = (one: Request) =>
		isSend(one) && !isFailed(one) && (one.endedAt ?? Infinity) <= at;
	return !attempt.isRetry && attempt.requests.some(isClear);
}

/** By the clock of the machine, which can be set back to an earlier moment. What is due while it sleeps begins together. */
function beginOf({ clock, sleeps }: World, { atMs }: World['executions'][0]): number {
	const isDue = (sleep: World['sleeps'][0]) =>
		sleep.atMs <= atMs && atMs < sleep.atMs + sleep.forMs;
	const { atMs: fellAsleepMs = atMs, forMs = 0 } = sleeps.find(isDue) ?? {};
	const begunMs = fellAsleepMs + forMs;
	const settings = clock.filter((one) => one.atMs <= begunMs);
	return begunMs + (settings.at(-1)?.aheadMs ?? 0);
}

/** n8n gives a retry of what was killed, stopped or failed before the node nothing but the millisecond when it began. */
export function areTakenForOne(world: World): boolean {
	const { executions } = world;
	const isCrashing = executions.some(({ kill }) => kill);
	const begins = groupBy(executions, (one) => `${beginOf(world, one)} ${one.workflow}`);
	const isLost = ({ failsBefore, isRetriedStopped }: World['executions'][0]) =>
		failsBefore || isRetriedStopped || isCrashing;
	return [...begins.values()].some((together) => together.length > 1 && together.some(isLost));
}

/** Whether responses and history do not show numbers whole. */
export function hidesNumbers({ service }: World): boolean {
	return !['usual', 'plus', 'national'].includes(service.number);
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
