import type { MessageRecord } from '../client/types';
import type { Wanted } from '../delivery/memory';
import type { Note, Outgoing } from '../delivery/message';
import { toRecipientKey } from '../input/number';
import { comparableText } from '../input/text';
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

/** One message to one recipient of an item. */
export interface Planned {
	item: number;
	to: string;
	values: MessageValues;
	/** Set if an earlier attempt has sent it. */
	record?: MessageRecord;
	skipped?: SkipReason;
	draft?: Draft;
	/** Absent if there is nothing to send. */
	outgoing?: Outgoing;
}

/** What an item is to send. Without a draft, only what an earlier attempt has sent can be returned or looked up. */
export interface ItemToSend {
	item: number;
	numbers: string[];
	values: MessageValues;
	draft?: Draft;
}

export function toWanted({ numbers, values, draft }: ItemToSend): Wanted[] {
	const content = draft && toComparable(draft);
	return numbers.map((to) => ({ to, isTest: values.test ?? false, content }));
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

export function toPlanned(
	{ item, draft, values }: ItemToSend,
	to: string,
	noted: Noted,
	isSingle: boolean,
): Planned {
	const { record, doubt } = noted.note;
	const planned = { item, to, values };
	if (record) return { ...planned, draft, record };
	const toOwn = (content: Pick<Draft, 'request' | 'surface'>) =>
		toOutgoing(content, to, noted, values, isSingle);
	if (draft) return { ...planned, draft, outgoing: toOwn(draft) };
	// It is looked up as it was sent.
	if (!doubt) return planned;
	return neverAgain({ ...planned, outgoing: toOwn({ request: doubt.sent, surface: 'rest' }) });
}
