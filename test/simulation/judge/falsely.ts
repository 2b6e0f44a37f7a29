import type { Attempt, Book, Item, Stored } from '../book';
import type { Invariant, Violation } from '../invariants';
import {
	areSwapped,
	areTakenForOne,
	canSkip,
	hasLink,
	hasSeveralTexts,
	hasUsualTexts,
	idOf,
	isBulk,
	isFailed,
	isSeenByRetries,
	isSend,
	isShared,
	numberOf,
	placeOf,
	repeatsEnding,
	storedBy,
	wordsOf,
} from '../reading';
import { ofYesterday, tokenOf, usualSender } from '../service';
import type { World } from '../world';

/* What the output says is true. */

const ofFamily = ({ attempts }: Book, { family }: Attempt) =>
	attempts.filter((one) => one.family === family);

/** The record beside an item is that of its message, and beside no other item. */
const pairing: Invariant = (world, book) =>
	book.attempts.flatMap((attempt) => {
		const seen = new Set<string>();
		return attempt.items.flatMap((item): Violation[] => {
			const id = idOf(item);
			const why = id === undefined ? undefined : faultOf(world, book, attempt, item, id);
			const isOnce = !item.json.alreadySent || isBulk(world);
			const isAgain = id !== undefined && isOnce && seen.has(id);
			if (isOnce) seen.add(id ?? '');
			const what = `${String(id)} for item ${placeOf(item)}`;
			const of = isAgain ? 'one record for two items' : why;
			return of ? [{ sign: `3 ${of}`, what }] : [];
		});
	});

/** What is wrong with the record that an item has. */
function faultOf(
	world: World,
	book: Book,
	attempt: Attempt,
	item: Item,
	id: string,
): string | undefined {
	const { alreadySent } = item.json;
	if (id.startsWith(ofYesterday)) {
		const hours = isBulk(world) ? Number(world.options.lookBackHours ?? 24) : Infinity;
		return alreadySent && hours > 24 ? undefined : 'the record of yesterday';
	}
	const stored = book.stored.find((one) => one.id === id);
	if (!stored) return 'a record that the service does not have';
	const isOther = stored.account !== tokenOf(attempt.apiKey);
	if (!attempt.isRetry && isOther) return 'the record of another account';
	if (areSwapped(world, stored)) return undefined;
	const isOne = attempt.rows[placeOf(item)].numbers.length < 2;
	if (isOne && stored.to !== numberOf(attempt, item)) return 'the record of another number';
	const isSkip = alreadySent === true && !isBulk(world);
	const { from = usualSender } = attempt.rows[placeOf(item)];
	if (!isSkip && stored.from !== from && areTextsKnown(world, book, attempt, stored))
		return 'the record of another sender';
	const isText = stored.text === attempt.texts[placeOf(item)];
	if (!isText && !isSkip && areTextsKnown(world, book, attempt, stored))
		return 'the record of another text';
	return !alreadySent && isForeign(world, book, attempt, stored)
		? 'the record of another execution'
		: undefined;
}

/** never-twice.md says when messages to one number are told apart by order. */
function areTextsKnown(world: World, book: Book, attempt: Attempt, stored: Stored): boolean {
	const family = ofFamily(book, attempt);
	const { encrypt } = world.options;
	const isListed = world.service.text !== 'other' && encrypt !== true;
	const isKept = family.every(({ hasMemory }) => hasMemory);
	// Where n8n has lost the memory: all of them, whatever their order.
	const isWhole = family.every(({ rows }) => rows.length <= attempt.rows.length);
	const isTold = attempt.hasMemory || (isWhole && !hasSeveralTexts(family, stored.to));
	const isChanging = world.isTextChanging || hasLink(world) || !family.every(hasUsualTexts);
	return (
		!(encrypt === true && isShared(world)) &&
		(isListed || isKept) &&
		isTold &&
		!isChanging &&
		!areTakenForOne(world) &&
		isSeenByRetries(family)
	);
}

/** Of another execution whose response its process knows. */
function isForeign(world: World, book: Book, attempt: Attempt, { request }: Stored): boolean {
	const owner = request.attempt;
	const isKnown = ofFamily(book, attempt).every(
		(one) => one.process === owner.process || one.begunAt > attempt.begunAt,
	);
	const isOther = owner.family !== attempt.family && !isFailed(request);
	return isOther && isKnown && !areTakenForOne(world);
}

/** words.md, SECURITY.md: "Nothing was sent" and "may have been sent" are the facts a reader needs first: they are true. */
const nothingWasSent: Invariant = (world, book) =>
	book.attempts.flatMap((attempt): Violation[] => {
		// A retry knows of others only what it was given.
		const family = ofFamily(book, attempt).filter(
			(one) =>
				one.begunAt <= attempt.begunAt &&
				(one.execution === attempt.execution || attempt.hasMemory),
		);
		const isKilled = family.some(({ state }) => state === 'killed');
		if (areTakenForOne(world) || isKilled) return [];
		const of = (attempts: Attempt[]) => storedBy(attempts, attempt.endedAt).length;
		return wordsOf(attempt).flatMap((words): Violation[] => {
			const isFalse =
				(/Nothing was sent\./.test(words) && of(family) > 0) ||
				(/Nothing was sent in this attempt/.test(words) && of([attempt]) > 0);
			return isFalse ? [{ sign: '3 "Nothing was sent" after messages', what: words }] : [];
		});
	});

/** never-twice.md: "the next attempt sends only what was not accepted": what fails has failed in this attempt. With Skip
 * If Already Sent, what another execution may have sent ends as it did there. */
const failureHasCause: Invariant = (world, book) =>
	book.attempts.flatMap((attempt): Violation[] => {
		const { state, begunAt, endedAt = 0, stoppedAt, error } = attempt;
		if (/execution was stopped/.test(String(error?.message)) && !stoppedAt)
			return [{ sign: '3 "stopped", but nobody stopped it', what: error!.message }];
		if (state === 'running' || attempt.requests.some(isFailed) || stoppedAt) return [];
		if (repeatsEnding(book, attempt)) return [];
		const isForeign = (words: string) => canSkip(world) && /may have been sent/.test(words);
		const isBusy = book.requests.some(
			(one) =>
				isSend(one) &&
				one.attempt !== attempt &&
				(one.endedAt ?? Infinity) > begunAt &&
				one.at < endedAt,
		);
		const causes =
			/unavailable|could not be reached|did not respond|HTTP (401|403|429)|accepted none/;
		const what = wordsOf(attempt).find((words) => !isForeign(words) && causes.test(words));
		return what && !isBusy ? [{ sign: '3 fails without a request that failed', what }] : [];
	});

export const toldTruly: Invariant[] = [pairing, nothingWasSent, failureHasCause];
