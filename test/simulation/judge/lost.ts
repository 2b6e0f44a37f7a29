import type { Attempt, Book, Item, Request } from '../book';
import type { Invariant, Violation } from '../invariants';
import {
	areKept,
	areSwapped,
	areTakenForOne,
	canSkip,
	claimOf,
	count,
	groupBy,
	hasActedOnRejection,
	hasUsualTexts,
	isClearlyRejected,
	isClockKnown,
	isDenied,
	isFailed,
	isNamed,
	isPlainHistory,
	isRecognised,
	isSeenByRetries,
	isSend,
	isShared,
	isTool,
	isWithinPromise,
	kindOf,
	minute,
	mostOf,
	numberOf,
	placeOf,
	repeatsEnding,
	runsOf,
	storedBy,
	sum,
	wantedBy,
	wordsOf,
} from '../reading';
import { forbidden } from '../service';
import type { World } from '../world';

/* SECURITY.md: "The output contains every accepted message and reports every message in doubt as 'Outcome unknown'." */

/** What an attempt calls unsent was not accepted: in its output, or in the error that ends it. */
const acceptedIsTold: Invariant = (world, book) =>
	isOfMany(world)
		? []
		: runsOf(book).flatMap((attempts) =>
				attempts.flatMap((attempt): Violation[] => {
					const before = attempts.filter(({ begunAt }) => begunAt <= attempt.begunAt);
					const isOver = attempt.state === 'returned' || attempt.state === 'threw';
					if (!isOver || attempt.stoppedAt || attempt.kind === 'dryRun') return [];
					if (repeatsEnding(book, attempt) || !canKnow(world, attempt, before)) return [];
					const wanted = [...wantedBy(world, attempt)];
					return wanted.flatMap(([to, most]) => {
						const copies = countAccepted(world, book, before, to, most);
						const as = attempt.error
							? errorOf(attempt, to, copies >= most)
							: itemOf(attempt, to, copies);
						const what = `${copies} accepted for ${to}`;
						return as ? [{ sign: `2 accepted, reported as ${as}`, what }] : [];
					});
				}),
			);

/** What the output calls a message that has no record there, though it was accepted. */
function itemOf(attempt: Attempt, to: string, copies: number): string | undefined {
	const items = attempt.items.filter((item) => numberOf(attempt, item) === to);
	const said = items.find((item) => !isTold(item));
	if (count(items, isTold) >= copies) return undefined;
	// Input that cannot be read says nothing of other retries, nor what a tool has sent.
	const isKnown = attempt.hasMemory && !isTool(attempt);
	if (said && kindOf(said) === 'input' && !isKnown) return undefined;
	return said ? (kindOf(said) ?? 'skipped') : 'nothing';
}

/** The same of the error that ended an attempt: it is about the item that failed. */
function errorOf({ error, rows, ...attempt }: Attempt, to: string, isSent: boolean) {
	const words = `${error?.message} ${error?.description}`;
	const [, item = 1] = /\bitem (\d+)/.exec(error?.message ?? '') ?? [];
	if (!isSent || rows[Number(item) - 1]?.numbers[0] !== to) return undefined;
	if (/The message was not sent|Not sent/.test(words)) return 'not sent';
	const isKnown = attempt.hasMemory && attempt.kind !== 'tool';
	return isKnown && /is unavailable/.test(words) ? 'unavailable' : undefined;
}

/** An item of several numbers has more than one output. */
const isOfMany = ({ rows }: World) => rows.some(({ numbers }) => numbers.length > 1);

/**
 * How many of the messages to a number the service has certainly accepted, by the end of the last of some attempts.
 * never-twice.md: "Bulk messages carry no reference": other executions may take what history cannot tell apart for theirs.
 */
function countAccepted(
	world: World,
	book: Book,
	before: Attempt[],
	to: string,
	wanted: number,
): number {
	// A duplicate of one of several, of a service that is very late, is not another of them.
	if (wanted > 1 && !isWithinPromise(world, before)) return 0;
	const [{ family }] = before;
	const endedAt = Math.max(...before.map((one) => one.endedAt ?? 0));
	const copies = count(storedBy(before, endedAt), (one) => one.to === to);
	const others = isShared(world) ? runsOf(book).filter(([one]) => one.family !== family) : [];
	const claims = others.map((run) => mostOf(run, (one) => claimOf(world, one, to)));
	return Math.min(wanted, copies - sum(claims));
}

/** Simultaneous retries in several processes, and those without memory, know of others what history shows. */
function canKnow(world: World, attempt: Attempt, before: Attempt[]): boolean {
	const isKnownTime = [0, 390].includes(world.service.zoneMinutes) && isClockKnown(world);
	if (!isKnownTime || areTakenForOne(world)) return false;
	const isInTurn = before.every(
		(one) => one.state !== 'killed' && (one === attempt || (one.endedAt ?? 0) <= attempt.begunAt),
	);
	const isPromised = isWithinPromise(world, before);
	// A service that acts on what it rejected, and shows it late, is beyond the promise.
	if (!isInTurn || (hasActedOnRejection(before) && !isPromised)) return false;
	const isOneAccount = before.every(({ apiKey }) => apiKey === attempt.apiKey);
	// never-twice.md: "Keys without access to history [...] can retry, too [...]. The first retry sends nothing and says so."
	const isBlind = attempt.isRetry && before.some(({ requests }) => requests.some(isUnreadable));
	if (isBlind || (!areKept(before) && !isOneAccount)) return false;
	if (attempt.hasMemory) return true;
	const isRead = attempt.requests.every((one) => isSend(one) || !isFailed(one));
	// service.md: "History contradicts itself: it counts as unreadable."
	const isContradicted = wordsOf(attempt).some((words) => /contradicts itself/.test(words));
	const isUsualText = isNamed(world) || before.every(hasUsualTexts);
	const isShown = isRead && !isContradicted && isUsualText && isSeenByRetries(before);
	return isShown && isPromised && isRecognised(world, before);
}

const isUnreadable = (one: Request) => one.kind === 'read' && isDenied(one);

function isTold(item: Item): boolean {
	const isSaid = /was sent before this retry/.test(String(item.json.error));
	const isUnknown = kindOf(item) === 'outcomeUnknown';
	return isAccepted(item) || isUnknown || isSaid;
}

/** The output of a question is about its answer. */
const isAccepted = ({ json }: Item) => json.messageId !== undefined || json.timedOut !== undefined;

/** never-twice.md: "Every message ends in the output as accepted, not sent, or 'Outcome unknown'." */
const everyRowTold: Invariant = (world, { attempts }) =>
	attempts.flatMap((attempt): Violation[] => {
		const { state, error, rows, stoppedAt, kind } = attempt;
		if (state === 'threw' && world.onError !== 'stopWorkflow')
			return [{ sign: '2 throws in spite of On Error', what: `${error?.message}` }];
		if (state !== 'returned' || stoppedAt) return [];
		const isEach = kind === 'plain' && !world.options.doNotSendTo;
		const missing = rows.findIndex(({ numbers }, n) => {
			const items = attempt.items.filter((item) => placeOf(item) === n);
			const isLess =
				isEach && !items.some(({ json }) => json.error) && items.length < numbers.length;
			return items.length === 0 || isLess;
		});
		return missing < 0 ? [] : [{ sign: '2 no output', what: `Item ${missing}` }];
	});

/**
 * Valid messages go out, however the service differs and whatever was sent yesterday. A slow service is not down, and
 * what history shows is accepted: it does, of all that was accepted, before the doubt ends.
 */
const validGoOut: Invariant = (world, book) =>
	runsOf(book).flatMap((attempts): Violation[] => {
		const attempt = attempts.at(-1)!;
		const { state, kind, stoppedAt, rows, items } = attempt;
		const isEnded = state === 'returned' || state === 'threw';
		const isPlain = kind === 'plain' && isEnded && !stoppedAt && attempts.length === 1;
		const isKnownZone = world.serviceTimeZone !== 'GMT+6:30';
		const isForbidden = rows.some(({ text }) => text.startsWith(forbidden));
		const isWrong = rows.some(({ numbers }) => numbers.length === 0);
		// Its time may have passed.
		const isScheduled = world.options.scheduledAt !== undefined;
		if (!isPlain || !isKnownZone || isForbidden || isWrong || isScheduled || isOfMany(world))
			return [];
		// Of others, history and its process cannot tell whose messages are in doubt.
		const requests = canSkip(world) || isShared(world) ? book.requests : attempt.requests;
		const isGood = requests.every(
			(one) => !isFailed(one) || (isSend(one) && isShownInTime(world, one)),
		);
		const needsHistory = canSkip(world) || attempt.isRetry || requests.some(isFailed);
		if (!isGood || (needsHistory && !isPlainHistory(world)) || areTakenForOne(world)) return [];
		// service.md: what a response does not show as whose is told.
		if (storedBy([attempt]).some((one) => areSwapped(world, one))) return [];
		const told = groupBy(items.filter(isAccepted), (item) => numberOf(attempt, item) ?? '');
		const wanted = [...wantedBy(world, attempt)];
		const left = wanted.find(([to, most]) => (told.get(to)?.length ?? 0) < most);
		if (!left) return [];
		const what = `To ${left[0]}: ${wordsOf(attempt)[0] ?? 'no error'}`;
		return [{ sign: '2 valid, and not in the output', what }];
	});

/** Whether all of an unclear request was accepted, and is listed before its doubt ends. */
function isShownInTime({ isManual, tries }: World, request: Request): boolean {
	const { stored, numbers, endedAt = 0, attempt } = request;
	// never-twice.md: "in the editor", the last look is after 3.5 seconds.
	const within = isManual && tries === 1 ? 3_000 : minute;
	const isInTime = stored.every(({ listedAt }) => listedAt <= endedAt + within);
	const isWhole = stored.length === numbers.length && !attempt.stoppedAt;
	return !isClearlyRejected(request) && isWhole && isInTime;
}

export const nothingLost: Invariant[] = [acceptedIsTold, everyRowTold, validGoOut];
