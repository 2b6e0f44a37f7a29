import type { Attempt, Book, Item, Request, Stored } from './book';
import { usualSender } from './n8n';
import {
	areKept,
	areTakenForOne,
	canSkip,
	count,
	groupBy,
	hasOptedOut,
	hasShownTimes,
	hidesNumbers,
	idOf,
	isClockKnown,
	isMachineRight,
	isBulk,
	isClearlyRejected,
	isDatable,
	isDenied,
	isFailed,
	isReport,
	isSeenByRetries,
	isSend,
	isSentOnce,
	isTool,
	isWithinPromise,
	kindOf,
	minute,
	numberOf,
	optedOut,
	placeOf,
	runsOf,
	storedBy,
	wantedBy,
	repeatsEnding,
	wordsOf,
} from './reading';
import { forbidden, toDigits } from './service';
import { plainTraits, rejections, timeOuts, type Row, type World } from './world';

/** A sentence of SECURITY.md or docs/never-twice.md that does not hold. */
export interface Violation {
	/** Number of the invariant, and what broke it: the same for the same fault. */
	sign: string;
	what: string;
	attempt?: Attempt;
	/** The phone number that it is about. */
	to?: string;
}

export type Invariant = (world: World, book: Book) => Violation[];

const waitLimit = 1_100;

/** SECURITY.md: "A message is resent only if (1) the service certainly did not accept it, or (2) Send Again applies and
 * message history doesn't show it for a minute. After a time-out, we wait two minutes." "With Report, when scheduled, or
 * from another account, a message in doubt is never resent." */
const neverTwice: Invariant = (world, book) =>
	sharedRuns(world, book).flatMap((runs) => {
		const attempts = runs.flat();
		const isKept = runs.every(areKept);
		const canBeStrict = isKept && !hasActedOnRejection(attempts);
		const isPromised = isWithinPromise(world, attempts);
		if (!isSeenByRetries(attempts) || areTwoCalls(world, attempts)) return [];
		// What has neither its reference nor its text in history is known by the memory of the node only.
		const isUsualText = attempts.every((one) => one.rows.every(isUsual));
		if (!isKept && !(isRecognised(world, attempts) && (isNamed(world) || isUsualText))) return [];
		return [...groupBy(storedBy(attempts), ({ to }) => to)].flatMap(([to, stored]): Violation[] => {
			const wanted = sum(runs.map((run) => mostOf(run, (one) => claimOf(world, one, to))));
			if (stored.length <= wanted) return [];
			const isStrict = canBeStrict && areSentOnce(world, stored.slice(0, -1));
			if (!isStrict && !isPromised) return [];
			// The first of several texts counts, whichever that is in a retry.
			if (!isKept && world.options.skipDuplicates && hasSeveralTexts(attempts, to)) return [];
			const { request } = stored.at(-1)!;
			if (!isClockKnown(world)) return [];
			const { attempt } = request;
			const sign = isStrict ? '1 sent again under Report' : '1 sent twice';
			return [{ sign, what: `${stored.length} messages to ${to}, ${wanted} wanted`, attempt, to }];
		});
	});

/** Whether none of these may be sent again while it is in doubt. */
function areSentOnce(world: World, stored: Stored[]): boolean {
	return isReport(world) || stored.every(({ scheduledAt }) => scheduledAt !== null);
}

/** Each new message changes the order of all: pages contradict each other. */
const isMoving = ({ service }: World) => service.order === 'mixed' && service.newer > 0;

function hasSeveralTexts(attempts: Attempt[], to: string): boolean {
	const rows = attempts.flatMap((one) => one.rows).filter(({ numbers }) => numbers.includes(to));
	return new Set(rows.map(({ text }) => text)).size > 1;
}

/**
 * The same call of a tool with another account is another call, or "if Scheduled At changes"; without memory, no account
 * shows what another sent.
 */
function areTwoCalls({ options, beginsAt, scheduledUntilMs }: World, attempts: Attempt[]): boolean {
	const isLate = ({ begunAt }: Attempt) => begunAt - beginsAt >= scheduledUntilMs;
	const calls = options.scheduledAt === undefined ? [] : attempts.filter(isTool);
	if (calls.some(isLate) && !calls.every(isLate)) return true;
	const accounts = new Set(storedBy(attempts).map(({ account }) => account));
	return (attempts.some(isTool) || !areKept(attempts)) && accounts.size > 1;
}

/** Whether history cannot tell the messages of its executions apart. */
const isShared = (world: World) => isBulk(world) || world.options.clientReference !== undefined;

/** Whether history shows which message of a run a record is. */
const isNamed = (world: World) => !isBulk(world) && world.service.reference !== 'missing';

/** never-twice.md: "A retry counts a message with the same number, text and sender ID [...] as its own": no other. */
function isRecognised(world: World, attempts: Attempt[]): boolean {
	const { text, sender, createdAt } = world.service;
	const isApart = new Set(attempts.map(({ process }) => process)).size > 1;
	// never-twice.md: "A service changes texts in history, and bulk messages are retried in several n8n processes".
	const isGivenBack = attempts.some(({ isRetry, state }) => !isRetry && state === 'threw');
	const isOther = text === 'other' && (sender !== 'usual' || (isApart && isGivenBack));
	const isListed = !isOther && createdAt === 'usual';
	return isNamed(world) || (isListed && !world.isTextChanging && !hasLink(world));
}

/** Runs whose messages history cannot tell apart are one group: it is the same to people which of them sent. */
function sharedRuns(world: World, book: Book): Attempt[][][] {
	return isShared(world) ? [runsOf(book)] : runsOf(book).map((run) => [run]);
}

/** How many messages to a number an attempt is to bring, without those that others have sent. */
function claimOf(world: World, attempt: Attempt, to: string): number {
	const skipped = attempt.items.filter((item) => item.json.alreadySent && isTo(attempt, item, to));
	return (wantedBy(world, attempt).get(to) ?? 0) - skipped.length;
}

/** An item of several numbers is about the one that its output shows. */
function isTo(attempt: Attempt, item: Item, to: string): boolean {
	const [number, ...others] = attempt.rows[placeOf(item)]?.numbers ?? [];
	return (others.length > 0 ? toDigits(item.json.to) : number) === to;
}

const sum = (list: number[]) => list.reduce((all, one) => all + one, 0);
const mostOf = (run: Attempt[], of: (one: Attempt) => number) => Math.max(0, ...run.map(of));

/** never-twice.md: "Messages to one number are told apart by order if encrypted". */
const isEncrypted = ({ options }: World) => options.encrypt === true;

/** Its text ends with a link that differs in each execution. */
const hasLink = ({ node }: World) => node === 'SmsSendAndWaitForResponse';

const ofFamily = ({ attempts }: Book, { family }: Attempt) =>
	attempts.filter((one) => one.family === family);

/** never-twice.md: "even if [...] the items return in another order": all of them, where n8n has lost the memory. */
const hasAllRows = (book: Book, attempt: Attempt) =>
	attempt.hasMemory ||
	ofFamily(book, attempt).every(({ rows }) => rows.length <= attempt.rows.length);

const isUsual = ({ text }: { text: string }) => !text.endsWith('(new)');

function hasActedOnRejection(attempts: Attempt[]): boolean {
	return attempts.some(({ requests }) =>
		requests.some((one) => isClearlyRejected(one) && one.stored.length > 0),
	);
}

/** never-twice.md: "retry a failed execution: as with Retry On Fail, even several times at once": each text once. */
const eachTextOnce: Invariant = (world, book) =>
	sharedRuns(world, book).flatMap((runs) => {
		const attempts = runs.flat();
		if (world.isTextChanging || hasLink(world) || !isWithinPromise(world, attempts)) return [];
		if (!isSeenByRetries(attempts) || !isClockKnown(world)) return [];
		if (areTwoCalls(world, attempts)) return [];
		const isKept = runs.every(areKept);
		if (!isKept && !(isRecognised(world, attempts) && !isEncrypted(world))) return [];
		const stored = groupBy(storedBy(attempts), ({ to, text }) => `${to} ${text}`);
		return [...stored].flatMap(([name, all]): Violation[] => {
			const isIt = ({ numbers, text }: Row) => numbers.some((to) => `${to} ${text}` === name);
			const wanted = sum(runs.map((run) => mostOf(run, ({ rows }) => count(rows, isIt))));
			const [{ to, request }] = all.slice(-1);
			// never-twice.md: "Messages to one number are told apart by order [...] if n8n was killed."
			if (!isKept && hasSeveralTexts(attempts, to)) return [];
			const what = `"${name}" ${all.length} times, ${wanted} wanted`;
			return all.length > wanted
				? [{ sign: '1 sent twice', what, attempt: request.attempt, to }]
				: [];
		});
	});

/** SECURITY.md: "Dry Run sends nothing." The limits act before anything concerned is sent. */
const limitsHold: Invariant = (world, book) => {
	const out = optedOut(world.options.doNotSendTo);
	const { maxMessages = Infinity } = world.options as { maxMessages?: number };
	return book.requests.filter(isSend).flatMap(({ attempt, numbers }): Violation[] => {
		if (attempt.kind === 'dryRun')
			return [{ sign: '1 dry run sends', what: 'A dry run has sent a request', attempt }];
		if (
			attempt.rows.length > maxMessages &&
			!world.options.skipDuplicates &&
			!world.options.allowedCountryCodes &&
			!out &&
			attempt.rows.every(({ numbers }) => numbers.length)
		)
			return [
				{ sign: '1 more than Max Messages', what: `${attempt.rows.length} messages`, attempt },
			];
		const isOut = out !== undefined && hasOptedOut(world, attempt.begunAt);
		if (!isOut || !numbers.includes(out)) return [];
		return [
			{ sign: '1 sent to an opted-out number', what: `A request to ${out}`, attempt, to: out },
		];
	});
};

/** never-twice.md: "start the workflow again: everything is sent again, unless Skip If Already Sent is on", and
 * "Simultaneous executions with the same Client Reference and Skip If Already Sent send one message, in one n8n process". */
const skippedIfSent: Invariant = (world, book) => {
	const { reference, text, sender, createdAt, listsScheduled } = world.service;
	const isBulkFound = text !== 'other' && sender === 'usual' && createdAt === 'usual';
	const isFound = isBulk(world) ? isBulkFound : reference !== 'missing';
	if (!canSkip(world) || !isFound || world.isTextChanging) return [];
	if (!isWithinPromise(world, book.attempts)) return [];
	return book.stored.flatMap((one): Violation[] => {
		const { attempt, at } = one.request;
		const execution = ofFamily(book, attempt).filter(
			(other) => other.execution === attempt.execution,
		);
		const begunAt = Math.min(...execution.map((other) => other.begunAt));
		const earlier = book.stored.filter((other) => {
			const { attempt: from, at: sentAt } = other.request;
			const isSame = isBulk(world) ? other.text === one.text : other.ref === one.ref;
			const isRecent = sentAt <= at && at - sentAt < 9 * minute;
			const isTogether = from.process === attempt.process && isRecent;
			if (!isSame || other.to !== one.to || other.account !== one.account) return false;
			const isListed = other.listedAt < begunAt && (listsScheduled || other.scheduledAt === null);
			return from.family !== attempt.family && (isListed || isTogether);
		});
		// With bulk, one message counts for one item only.
		const wanted = isBulk(world) ? (wantedBy(world, attempt).get(one.to) ?? 0) : 1;
		if (earlier.length < wanted) return [];
		const sign = '1 sent in spite of Skip If Already Sent';
		return [{ sign, what: `${one.to} again`, attempt, to: one.to }];
	});
};

/** never-twice.md: "the next attempt sends only what was not accepted", and sends it: after clear rejections only, a run
 * whose last attempt met no failure has brought what its items ask for. A record stands for one message. */
const clearRunsEnd: Invariant = (world, book) =>
	runsOf(book).flatMap((attempts): Violation[] => {
		const last = attempts.at(-1)!;
		const { sendWindow, maxMessages, maxParts } = world.options;
		const isHeld = [sendWindow, maxMessages, maxParts].some((one) => one);
		const isClear = (one: Request) =>
			(isSend(one) ? isClearlyRejected(one) : false) || !isFailed(one);
		const isAll = attempts.every(
			(one) =>
				one.requests.every(isClear) && ['returned', 'threw'].includes(one.state) && !one.stoppedAt,
		);
		const isPlain = last.kind === 'plain' && last.rows.every(isUsual) && !canSkip(world);
		const keys = new Set(last.rows.map(({ key }) => key));
		if (
			isHeld ||
			isHeldBack(last) ||
			!isAll ||
			!isPlain ||
			last.state !== 'returned' ||
			keys.size > 1
		)
			return [];
		if (repeatsEnding(book, last)) return [];
		// A request may be rejected for one of its messages: the others go out.
		const isOfText = ({ got, plan }: Request) =>
			got === 400 && (plan?.response ?? 'records') === 'records';
		if (last.requests.some((one) => isFailed(one) && !isOfText(one))) return [];
		// A history that contradicts itself does not show that a rejected request was not acted on.
		const isReadable = ['usual', 'capped'].includes(world.service.paging) && !isMoving(world);
		if (!isReadable || !isDatable(world) || areTakenForOne(world)) return [];
		if (wordsOf(last).some((words) => /to another account/.test(words))) return [];
		// never-twice.md: another zone is known once a response has shown it.
		const isZoneKnown = world.service.zoneMinutes === 390 || last.requests.some(hasShownTimes);
		if (!isZoneKnown) return [];
		if (world.executions.length > 1 || hasActedOnRejection(attempts)) return [];
		// A record without its number may be that of a round that was killed.
		if (hidesNumbers(world) && book.attempts.some(({ state }) => state === 'killed')) return [];
		if (last.items.some((item) => kindOf(item) === 'input')) return [];
		const stored = groupBy(storedBy(attempts), ({ to }) => to);
		const left = [...wantedBy(world, last)].find(([to, wanted]) => {
			const isSendable = !last.rows.some(
				({ numbers, text }) => numbers.includes(to) && text.startsWith(forbidden),
			);
			return isSendable && (stored.get(to)?.length ?? 0) < wanted;
		});
		if (!left) return [];
		const [to] = left;
		const what = `${stored.get(to)?.length ?? 0} of ${left[1]} to ${to}`;
		return [{ sign: '2 not sent, though nothing failed', what, attempt: last, to }];
	});

const accountOf = ({ account }: Stored) => Buffer.from(account, 'base64').toString().split(':')[0];

/** sms-send.md: each item is a message of its own, with its own sender ID, reference and credential. */
const asAsked: Invariant = (world, { stored }) =>
	stored.flatMap((one): Violation[] => {
		const { attempt } = one.request;
		const apiKey = accountOf(one);
		const isReferring = world.options.clientReference !== undefined;
		const isIt = ({ numbers, key, ref, from = usualSender }: Row, n: number) =>
			numbers.includes(one.to) &&
			from === one.from &&
			(key ?? apiKey) === apiKey &&
			(hasLink(world) || one.text.trim() === attempt.texts[n].trim()) &&
			(!isReferring || ref === undefined || one.ref?.trim() === ref.trim());
		const what = `${one.to} "${one.text}" from ${one.from} with ${apiKey}, reference ${one.ref}`;
		return attempt.rows.some(isIt)
			? []
			: [{ sign: '4 sent what no item asks for', what, attempt, to: one.to }];
	});

/** SECURITY.md: "The output contains every accepted message and reports every message in doubt as 'Outcome unknown'."
 * So nothing accepted is called unsent. */
const nothingLost: Invariant = (world, book) =>
	runsOf(book).flatMap((attempts) =>
		attempts.flatMap((attempt): Violation[] => {
			if (attempt.state !== 'returned' || attempt.stoppedAt || attempt.kind === 'dryRun') return [];
			if (repeatsEnding(book, attempt)) return [];
			const before = attempts.filter(({ begunAt }) => begunAt <= attempt.begunAt);
			if (!canKnow(world, attempt, before)) return [];
			const told = groupBy(attempt.items.filter(isTold), (item) => numberOf(attempt, item) ?? '');
			return [...wantedBy(world, attempt, false)].flatMap(([to, wanted]): Violation[] => {
				const copies = countAccepted(world, book, before, to, wanted);
				if ((told.get(to)?.length ?? 0) >= copies) return [];
				const said = attempt.items.find((item) => numberOf(attempt, item) === to && !isTold(item));
				// Input that cannot be read, or is not to be sent, says nothing of other retries, nor what a tool has sent.
				const isKnown = attempt.hasMemory && !isTool(attempt);
				const isUnread = said && (kindOf(said) === 'input' || said.json.skipped === 'optedOut');
				if (isUnread && !isKnown) return [];
				const as = said ? (kindOf(said) ?? 'skipped') : 'nothing';
				return [
					{
						sign: `2 accepted, reported as ${as}`,
						what: `${copies} accepted for ${to}, but: ${JSON.stringify(said?.json)}`,
						attempt,
						to,
					},
				];
			});
		}),
	);

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
	return Math.min(
		wanted,
		copies - sum(others.map((run) => mostOf(run, (one) => claimOf(world, one, to)))),
	);
}

/** Simultaneous retries in several processes, and those without memory, know of others what history shows. */
function canKnow(world: World, attempt: Attempt, before: Attempt[]): boolean {
	if (before.some(({ state }) => state === 'killed')) return false;
	if (!isDatable(world) || areTakenForOne(world)) return false;
	if (!before.every((one) => one === attempt || (one.endedAt ?? 0) <= attempt.begunAt))
		return false;
	// A service that acts on what it rejected, and shows it late, is beyond the promise.
	if (hasActedOnRejection(before) && !isWithinPromise(world, before)) return false;
	const isOneAccount = before.every(({ apiKey }) => apiKey === attempt.apiKey);
	if (!areKept(before) && !isOneAccount) return false;
	if (!attempt.hasMemory && !isRecognised(world, before)) return false;
	// never-twice.md: "Keys without access to history [...] can retry, too [...]. The first retry sends nothing and says so."
	if (attempt.isRetry && before.some(isBlind)) return false;
	const isRead = attempt.requests.every((one) => one.kind !== 'read' || !isFailed(one));
	// service.md: "History contradicts itself: it counts as unreadable."
	const isContradicted = wordsOf(attempt).some((words) => /contradicts itself/.test(words));
	const isReadable = isRead && !isContradicted && !isHeldBack(attempt);
	const isUsualText = isNamed(world) || before.every(({ rows }) => rows.every(isUsual));
	const isShown = isReadable && isUsualText && isSeenByRetries(before);
	return attempt.hasMemory || (isShown && isWithinPromise(world, before));
}

function isBlind({ requests }: Attempt): boolean {
	return requests.some((one) => one.kind === 'read' && isDenied(one));
}

function isTold(item: Item): boolean {
	const isSaid = /was sent before this retry/.test(String(item.json.error));
	const isUnknown = kindOf(item) === 'outcomeUnknown';
	return item.json.messageId !== undefined || isUnknown || isQuestion(item) || isSaid;
}

const isQuestion = ({ json }: Item) => json.timedOut !== undefined;

/** never-twice.md: "Every message ends in the output as accepted, not sent, or 'Outcome unknown'." */
const everyRowTold: Invariant = (world, { attempts }) =>
	attempts.flatMap((attempt): Violation[] => {
		if (attempt.state === 'threw' && world.onError !== 'stopWorkflow')
			return [
				{ sign: '2 throws in spite of On Error', what: `${attempt.error?.message}`, attempt },
			];
		if (attempt.state !== 'returned' || attempt.stoppedAt) return [];
		const places = new Set(attempt.items.map(placeOf));
		const missing = attempt.rows.findIndex((_, n) => !places.has(n));
		return missing < 0
			? []
			: [{ sign: '2 no output', what: `Item ${missing} has no output`, attempt }];
	});

/** words.md, SECURITY.md: "Nothing was sent" and "may have been sent" are the facts a reader needs first: they are true. */
const nothingWasSent: Invariant = (world, book) =>
	book.attempts.flatMap((attempt): Violation[] => {
		if (areTakenForOne(world)) return [];
		// A retry knows of others only what it was given.
		const family = ofFamily(book, attempt).filter(
			(one) =>
				one.begunAt <= attempt.begunAt &&
				(one.execution === attempt.execution || attempt.hasMemory),
		);
		if (family.some(({ state }) => state === 'killed')) return [];
		return wordsOf(attempt).flatMap((words): Violation[] => {
			const of = (attempts: Attempt[]) => storedBy(attempts, attempt.endedAt).length;
			const isFalse =
				(/Nothing was sent\./.test(words) && of(family) > 0) ||
				(/Nothing was sent in this attempt/.test(words) && of([attempt]) > 0);
			return isFalse ? [{ sign: '3 "Nothing was sent" after messages', what: words, attempt }] : [];
		});
	});

/** SECURITY.md: "If the node fails later", its error is about the item that failed: what it calls unsent is not there. */
const errorIsTrue: Invariant = (world, book) =>
	runsOf(book).flatMap((attempts) =>
		attempts.flatMap((attempt): Violation[] => {
			const { error, stoppedAt, rows } = attempt;
			// A failure that lasts is told again as it was.
			if (!error || repeatsEnding(book, attempt)) return [];
			const words = `${error.message} ${error.description}`;
			if (/execution was stopped/.test(words) && !stoppedAt)
				return [{ sign: '3 "stopped", but nobody stopped it', what: words, attempt }];
			const [, item = 1] = /\bitem (\d+)/.exec(error.message) ?? [];
			const [to = ''] = rows[Number(item) - 1]?.numbers ?? [];
			const before = attempts.filter(({ begunAt }) => begunAt <= attempt.begunAt);
			if (!canKnow(world, attempt, before)) return [];
			const wanted = wantedBy(world, attempt).get(to) ?? 0;
			const isSent = wanted > 0 && countAccepted(world, book, before, to, wanted) >= wanted;
			// A tool knows a message by what it is to send; a duplicate is not what was sent.
			const isOne = !isTool(attempt) && world.options.skipDuplicates !== true;
			const isAlone = before.every((one) => one.process === attempt.process);
			const isKnown = attempt.hasMemory && isOne && isAlone;
			if (/Nothing was sent in this attempt/.test(words) && isSent && isKnown)
				return [{ sign: '2 in doubt, and nothing said of it', what: words, attempt, to }];
			if (/The message was not sent|Not sent/.test(words) && isSent)
				return [{ sign: '2 accepted, reported as not sent', what: words, attempt, to }];
			if (/is unavailable/.test(words) && isSent)
				return [{ sign: '2 accepted, reported as unavailable', what: words, attempt, to }];
			const told = Number(/(\d+) messages? (?:was|were) sent before/.exec(words)?.[1] ?? 0);
			if (told > book.stored.length)
				return [{ sign: '3 counts messages that are not there', what: words, attempt }];
			return [];
		}),
	);

/** never-twice.md: "the next attempt sends only what was not accepted": what fails has failed in this attempt. With Skip
 * If Already Sent, what another execution may have sent ends as it did there. */
const failureHasCause: Invariant = (world, book) =>
	book.attempts.flatMap((attempt): Violation[] => {
		if (attempt.state === 'running' || attempt.requests.some(isFailed) || attempt.stoppedAt)
			return [];
		if (repeatsEnding(book, attempt)) return [];
		const isForeign = (words: string) => canSkip(world) && /may have been sent/.test(words);
		const isBusy = book.requests.some(
			(one) =>
				isSend(one) &&
				one.attempt !== attempt &&
				(one.endedAt ?? Infinity) > attempt.begunAt &&
				one.at < (attempt.endedAt ?? 0),
		);
		const failure = wordsOf(attempt).find(
			(words) =>
				!isForeign(words) &&
				/unavailable|could not be reached|did not respond|HTTP (401|403|429)|accepted none/.test(
					words,
				),
		);
		return failure && !isBusy
			? [{ sign: '3 fails without a request that failed', what: failure, attempt }]
			: [];
	});

/** service.md: "responds 503 to everything: "Outcome unknown"". */
const outageIsTold: Invariant = (world, { attempts }) =>
	attempts.flatMap((attempt): Violation[] => {
		const { requests, isRetry } = attempt;
		const isOutage = requests.some(isSend) && requests.every(({ got }) => got === 503);
		if (
			!isOutage ||
			isRetry ||
			attempt.try > 1 ||
			isSentOnce(world) ||
			storedBy([attempt]).length > 0
		)
			return [];
		const wrong = wordsOf(attempt).find((words) => /service is unavailable/.test(words));
		return wrong
			? [{ sign: '3 a message in doubt is called unavailable', what: wrong, attempt }]
			: [];
	});

/** docs: the hint "2 sent (2 parts), 1 may have been sent: see error." counts what happened. */
const hintCounts: Invariant = (world, book) =>
	book.attempts.flatMap((attempt): Violation[] => {
		const hint = attempt.hints.find((one) => /^\d+ sent \(/.test(one));
		if (!hint || attempt.state !== 'returned') return [];
		const read = (words: string) => Number(new RegExp(`(\\d+) ${words}`).exec(hint)?.[1] ?? 0);
		const records = count(
			attempt.items,
			({ json }) => json.messageId !== undefined && !json.alreadySent,
		);
		const asked = new Set(
			book.requests
				.filter(
					({ attempt: { family } }) =>
						family === attempt.family || canSkip(world) || areTakenForOne(world),
				)
				.flatMap(({ numbers }) => numbers),
		);
		const known = new Set(book.stored.map(({ to }) => to));
		const possible = count(attempt.rows, ({ numbers: [to] }) => asked.has(to) || known.has(to));
		if (read('sent \\(') !== records)
			return [{ sign: '3 the hint miscounts what was sent', what: hint, attempt }];
		// A history that does not show numbers leaves open whose message it shows.
		const isFalse = !hidesNumbers(world) && read('may have been sent') > possible;
		return isFalse
			? [{ sign: '3 "may have been sent" without a request', what: hint, attempt }]
			: [];
	});

/** service.md: equal or changed texts in another order swap their IDs, where numbers do not tell. */
function areSwapped({ service }: World, { to, text, request }: Stored): boolean {
	const { numbers, plan, stored } = request;
	const isOrdered = (plan?.response === 'shuffled') === (service.responseOrder === 'reversed');
	if (isOrdered) return false;
	const isChanged = service.responseText === 'other';
	if (!['masked', 'missing'].includes(service.responseNumber))
		return isChanged && count(numbers, (one) => one === to) > 1;
	return isChanged || count(stored, (one) => one.text === text) > 1;
}

/** SECURITY.md: "Every accepted message is in the output": beside the item that wanted it, and only there. */
const pairing: Invariant = (world, book) =>
	book.attempts.flatMap((attempt) => {
		const seen = new Set<unknown>();
		return attempt.items.flatMap((item): Violation[] => {
			const { alreadySent } = item.json;
			const id = idOf(item);
			if (id === undefined) return [];
			const stored = storedBy(book.attempts).find((one) => one.id === id);
			const fault = (why: string): Violation[] => [
				{ sign: `4 ${why}`, what: `${String(id)} for item ${placeOf(item)}`, attempt },
			];
			if (!stored) return fault('a record that the service does not have');
			const isOnce = !alreadySent || isBulk(world);
			if (seen.has(id) && isOnce) return fault('one record for two items');
			if (isOnce) seen.add(id);
			const { key = attempt.apiKey } = attempt.rows[placeOf(item)] ?? {};
			if (!attempt.isRetry && accountOf(stored) !== key)
				return fault('the record of another account');
			if (areSwapped(world, stored)) return [];
			if (stored.to !== numberOf(attempt, item)) return fault('the record of another number');
			const isListed = world.service.text !== 'other' && !isEncrypted(world);
			// One message per number, whatever its text.
			const isOnePerNumber = world.options.skipDuplicates === true;
			const isTextKnown =
				!isOnePerNumber &&
				!(isEncrypted(world) && isShared(world)) &&
				isSeenByRetries(ofFamily(book, attempt)) &&
				(isListed || ofFamily(book, attempt).every(({ hasMemory }) => hasMemory)) &&
				!world.isTextChanging &&
				!areTakenForOne(world) &&
				(attempt.hasMemory || !hasSeveralTexts(ofFamily(book, attempt), stored.to)) &&
				hasAllRows(book, attempt) &&
				ofFamily(book, attempt).every(({ rows }) => rows.every(isUsual)) &&
				!hasLink(world);
			const isSkip = alreadySent === true && !isBulk(world);
			if (isTextKnown && !isSkip && stored.text !== attempt.texts[placeOf(item)])
				return fault('the record of another text');
			const owner = stored.request.attempt;
			// Its process knows better.
			const isForeign =
				owner.family !== attempt.family &&
				!isFailed(stored.request) &&
				ofFamily(book, attempt).every(
					(one) => one.process === owner.process || one.begunAt > attempt.begunAt,
				);
			return isForeign && !alreadySent && !areTakenForOne(world)
				? fault('the record of another execution')
				: [];
		});
	});

/** never-twice.md: in doubt "for a minute after the request (two after a time-out)", "in at most two requests per
 * attempt": so each attempt ends, and Stop ends it at once. */
const itEnds: Invariant = (world, book) => {
	const timeout = Number(world.options.timeout ?? 30_000);
	const pause = Number(world.options.pauseBetweenRequests ?? 0);
	const silent: Violation[] = book.unhandled.map((what) => ({
		sign: '5 a rejection that nobody handles',
		what,
	}));
	return silent.concat(
		book.attempts.flatMap((attempt): Violation[] => {
			const { state, begunAt, endedAt = 0, stoppedAt, requests } = attempt;
			if (state === 'hung')
				return [
					{
						sign: '5 never ends',
						what: `No end after ${(endedAt - begunAt) / minute} minutes`,
						attempt,
					},
				];
			if (stoppedAt && endedAt - stoppedAt > waitLimit)
				return [{ sign: '5 Stop takes long', what: `${endedAt - stoppedAt} ms`, attempt }];
			const isAlone = book.attempts.every(
				(one) => one === attempt || one.begunAt > endedAt || (one.endedAt ?? 0) < begunAt,
			);
			// Equal messages are in doubt one after the other.
			const equal = groupBy(attempt.rows, ({ numbers: [to] }) => String(to));
			const turns = Math.max(1, ...[...equal.values()].map((rows) => rows.length));
			const bound =
				(turns + count(requests, isSend)) * (timeout + 3 * minute + pause) +
				(isTool(attempt) ? 2 * minute : 0) +
				sum(world.sleeps.map(({ forMs }) => forMs));
			const isLong = isAlone && state !== 'killed' && endedAt - begunAt > bound;
			return isLong
				? [
						{
							sign: '5 takes longer than its doubts',
							what: `${(endedAt - begunAt) / minute} minutes, ${count(requests, isSend)} sends`,
							attempt,
						},
					]
				: [];
		}),
	);
};

/** service.md: "rejects 20 of those in a row: the rest of it is not sent", and scaling.md: "one request in 10 seconds". */
function findVain({ requests }: Attempt, limit: number): string | undefined {
	const sends = requests.filter(isSend);
	// Those of several messages, and of what is left of them.
	const isBatched = sends.some(({ numbers }) => numbers.length > 1);
	const isRejected = ({ got }: Request) => isBatched && rejections.includes(got);
	const isDown = (one: Request) =>
		isFailed(one) && !isClearlyRejected(one) && one.stored.length === 0;
	// What history shows of ours, or a slow response, even a rejection, shows that the service works.
	const isSeen = (since: number, until: number, is: (one: Request) => boolean) =>
		requests.some((one) => {
			const [at, isGood] = isSend(one) ? [one.endedAt, !is(one)] : [one.at, one.shown];
			return isGood && Number(at) > since && Number(at) <= until;
		});
	const streak = (n: number, is: (one: Request) => boolean) => {
		const first = sends
			.slice(0, n)
			// What has not ended when it begins says nothing yet.
			.filter(({ endedAt = Infinity }) => endedAt <= sends[n].at)
			.reverse()
			.findIndex((one) => !is(one) || isSeen(one.at, sends[n].at, is));
		return first < 0 ? n : first;
	};
	const isNew = ({ numbers }: Request, n: number) =>
		!sends.slice(0, n).some((one) => one.numbers.some((to) => numbers.includes(to)));
	for (const [n, one] of sends.entries()) {
		// A rejection counts once its request has been looked up.
		if (isRejected(one) && streak(n, isRejected) > 21 + 2 * limit) return '20 rejections in a row';
		if (isNew(one, n) && streak(n, isDown) > 12 + limit) return '12 failures in a row';
	}
	return undefined;
}

function mostInFlight({ requests }: Attempt): number {
	const changes = requests.flatMap(({ at, endedAt = Infinity }) => [
		{ at, by: 1 },
		{ at: endedAt, by: -1 },
	]);
	// At one moment, requests end before others begin.
	changes.sort((a, b) => a.at - b.at || a.by - b.by);
	let now = 0;
	return Math.max(0, ...changes.map(({ by }) => (now += by)));
}

/** never-twice.md: "in at most two requests per attempt"; Parallel Requests: "Max number of requests in flight". */
const fewRequests: Invariant = (world, { attempts }) =>
	attempts.flatMap((attempt): Violation[] => {
		const wanted = wantedBy(world, attempt);
		const unclear = attempt.requests.filter((one) => isSend(one) && !isClearlyRejected(one));
		const sends = groupBy(
			unclear.flatMap(({ numbers }) => numbers),
			(to) => to,
		);
		const most = [...sends].find(
			([to, all]) => all.length > 2 * (wanted.get(to) ?? 0) && wanted.has(to),
		);
		if (most)
			return [
				{
					sign: '6 more than two sends of a message',
					what: `${most[1].length} sends to ${most[0]}`,
					attempt,
					to: most[0],
				},
			];
		const limit = world.node.includes('Wait') ? 1 : Number(world.options.parallelRequests ?? 5);
		const vain = findVain(attempt, limit);
		if (vain) return [{ sign: '6 goes on in vain', what: `A send after ${vain}`, attempt }];
		const crowd = mostInFlight(attempt);
		const what = `${crowd} in flight, ${limit} allowed`;
		return crowd > limit ? [{ sign: '6 over Parallel Requests', what, attempt }] : [];
	});

/** errors.md: Retry-After is obeyed, up to a minute, by all requests of the attempt. */
const retryAfterObeyed: Invariant = (_, { attempts }) =>
	attempts.flatMap((attempt): Violation[] => {
		const asked = attempt.requests.flatMap(({ retryAfterMs, endedAt }) =>
			retryAfterMs && endedAt
				? [{ from: endedAt, to: endedAt + Math.min(retryAfterMs, minute) }]
				: [],
		);
		const hasty = attempt.requests.find((one) =>
			asked.some(({ from, to }) => one.at > from && one.at < to - 1),
		);
		return hasty
			? [
					{
						sign: '6 a request during Retry-After',
						what: `${hasty.kind} at ${hasty.at - attempt.begunAt} ms`,
						attempt,
					},
				]
			: [];
	});

/** scaling.md: lookups read what is new, not all of history: they grow with messages / 1,000 and doubts. */
const historyIsRead: Invariant = (world, { attempts, stored }) =>
	attempts.flatMap((attempt): Violation[] => {
		const { order, createdAt, zoneMinutes, clockMs, hasDate, paging } = world.service;
		const isDatable =
			paging === 'usual' &&
			createdAt === 'usual' &&
			order === 'newest' &&
			([0, 390] as unknown[]).includes(zoneMinutes) &&
			isMachineRight(world) &&
			(hasDate || clockMs === 0);
		const reads = attempt.requests.filter(({ kind }) => kind === 'read');
		// Five pages at once, where what is wanted is more than ten minutes old.
		const pages = (at: number) =>
			// One more while no response has shown the zone.
			(at - world.beginsAt > 10 * minute ? 5 : 2) +
			Math.ceil((stored.length + world.service.newer) / 1000);
		const deep = reads.find(({ page = 1, at }) => page > pages(at));
		if (deep && isDatable && !canSkip(world))
			return [{ sign: '6 reads old history', what: `Page ${deep.page} of history`, attempt }];
		const doubts = count(attempt.requests, (one) => isSend(one) && isFailed(one));
		const lookups = 16 * (doubts + (attempt.isRetry || attempt.try > 1 ? 2 : 0)) + 2;
		// Of 20 records each, where a service caps its pages; 200 requests of a lookup at most. Five tries, else.
		const isInOrder = order === 'newest' && createdAt === 'usual' && !canSkip(world);
		const listed = stored.length + world.service.newer + (isInOrder ? 40 : world.service.older);
		const most = lookups * Math.min(200, Math.max(25, Math.ceil(listed / 20)));
		return reads.length > most
			? [{ sign: '6 reads too often', what: `${reads.length} reads for ${doubts} doubts`, attempt }]
			: [];
	});

/** The node forgets a run once all of it is in the output; no timer of it goes on. */
const nothingStays: Invariant = (world, { attempts, timersLeft }) => {
	const left: Violation[] =
		timersLeft > 0 ? [{ sign: '7 timers stay', what: `${timersLeft} timers` }] : [];
	const isDone = ({ json }: Item) => json.messageId !== undefined;
	const done = attempts.find(
		(one) =>
			one.kind === 'plain' &&
			one.state === 'returned' &&
			one.items.every(isDone) &&
			one.kept > 0 &&
			world.passes === 1,
	);
	const stray = attempts.find(({ endedAt = Infinity, requests }) =>
		requests.some(({ at }) => at > endedAt),
	);
	if (stray)
		left.push({
			sign: '7 requests after the end',
			what: 'A request after the node has ended',
			attempt: stray,
		});
	const isWaiting = world.node.includes('Wait');
	return done && !isWaiting
		? [...left, { sign: '7 memory stays', what: `${done.kept} entries`, attempt: done }]
		: left;
};

/** service.md: what a response shows as accepted is never sent again, whichever record is whose. */
const acceptedOnce: Invariant = (world, book) =>
	runsOf(book).flatMap((attempts): Violation[] => {
		if (!areKept(attempts) || !(attempts.every(hasMemory) || isUsualInput(world, attempts)))
			return [];
		// Another execution may take for its own what history shows of this one.
		const isAlone =
			book.attempts.length === attempts.length && isDatable(world) && isMachineRight(world);
		return [...groupBy(storedBy(attempts), ({ to }) => to)].flatMap(([to, stored]): Violation[] => {
			const wanted = mostOf(attempts, (one) => wantedBy(world, one).get(to) ?? 0);
			const again = stored.find(({ request }) => {
				const before = stored.filter(
					(one) =>
						(isShownAsAccepted(one.request) && Number(one.request.endedAt) <= request.at) ||
						(isAlone && isShownInPart(world, one.request, request.at)),
				);
				return before.length >= wanted;
			});
			if (!again) return [];
			const { attempt } = again.request;
			const what = `${stored.length} messages to ${to}, ${wanted} wanted, after a clean response`;
			return [{ sign: '1 sent again after a 2xx', what, attempt, to }];
		});
	});

const hasMemory = (one: Attempt) => one.hasMemory;

/** A message in an input that has changed can be another one. */
function isUsualInput(world: World, attempts: Attempt[]): boolean {
	return (
		!world.isTextChanging &&
		world.passes === 1 &&
		!attempts.some(isTool) &&
		attempts.every(({ rows }) => rows.every(isUsual))
	);
}

/**
 * service.md: "Only some of a bulk request is listed: the node waits for the rest, and never sends it again." A time that
 * is possible in two zones shows nothing for certain.
 */
function isShownInPart(world: World, request: Request, until: number): boolean {
	const { service, serviceTimeZone } = world;
	const { stored, numbers, endedAt = Infinity, attempt } = request;
	const isLookedUp = (at: number) =>
		attempt.requests.some(
			(one) => one.kind === 'read' && !isFailed(one) && one.at >= at && one.at < until,
		);
	const isInOneZone = serviceTimeZone === 'Asia/Yangon' || hasShownTimes(request);
	const isPlain = isPlainHistory(service) && isInOneZone && request.got !== 201;
	const shown = count(stored, ({ listedAt }) => isLookedUp(Math.max(listedAt, endedAt)));
	return isPlain && stored.length === numbers.length && shown > 0;
}

/** Whether history shows all as it was sent. */
function isPlainHistory(service: World['service']): boolean {
	const plain = [
		...(['createdAt', 'order', 'paging', 'filters', 'number', 'text', 'sender', 'ids'] as const),
	];
	const isUsual = plain.every((name) => service[name] === plainTraits[name]);
	return (
		isUsual &&
		service.noReference !== 'own' &&
		service.reference === 'usual' &&
		service.zoneMinutes === 390 &&
		service.clockMs === 0
	);
}

/** A part of one record is none. */
const isShownAsAccepted = ({ got, plan, numbers }: Request) =>
	typeof got === 'number' &&
	got < 300 &&
	[...['records', 'shuffled'], ...(numbers.length > 1 ? ['part'] : [])].includes(
		String(plan?.response ?? 'records'),
	);

/** scaling.md: while the service is down, a new execution makes no request. */
const isHeldBack = (attempt: Attempt) =>
	wordsOf(attempt).some((words) => /has been failing since/.test(words));

/** SmsHistory: all that was asked for, once and nothing else, or an error. */
const listingIsWhole: Invariant = (world, { listings }) =>
	listings.flatMap((attempt): Violation[] => {
		const { items, listed = [], rows, requests } = attempt;
		const isTold = attempt.state === 'threw' || items.some(({ json }) => json.error !== undefined);
		const { paging, filters, number } = world.service;
		// sms-history.md: "leaves out what certainly does not match".
		const isOpen = filters === 'ignored' && !['usual', 'plus', 'national', 'bare'].includes(number);
		const isKnownZone = world.serviceTimeZone !== 'GMT+6:30';
		const isPlain = isKnownZone && ['usual', 'capped'].includes(paging) && filters === 'usual';
		const isHeld = isHeldBack(attempt);
		if (isTold && isPlain && !isHeld && !isMoving(world) && !requests.some(isFailed))
			return [
				{ sign: '8 SMS History fails without a cause', what: wordsOf(attempt).join(), attempt },
			];
		if (isTold) return [];
		const ids = items.map((item) => String(idOf(item)));
		const own = new Set(ids.filter((id) => !id.startsWith('o-')));
		const others = ids.length - count(ids, (id) => own.has(id));
		const faults = {
			'lists fewer': listed.some((id) => !own.has(id)),
			'lists others':
				!isOpen &&
				([...own].some((id) => !listed.includes(id)) || (rows[0].numbers.length > 0 && others > 0)),
			'lists twins': new Set(ids).size < ids.length,
		};
		const what = `${ids.length} records for ${listed.length}`;
		return Object.entries(faults).flatMap(([why, is]) =>
			is ? [{ sign: `8 SMS History ${why}`, what, attempt }] : [],
		);
	});

/** Valid messages go out: where no request of a lone attempt failed, each of them is in the output. */
const validGoOut: Invariant = (world, { attempts, requests }) => {
	const [attempt] = attempts;
	const { sendWindow, maxMessages, maxParts } = world.options;
	const isHeld = sendWindow ?? maxMessages ?? maxParts;
	const isLone = attempts.length === 1 && attempt.state === 'returned' && attempt.kind === 'plain';
	const isKnownZone = world.serviceTimeZone !== 'GMT+6:30';
	if (
		!isLone ||
		!isKnownZone ||
		isHeld !== undefined ||
		attempt.stoppedAt ||
		requests.some(isFailed)
	)
		return [];
	const isInput = (item: Item) => ['input', 'unreadable'].includes(String(kindOf(item)));
	if (attempt.items.some(isInput)) return [];
	const isForbidden = attempt.rows.some(({ text }) => text.startsWith(forbidden));
	// service.md: what a response does not show as whose is told.
	if (isForbidden || storedBy(attempts).some((one) => areSwapped(world, one))) return [];
	const told = groupBy(
		attempt.items.filter(({ json }) => json.messageId !== undefined || isQuestion({ json })),
		(item) => numberOf(attempt, item) ?? '',
	);
	const left = [...wantedBy(world, attempt)].find(
		([to, wanted]) => (told.get(to)?.length ?? 0) < wanted,
	);
	return left
		? [{ sign: '2 valid, and not in the output', what: `To ${left[0]}`, attempt, to: left[0] }]
		: [];
};

/**
 * "Other messages in the same request were accepted": some of it was accepted. In another process, only history tells which
 * retry sent a bulk message.
 */
const partlyIsTrue: Invariant = (world, book) => {
	const isAlone = new Set(book.attempts.map(({ process }) => process)).size === 1;
	return runsOf(book).flatMap((attempts) =>
		attempts.flatMap((attempt): Violation[] => {
			const own = attempts.flatMap(({ requests }) => requests);
			// Of two executions in doubt about the same message, either may have sent it.
			const mine = book.requests.filter(
				(one) => isSend(one) && (own.includes(one) || isFailed(one)),
			);
			const held = attempt.items.filter((item) => {
				const to = String(numberOf(attempt, item));
				const words = wordsOf({ ...attempt, error: undefined, items: [item] });
				const isHeld = words.some((one) => /Other messages in the same request/.test(one));
				return isHeld && !mine.some((one) => one.numbers.includes(to) && one.stored.length > 0);
			});
			const ids = new Set(attempt.items.map(idOf));
			const found = book.stored.filter(({ id }) => ids.has(id));
			// Which of several equal bulk messages history shows, nobody can know.
			const isOthers = ({ request }: Stored) => request.attempt.family !== attempt.family;
			const hasEqual = [...wantedBy(world, attempt).values()].some((wanted) => wanted > 1);
			if (hasEqual || (isAlone && found.some(isOthers))) return [];
			if (held.length === 0 || (!isAlone && found.length > 0)) return [];
			const sign = '3 "others of the same request", of which none was accepted';
			const to = String(numberOf(attempt, held[0]));
			return [{ sign, what: `${held.length} messages`, attempt, to }];
		}),
	);
};

/** Each recipient of an item is sent to, or the item has an error. */
const everyRecipient: Invariant = (world, book) =>
	runsOf(book).flatMap((attempts): Violation[] => {
		const attempt = attempts.at(-1)!;
		const { skipDuplicates, doNotSendTo } = world.options;
		if (attempt.state !== 'returned' || attempt.kind !== 'plain' || attempt.stoppedAt) return [];
		if (skipDuplicates ?? doNotSendTo) return [];
		const left = attempt.rows.findIndex(({ numbers }, row) => {
			const items = attempt.items.filter((item) => placeOf(item) === row);
			return !items.some(({ json }) => json.error) && items.length < numbers.length;
		});
		const what = `Item ${left + 1}`;
		return left < 0 ? [] : [{ sign: '2 a recipient of an item is missing', what, attempt }];
	});

/** never-twice.md, Send Again: in doubt "in at most two requests per attempt", not fewer. */
const sentTwice: Invariant = (world, { attempts, requests }) =>
	attempts.flatMap((attempt): Violation[] => {
		// Once its window is closed, the message is scheduled.
		const isScheduled = world.options.sendWindow !== undefined;
		if (isSentOnce(world) || isBulk(world) || attempt.kind !== 'plain' || attempt.stoppedAt)
			return [];
		return attempt.items.flatMap((item): Violation[] => {
			const [words = ''] = wordsOf({ ...attempt, error: undefined, items: [item] });
			const to = String(numberOf(attempt, item));
			const isRejected = attempt.rows[placeOf(item)]?.text.startsWith(forbidden);
			const isWanted = wantedBy(world, attempt).has(to);
			if (!/It was not in message history/.test(words) || isRejected || !isWanted) return [];
			if (isScheduled) return [];
			const mine = attempt.requests.filter((one) => isSend(one) && one.numbers.includes(to));
			const isOutage = count(requests, (one) => isSend(one) && isFailed(one)) >= 3;
			const last = mine.at(-1);
			const isRejectedInWords = last && !isFailed(last) && last.stored.length === 0;
			// With Skip If Already Sent, what another execution may have sent ends as it did there.
			const isForeign = canSkip(world) && mine.length === 0;
			if (mine.length >= 2 || isOutage || isRejectedInWords || isForeign) return [];
			if (last && isClearlyRejected(last)) return [];
			if (attempt.requests.some((one) => isSend(one) && isClearlyRejected(one))) return [];
			return [{ sign: '6 given up too early', what: `${mine.length} sends to ${to}`, attempt, to }];
		});
	});

/** never-twice.md: "History shows it: it was accepted." */
const seenIsTold: Invariant = (world, book) => {
	const { service, executions, rows } = world;
	const isUtc = service.zoneMinutes === 0;
	const references = new Set(rows.map(({ ref }) => ref?.trim()));
	// A reference of one number needs no number in history.
	const isOfOne = world.options.clientReference !== undefined && references.size === rows.length;
	const shown = { ...service, zoneMinutes: 390, ...(isOfOne && { number: 'usual' as const }) };
	const isPlain = isPlainHistory(shown) && (isUtc || service.zoneMinutes === 390);
	const numbers = rows.flatMap((row) => row.numbers);
	const isOne =
		executions.length === 1 && isMachineRight(world) && new Set(numbers).size === numbers.length;
	if (!isPlain || !isOne || world.isTextChanging || world.serviceTimeZone !== 'Asia/Yangon')
		return [];
	return book.attempts.flatMap((attempt): Violation[] => {
		const isFirst = !attempt.isRetry && attempt.state === 'returned' && !attempt.stoppedAt;
		const reads = attempt.requests.filter((one) => one.kind === 'read');
		if (!isFirst || reads.some(isFailed)) return [];
		const lookedAt = reads.at(-1)?.at ?? 0;
		return attempt.items.flatMap((item): Violation[] => {
			const to = String(numberOf(attempt, item));
			const found = storedBy([attempt], lookedAt).find((one) => {
				const { endedAt = Infinity } = one.request;
				const until = Math.min(lookedAt, endedAt + minute);
				const isInTime = one.createdAt <= endedAt + 2 * minute && one.listedAt <= until;
				return one.to === to && isInTime && (!isUtc || hasShownTimes(one.request));
			});
			if (!found || kindOf(item) !== 'outcomeUnknown') return [];
			return [{ sign: '3 unknown, though history shows it', what: found.id, attempt, to }];
		});
	});
};

/** Its n8n process knows, from the response, whose record it is that looks like a message in doubt. */
const othersAreKnown: Invariant = (world, book) => {
	const { service, executions, options, isTextChanging } = world;
	const isPlain =
		isPlainHistory(service) && isMachineRight(world) && !isTextChanging && !hasLink(world);
	const isKept = executions.every((one) => !one.kill && !one.failsBefore && !one.retries.length);
	if (!isPlain || !isOneProcess(book) || !isKept || options.skipIfAlreadySent) return [];
	return book.attempts.flatMap((attempt) =>
		attempt.items.flatMap((item): Violation[] => {
			const [words = ''] = wordsOf({ ...attempt, error: undefined, items: [item] });
			const to = String(numberOf(attempt, item));
			const isAlike = /may be this one/.test(words);
			const alike = book.stored.filter((one) => one.to === to);
			// In doubt itself, another execution may have sent either of two.
			const isKnown = book.requests.every((one) => !isFailed(one) || one.attempt === attempt);
			const isOthers = alike.every(
				({ request }) =>
					request.attempt.family !== attempt.family &&
					request.got === 201 &&
					Number(request.endedAt) < Number(attempt.endedAt),
			);
			if (!isAlike || !isKnown || !isOthers) return [];
			return [{ sign: '3 another message is not known as such', what: words, attempt, to }];
		}),
	);
};

/** never-twice.md: "for a minute after the request (two after a time-out [...])", not longer. */
const doubtEnds: Invariant = (world, { attempts }) =>
	attempts.flatMap((attempt): Violation[] => {
		const { requests, endedAt = 0, stoppedAt, rows } = attempt;
		const isAlone = world.executions.length === 1 && isMachineRight(world) && !stoppedAt;
		const isShort = requests.length < 200;
		const isQuick = requests.every(
			(one) =>
				!one.retryAfterMs && (isSend(one) || (!isFailed(one) && one.plan?.latencyMs !== 5_000)),
		);
		if (!isAlone || !isShort || !isQuick || rows.length > 1 || isTool(attempt) || attempt.isRetry)
			return [];
		const sends = requests.filter(isSend);
		const isLate = attempts.some((one) =>
			one.requests.some(
				({ plan, got }) => timeOuts.includes(plan?.response) || got === 'ECONNABORTED',
			),
		);
		const most = isLate ? 2 * minute : minute;
		// What is known to be accepted is waited for, as long as Time Limit says.
		const isKnown = (one: Request) => !isFailed(one) && (isSend(one) || Number(one.shown) > 0);
		const isWaiting = world.node.includes('Wait');
		const long = sends.find((one, n) => {
			const known = isWaiting && requests.find((other) => other.at >= one.at && isKnown(other));
			// A message is sent again before it is known.
			const next = Math.min(known ? Number(known.endedAt) : endedAt, sends[n + 1]?.at ?? Infinity);
			return next - Number(one.endedAt) > most + 10_000;
		});
		return long && attempt.state !== 'killed'
			? [{ sign: '5 a doubt that goes on', what: `More than ${most} ms`, attempt }]
			: [];
	});

/** never-twice.md: "Keys without access to history [...] can retry, too [...]. The first retry sends nothing and says so." */
const blindRetriesTell: Invariant = (world, book) =>
	runsOf(book).flatMap((attempts) => {
		// What is told to one of two that are taken for one is told to both.
		if (areTakenForOne(world)) return [];
		const isBlindAtFirst = ({ isRetry, requests }: Attempt) => {
			// Later lookups are about what is in doubt. After a 404, another method is tried.
			const [first, next] = requests.filter(({ kind }) => kind !== 'balance');
			const isOtherMethod = next?.kind === 'read' && next.at === first.endedAt && !isDenied(next);
			return isRetry && first?.kind === 'read' && isDenied(first) && !isOtherMethod;
		};
		const blind = attempts.find(isBlindAtFirst);
		const isTold = attempts.some(
			(one) =>
				Number(one.endedAt) <= Number(blind?.begunAt) &&
				wordsOf(one).some((words) => /^Nothing was sent: message history/.test(words)),
		);
		// What is in doubt is looked up for itself: after a lookup that could be read, its send is not blind.
		const seenAt = blind?.requests.find((one) => one.kind === 'read' && !isFailed(one))?.endedAt;
		const isUnseen = (one: Request) => isSend(one) && one.at < (seenAt ?? Infinity);
		if (isTold || !blind?.requests.some(isUnseen)) return [];
		const what = `${blind.requests.length} requests`;
		return [{ sign: '1 sent by a blind retry', what, attempt: blind }];
	});

/** sms-send.md, On Error: with Stop Workflow, nothing is begun after a failure that the next item would meet, too. */
const stopsAtFailure: Invariant = (world, { attempts, requests }) =>
	attempts.flatMap((attempt): Violation[] => {
		if (world.node !== 'SmsSend' || world.onError !== 'stopWorkflow') return [];
		const sends = attempt.requests.filter(isSend);
		const isInDoubt = ({ numbers: [to], at }: Request) =>
			requests.some(
				(one) =>
					one.at < at && one.numbers.includes(to) && isFailed(one) && !isClearlyRejected(one),
			);
		const stop = sends.find(
			(one) => [400, 401, 402, 403].includes(Number(one.got)) && !isInDoubt(one),
		);
		const after = sends.find(
			(next) =>
				next.at > Number(stop?.endedAt) &&
				!isInDoubt(next) &&
				!sends.some((one) => one.at < next.at && one.numbers[0] === next.numbers[0]),
		);
		return after
			? [{ sign: '6 goes on after a failure', what: `To ${after.numbers[0]}`, attempt }]
			: [];
	});

/** errors.md: what the service rejects alone is told as rejected. */
const rejectedIsTold: Invariant = (world, { attempts }) =>
	attempts.flatMap((attempt) =>
		attempt.items.flatMap((item): Violation[] => {
			if (kindOf(item) !== 'outcomeUnknown' || attempts.length > 1) return [];
			const to = String(numberOf(attempt, item));
			const mine = attempt.requests.filter((one) => isSend(one) && one.numbers.includes(to));
			const isRejected = mine.length > 0 && mine.every(isClearlyRejected);
			const isReadable = attempt.requests.every((one) => isSend(one) || !isFailed(one));
			const isAlone = mine.at(-1)?.numbers.length === 1 && isPlainHistory(world.service);
			const isUnsent = mine.every(({ stored }) => stored.length === 0);
			return isRejected && isReadable && isAlone && isUnsent && isMachineRight(world)
				? [{ sign: '3 unknown, though it was rejected', what: `To ${to}`, attempt, to }]
				: [];
		}),
	);

/** Whether one n8n process knows of everything. */
const isOneProcess = ({ attempts }: Book) =>
	new Set(attempts.map(({ process }) => process)).size === 1 &&
	attempts.every(({ state }) => state !== 'killed');

/** A record is told to one execution only, and a hint of others is true. */
const toldOnce: Invariant = (world, book) => {
	const { attempts } = book;
	if (!isOneProcess(book) || canSkip(world) || areTakenForOne(world)) return [];
	const families = new Map<unknown, number>();
	return attempts.flatMap((attempt) => {
		const isAlone = attempts.every(({ family }) => family === attempt.family);
		const hint = attempt.hints.find((one) => /not sent by this retry/.test(one));
		const isPromised = isWithinPromise(world, attempts) && !hasActedOnRejection(attempts);
		// never-twice.md: a retry that n8n and its process tell nothing takes what history shows for its own.
		const isKept = areKept(attempts);
		const isOther = (item: Item) =>
			idOf(item) !== undefined && (families.get(idOf(item)) ?? attempt.family) !== attempt.family;
		const other = isTool(attempt) ? undefined : attempt.items.find(isOther);
		for (const item of attempt.items) families.set(idOf(item), attempt.family);
		const sign = '4 one record for two executions';
		return [
			...(other ? [{ sign, what: String(other.json.messageId), attempt }] : []),
			...(hint && isAlone && isKept && isMachineRight(world) && isPromised
				? [{ sign: '3 a hint of other executions, where none are', what: hint, attempt }]
				: []),
		];
	});
};

const invariants: Invariant[] = [
	...[asAsked, everyRecipient, clearRunsEnd, blindRetriesTell, stopsAtFailure],
	...[acceptedOnce, listingIsWhole, neverTwice, eachTextOnce, limitsHold, everyRowTold],
	...[nothingWasSent, failureHasCause, outageIsTold, fewRequests, retryAfterObeyed],
	...[historyIsRead, nothingStays],
];
/** These read from an item to which number it is. */
const ofOneRecipient: Invariant[] = [
	...[validGoOut, partlyIsTrue, sentTwice, skippedIfSent, nothingLost, errorIsTrue],
	...[hintCounts, pairing, itEnds, seenIsTold, doubtEnds, othersAreKnown, rejectedIsTold, toldOnce],
];

/** All that does not hold in a world. */
export function judge(world: World, book: Book): Violation[] {
	const isOfMany = world.rows.some(({ numbers }) => numbers.length > 1);
	const all = isOfMany ? invariants : [...invariants, ...ofOneRecipient];
	return all.flatMap((invariant) => invariant(world, book));
}
