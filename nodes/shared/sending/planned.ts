import type { MessageRecord } from '../client/types';
import type { Wanted } from '../delivery/memory';
import { groupBy, type Note, type Outgoing } from '../delivery/message';
import { comparableReference, compareTexts } from '../input/comparison';
import { toRecipientKey } from '../input/number';
import { comparableText } from '../input/text';
import { readSwitch } from '../options/option';
import type { Draft, SendValues } from './draft';
import type { RecipientValues } from './recipients';

/** Values of the options that a message depends on. */
type MessageValues = Pick<SendValues, 'whenOutcomeUnknown'> &
	Partial<Pick<SendValues, 'clientReference' | 'skipIfAlreadySent' | 'test'>>;

export type ItemValues = MessageValues & RecipientValues;

type SkipReason = 'duplicate' | 'optedOut';

/** Values of the options that skip recipients. */
export interface SkipValues {
	skipDuplicates: boolean;
	/** As `toRecipientKey` returns the numbers. */
	doNotSendTo: ReadonlySet<string>;
}

/** One message to one recipient of an item, filled in from To to its outcome. */
export interface Planned {
	readonly item: number;
	readonly to: string;
	readonly values: MessageValues;
	/** Absent if its item is wrong: what an earlier attempt has sent of it is returned or looked up all the same. */
	draft?: Draft;
	/** Set if an earlier attempt has sent it. */
	record?: MessageRecord;
	skipped?: SkipReason;
	/** Absent if there is nothing to send. */
	outgoing?: Outgoing;
}

export function toWanted({ to, values, draft }: Planned): Wanted {
	return { to, isTest: values.test ?? false, content: draft && toComparable(draft) };
}

/** A message in the memory of the run. */
interface Noted {
	note: Note;
	/** The node's own. */
	reference: string;
}

/** A model that repeats a call writes another space, or none. */
export function toComparable({ request }: Pick<Draft, 'request'>): Draft['request'] {
	return { ...request, message: comparableText(request.message) };
}

export function toOutgoing(
	{ request, surface }: Pick<Draft, 'request' | 'surface'>,
	to: string,
	{ note, reference }: Noted,
	{ skipIfAlreadySent: isSkipping = false, whenOutcomeUnknown }: MessageValues,
	isSingle: boolean,
): Outgoing {
	const { clientReference = isSingle ? reference : undefined } = request;
	// A scheduled message may not appear in history before its time.
	const isScheduled = (request.scheduledAt ?? note.doubt?.sent.scheduledAt) !== undefined;
	return {
		request: { ...request, to, ...(clientReference !== undefined && { clientReference }) },
		surface,
		note,
		isUsersReference: request.clientReference !== undefined,
		isSentOnce: whenOutcomeUnknown === 'report' || isScheduled,
		isSkipping,
	};
}

/** What Skip Duplicates tells messages apart by: the number and the text. */
export function contentOf({ to, draft, record, outgoing }: Planned): string {
	const { message } = draft?.request ?? outgoing?.request ?? record ?? {};
	return `${toRecipientKey(to)} ${comparableText(message)}`;
}

/** Parts of a text that services hide. */
const masked = /\*{2}|•{2}|\[hidden\]/;

/** Whether what history shows as already sent says something else: its reference belongs to another notice. */
export function hasOtherText({ draft, record, outgoing }: Planned): boolean {
	const outcome = record ?? outgoing?.outcome;
	if (!draft || !outcome || outcome instanceof Error || outcome.alreadySent !== true) return false;
	const isEncrypted = draft.request.encrypt === 1 || readSwitch(outcome.encryptMessage) === true;
	const isReadable = !isEncrypted && !masked.test(String(outcome.message));
	return isReadable && compareTexts(draft.request, outcome) === 'other';
}

/** Messages with one reference and number, and different texts: Skip If Already Sent would send only the first. */
export function findConflicts(planned: Planned[]): Planned[] {
	const skipping = planned.filter(
		({ outgoing }) => outgoing?.isSkipping && outgoing.isUsersReference,
	);
	const ofNotices = groupBy(
		skipping,
		({ to, outgoing }) =>
			`${toRecipientKey(to)} ${comparableReference(outgoing?.request.clientReference)}`,
	);
	const differ = (all: Planned[]) => new Set(all.map(contentOf)).size > 1;
	return [...ofNotices.values()].filter(differ).flat().filter(isNew);
}

/** Whether no attempt has sent it, and it would be sent. */
export function isNew({ outgoing }: Planned): boolean {
	return outgoing !== undefined && !outgoing.note.doubt;
}

/** The message is looked up if it is in doubt, and not sent again. */
export function neverAgain(planned: Planned): Planned {
	const { outgoing } = planned;
	return { ...planned, ...(outgoing && { outgoing: { ...outgoing, isSentOnce: true } }) };
}

/** A message in doubt can no longer be skipped: its outcome is reported. */
function skip(planned: Planned, reason: SkipReason): Planned {
	const { outgoing, ...others } = planned;
	if (!outgoing) return planned;
	return outgoing.note.doubt ? neverAgain(planned) : { ...others, skipped: reason };
}

/** Of several equal messages to one number, those that an earlier attempt has begun count, or the first. */
export function skipSome({ skipDuplicates, doNotSendTo }: SkipValues, all: Planned[]): Planned[] {
	if (!skipDuplicates && doNotSendTo.size === 0) return all;
	const begun = all.filter((one) => !isNew(one));
	const taken = new Set(begun.map(contentOf));
	return all.map((one) => {
		if (doNotSendTo.has(toRecipientKey(one.to))) return skip(one, 'optedOut');
		if (!skipDuplicates || !isNew(one)) return one;
		const content = contentOf(one);
		if (taken.has(content)) return skip(one, 'duplicate');
		taken.add(content);
		return one;
	});
}

/** Fills in what an earlier attempt has sent, or what is to be sent or looked up. */
export function fillIn(planned: Planned, noted: Noted, isSingle: boolean): void {
	const { to, values, draft } = planned;
	const { record, doubt } = noted.note;
	if (record) planned.record = record;
	else if (draft) planned.outgoing = toOutgoing(draft, to, noted, values, isSingle);
	else if (doubt) {
		const asSent = { request: doubt.sent, surface: 'rest' as const };
		planned.outgoing = {
			...toOutgoing(asSent, to, noted, values, isSingle),
			isSentOnce: true,
		};
	}
}
