import type { MessageRecord, SendRequest } from '../client/types';
import type { Note, Outgoing } from '../delivery/message';
import { comparableReference, compareTexts, groupBy } from '../input/comparison';
import { toRecipientKey } from '../input/number';
import type { PartCount } from '../input/parts';
import { comparableText } from '../input/text';
import { serviceTimeToUtc } from '../input/time';
import type { ofCalls, ofPreview, ofRecipients } from '../options/limits';
import { readSwitch, type RunValuesOf, type ValuesOf } from '../options/option';
import type * as sendOptions from '../options/sendOptions';

/** Options of all nodes that send the messages of all items. */
export type Limits = typeof ofPreview & typeof ofRecipients & typeof ofCalls;

export type RunValues = RunValuesOf<Limits>;

/** Values of the options for a message; the nodes have not all of them. */
export type ItemValues = Partial<ValuesOf<typeof sendOptions>> &
	Pick<ValuesOf<Limits>, 'allowedCountryCodes' | 'maxParts' | 'whenOutcomeUnknown'>;

/** What a message says to whichever recipient. */
export interface Draft {
	request: Omit<SendRequest, 'to'>;
	surface: 'rest' | 'http';
	/** What the service charges for the text. */
	charge: Pick<PartCount, 'encoding' | 'parts'>;
}

interface Skipped {
	skipped: 'duplicate' | 'optedOut';
	/** Of a duplicate, the item that is sent. */
	duplicateOf?: string;
}

/** One message to one recipient of an item, filled in from To to its outcome. */
export interface Message {
	readonly item: number;
	/** As written in To. */
	readonly entry: string;
	readonly to: string;
	readonly values: ItemValues;
	/** How its record is returned. */
	simplify?: unknown;
	/** Absent if its item is wrong: what an earlier attempt has sent of it is returned or looked up all the same. */
	draft?: Draft;
	/** Set if an earlier attempt has sent it. */
	record?: MessageRecord;
	skipped?: Skipped;
	/** What is to be sent or looked up; absent if nothing is. */
	outgoing?: Outgoing;
}

/** The record of the message, why it was not sent, or nothing yet. */
export function outcomeOf({ record, outgoing }: Message): MessageRecord | Error | undefined {
	return record ?? outgoing?.outcome;
}

/** A model that repeats a call writes another space, or none. */
export function toComparable({ request }: Pick<Draft, 'request'>): Draft['request'] {
	return { ...request, message: comparableText(request.message) };
}

export function toNoteKey({ to, values, draft }: Message) {
	return { to, isTest: values.test ?? false, content: draft && toComparable(draft) };
}

/** Takes up what an earlier attempt has sent, or sets what is to be sent or looked up. */
export function takeUp(
	message: Message,
	{ note, reference }: { note: Note; reference: string },
	hasReference: boolean,
): void {
	const { to, values, draft } = message;
	const { record, doubt } = note;
	const request = draft?.request ?? doubt?.sent;
	if (record) message.record = record;
	if (record || !request) return;
	const { clientReference = hasReference ? reference : undefined } = request;
	// A scheduled message may not appear in history before its time.
	const isScheduled = (request.scheduledAt ?? doubt?.sent.scheduledAt) !== undefined;
	message.outgoing = {
		request: { ...request, to, ...(clientReference !== undefined && { clientReference }) },
		surface: draft?.surface ?? 'rest',
		note,
		isUsersReference: request.clientReference !== undefined,
		isSentOnce: !draft || values.whenOutcomeUnknown === 'report' || isScheduled,
		isSkipping: values.skipIfAlreadySent ?? false,
	};
}

export function isNew({ outgoing }: Message): boolean {
	return outgoing !== undefined && !outgoing.note.doubt;
}

/** The message is looked up if it is in doubt, and not sent again. */
export function neverAgain(message: Message): Message {
	const { outgoing } = message;
	return { ...message, ...(outgoing && { outgoing: { ...outgoing, isSentOnce: true } }) };
}

/** What was or is to be sent, with the user's reference only. */
function requestOf({ draft, record, outgoing }: Message): Partial<MessageRecord> {
	return draft?.request ?? outgoing?.note.doubt?.sent ?? record ?? {};
}

const textOf = (message: Message) => comparableText(requestOf(message).message);

/** What Skip Duplicates tells messages apart by. */
export function duplicateKeyOf(message: Message): string {
	const { from, scheduledAt, clientReference } = requestOf(message);
	const number = toRecipientKey(message.to);
	const isTest = message.values.test ?? false;
	return JSON.stringify([number, textOf(message), from, scheduledAt, clientReference, isTest]);
}

/** What Skip If Already Sent tells messages apart by: the number and the reference. */
export function noticeOf({ to, outgoing }: Message): string {
	return `${toRecipientKey(to)} ${comparableReference(outgoing?.request.clientReference)}`;
}

/** Messages with one reference and number, and different texts: Skip If Already Sent would send only the first. */
export function findConflicts(messages: Message[]): Message[] {
	const skipping = messages.filter(
		({ outgoing }) => outgoing?.isSkipping && outgoing.isUsersReference,
	);
	const differ = (all: Message[]) => new Set(all.map(textOf)).size > 1;
	return [...groupBy(skipping, noticeOf).values()].filter(differ).flat().filter(isNew);
}

/** A message in doubt can no longer be skipped: its outcome is reported. */
function skip(message: Message, skipped: Skipped): Message {
	if (!message.outgoing) return message;
	return isNew(message) ? { ...message, skipped, outgoing: undefined } : neverAgain(message);
}

/**
 * Of several equal messages to one number, those that an earlier attempt has begun count, or the first.
 * @param nameItem as people find it
 */
export function skipSome(
	{ skipDuplicates, doNotSendTo }: Pick<RunValues, 'skipDuplicates' | 'doNotSendTo'>,
	all: Message[],
	nameItem: (item: number) => string,
): Message[] {
	const taken = new Map(
		all.filter((one) => !isNew(one)).map((one) => [duplicateKeyOf(one), one.item]),
	);
	return all.map((one) => {
		if (doNotSendTo.has(toRecipientKey(one.to), one.values.allowedCountryCodes))
			return skip(one, { skipped: 'optedOut' });
		if (!skipDuplicates || !isNew(one)) return one;
		const content = duplicateKeyOf(one);
		const first = taken.get(content);
		if (first !== undefined)
			return skip(one, { skipped: 'duplicate', duplicateOf: nameItem(first) });
		taken.set(content, one.item);
		return one;
	});
}

/** Parts of a text that services hide. */
const masked = /\*{2}|•{2}|\[hidden\]/;

/** What was to be sent, and what history shows as already sent. */
function pairWithEarlier(message: Message) {
	const { draft } = message;
	const outcome = outcomeOf(message);
	const isEarlier = outcome && !(outcome instanceof Error) && outcome.alreadySent === true;
	return draft && isEarlier ? { own: draft.request, shown: outcome } : undefined;
}

/** Whether what history shows as already sent says something else: its reference belongs to another notice. */
export function hasOtherText(message: Message): boolean {
	const { own, shown } = pairWithEarlier(message) ?? {};
	if (!own || !shown || own.encrypt === 1 || readSwitch(shown.encryptMessage)) return false;
	return !masked.test(String(shown.message)) && compareTexts(own, shown) === 'other';
}

/** Whether what history shows as already sent goes out at another time: the appointment was moved. */
export function hasOtherSchedule(message: Message): boolean {
	const { own, shown } = pairWithEarlier(message) ?? {};
	const [wanted, known] = [own, shown].map((one) => serviceTimeToUtc(one?.scheduledAt, 'UTC'));
	return wanted !== null && known !== null && wanted !== known;
}
