import type { Attempt, Book, Request, Stored } from '../book';
import type { Invariant, Violation } from '../invariants';
import {
	areKept,
	canSkip,
	claimOf,
	count,
	groupBy,
	hasActedOnRejection,
	hasLink,
	hasSeveralTexts,
	hasUsualTexts,
	isBulk,
	isClockKnown,
	isFailed,
	isNamed,
	isPlainHistory,
	isRecognised,
	isReport,
	isSeenByRetries,
	isTool,
	isWithinPromise,
	minute,
	mostOf,
	runsOf,
	sharedRuns,
	storedBy,
	sum,
	wantedBy,
} from '../reading';
import { usualSender } from '../service';
import type { World } from '../world';

/* Nothing is sent twice, and nothing that nobody asked for. */

const sign = '1 sent twice';

/** Whether the attempts of these runs can know what the others have sent. */
function canKnow(world: World, runs: Attempt[][]): boolean {
	const attempts = runs.flat();
	const isKept = runs.every(areKept);
	// The same call of a tool with another account is another call; nor does one account show what another sent.
	const accounts = new Set(storedBy(attempts).map(({ account }) => account));
	const areTwoCalls = accounts.size > 1 && (!isKept || attempts.some(isTool));
	const isKnown = isKept || isRecognised(world, attempts);
	return isKnown && !areTwoCalls && isClockKnown(world) && isSeenByRetries(attempts);
}

/** SECURITY.md: "A message is resent only if (1) the service certainly did not accept it, or (2) Send Again applies and
 * message history doesn't show it for a minute. After a time-out, we wait two minutes." "With Report, when scheduled, or
 * from another account, a message in doubt is never resent." */
const onceToANumber: Invariant = (world, book) =>
	sharedRuns(world, book).flatMap((runs) => {
		const attempts = runs.flat();
		const isKept = runs.every(areKept);
		// What has neither its reference nor its text in history is known by the memory of the node only.
		const isListed = isKept || isNamed(world) || attempts.every(hasUsualTexts);
		if (!isListed || !canKnow(world, runs)) return [];
		const isPromised = isWithinPromise(world, attempts);
		const canBeStrict = isKept && !hasActedOnRejection(attempts);
		return [...groupBy(storedBy(attempts), ({ to }) => to)].flatMap(([to, stored]): Violation[] => {
			const wanted = sum(runs.map((run) => mostOf(run, (one) => claimOf(world, one, to))));
			const isStrict = canBeStrict && areSentOnce(world, stored.slice(0, -1));
			if (stored.length <= wanted || !(isStrict || isPromised)) return [];
			const what = `${stored.length} messages to ${to}, ${wanted} wanted`;
			return [{ sign, what }];
		});
	});

/** Whether none of these may be sent again while it is in doubt. */
function areSentOnce(world: World, stored: Stored[]): boolean {
	return isReport(world) || stored.every(({ scheduledAt }) => scheduledAt !== null);
}

/** never-twice.md: "retry a failed execution: as with Retry On Fail, even several times at once": each text once. */
const eachTextOnce: Invariant = (world, book) =>
	sharedRuns(world, book).flatMap((runs) => {
		const attempts = runs.flat();
		const isKept = runs.every(areKept);
		const isTextKnown = !world.isTextChanging && !hasLink(world);
		// never-twice.md: "Messages to one number are told apart by order if encrypted" or "if n8n was killed".
		const isUnknown = (to: string) =>
			!isKept && (world.options.encrypt === true || hasSeveralTexts(attempts, to));
		if (!isTextKnown || !isWithinPromise(world, attempts) || !canKnow(world, runs)) return [];
		const stored = groupBy(storedBy(attempts), ({ to, text, from }) => `${to} ${text} ${from}`);
		return [...stored].flatMap(([name, all]): Violation[] => {
			const isIt = ({ numbers, text, from = usualSender }: Attempt['rows'][0]) =>
				numbers.some((to) => `${to} ${text} ${from}` === name);
			const wanted = sum(runs.map((run) => mostOf(run, ({ rows }) => count(rows, isIt))));
			if (all.length <= wanted || isUnknown(all[0].to)) return [];
			const what = `"${name}" ${all.length} times, ${wanted} wanted`;
			return [{ sign, what }];
		});
	});

/** service.md: what a response or history shows as accepted is never sent again, also with others of its request. */
const acceptedOnce: Invariant = (world, book) =>
	runsOf(book).flatMap((attempts): Violation[] => {
		// A message in an input that has changed can be another one.
		const isUsual = !world.isTextChanging && world.passes === 1 && attempts.every(hasUsualTexts);
		const isSame = attempts.every(({ hasMemory }) => hasMemory) || isUsual;
		if (!areKept(attempts) || !isSame || attempts.some(isTool)) return [];
		const isAlone = book.attempts.length === attempts.length && isPlainHistory(world);
		return [...groupBy(storedBy(attempts), ({ to }) => to)].flatMap(([to, stored]): Violation[] => {
			const wanted = mostOf(attempts, (one) => wantedBy(world, one).get(to) ?? 0);
			const isSentAgain = stored.some(({ request: { at } }) => {
				const isKnown = ({ request }: Stored) =>
					(isShownAsAccepted(request) && Number(request.endedAt) <= at) ||
					(isAlone && isShownInPart(request, at));
				return count(stored, isKnown) >= wanted;
			});
			if (!isSentAgain) return [];
			const what = `${stored.length} messages to ${to}, ${wanted} wanted, after a clean response`;
			return [{ sign, what }];
		});
	});

/** A part of one record is none. */
function isShownAsAccepted({ got, plan, numbers }: Request): boolean {
	const shown = ['records', 'shuffled', ...(numbers.length > 1 ? ['part'] : [])];
	return Number(got) < 300 && shown.includes(String(plan?.response ?? 'records'));
}

/** service.md: "Only some of a bulk request is listed: the node waits for the rest, and never sends it again." */
function isShownInPart(request: Request, until: number): boolean {
	const { stored, numbers, endedAt = Infinity, attempt, got } = request;
	const isLookedUp = (at: number) =>
		attempt.requests.some(
			(one) => one.kind === 'read' && !isFailed(one) && one.at >= at && one.at < until,
		);
	const isAll = stored.length === numbers.length && got !== 201;
	return isAll && stored.some(({ listedAt }) => isLookedUp(Math.max(listedAt, endedAt)));
}

/** never-twice.md: "start the workflow again: everything is sent again, unless Skip If Already Sent is on", and
 * "Simultaneous executions with the same Client Reference and Skip If Already Sent send one message, in one n8n process". */
const skippedIfSent: Invariant = (world, book) => {
	const { reference, text, sender, createdAt, listsScheduled } = world.service;
	const isBulkFound = text !== 'other' && sender === 'usual' && createdAt === 'usual';
	const isFound = isBulk(world) ? isBulkFound : reference !== 'missing';
	const isJudged = canSkip(world) && isFound && !world.isTextChanging;
	if (!isJudged || world.rows.some(({ numbers }) => numbers.length > 1)) return [];
	if (!isWithinPromise(world, book.attempts)) return [];
	const lookBackMs = Number(world.options.lookBackHours ?? 24) * 60 * minute;
	return book.stored.flatMap((one): Violation[] => {
		const { attempt, at } = one.request;
		const { family, execution, process } = attempt;
		const isIt = (other: Attempt) => other.family === family && other.execution === execution;
		const begunAt = Math.min(...book.attempts.filter(isIt).map((other) => other.begunAt));
		const isEarlier = (other: Stored) => {
			const { attempt: from, at: sentAt } = other.request;
			const isSame = isBulk(world) ? other.text === one.text : other.ref === one.ref;
			if (!isSame || other.to !== one.to || other.account !== one.account) return false;
			const isTogether = from.process === process && sentAt <= at && at - sentAt < 9 * minute;
			const isListed = other.listedAt < begunAt && (listsScheduled || other.scheduledAt === null);
			const isRecent = !isBulk(world) || at - sentAt < lookBackMs - 20 * minute;
			return from.family !== family && isRecent && (isListed || isTogether);
		};
		// With bulk, one message counts for one item only.
		const wanted = isBulk(world) ? (wantedBy(world, attempt).get(one.to) ?? 0) : 1;
		if (count(book.stored, isEarlier) < wanted) return [];
		return [{ sign: '1 sent in spite of Skip If Already Sent', what: one.to }];
	});
};

/** sms-send.md: each item is a message of its own. Dry Run, Do Not Send To and the limits hold messages back. */
const asAsked: Invariant = (world, { stored }: Book) =>
	stored.flatMap((one): Violation[] => {
		const { attempt } = one.request;
		const { to, text, from, ref } = one;
		const isReferring = world.options.clientReference !== undefined;
		const isIt = (row: Attempt['rows'][0], n: number) =>
			row.numbers.includes(to) &&
			(row.from ?? usualSender) === from &&
			(hasLink(world) || text.trim() === attempt.texts[n].trim()) &&
			(!isReferring || row.ref === undefined || ref?.trim() === row.ref.trim());
		if (attempt.rows.some(isIt) && wantedBy(world, attempt).has(to)) return [];
		const what = `${to} "${text}" from ${from}, reference ${ref}`;
		return [{ sign: '1 sent what no item asks for', what }];
	});

export const neverTwice: Invariant[] = [
	...[onceToANumber, eachTextOnce, acceptedOnce, skippedIfSent, asAsked],
];
