import { type HistorySays, retryTiming, ServiceError } from '../client/failure';
import type { MessageRecord } from '../client/types';
import { comparableText } from '../input/text';
import { dayMs } from '../input/time';
import {
	doubtLastsMs,
	isOfRejected,
	newAttempt,
	nextPoll,
	toldUnreadAt,
	type Message,
	type Saved,
	type Sent,
} from './state';
import { deliveryTiming } from './timing';

export type Event =
	/** The attempt takes up the message. */
	| { is: 'begun'; account: string }
	/** The process ended, or the execution was stopped, during a request. */
	| { is: 'interrupted' }
	| { is: 'sent'; sent: Sent; request: string }
	/** By a response, or as seen in history. */
	| { is: 'accepted'; record: MessageRecord }
	/** Certainly not accepted by this request. */
	| { is: 'rejected'; failure: ServiceError }
	/** The request ended without showing whether the message was accepted. */
	| { is: 'unclear'; failure: ServiceError }
	/** Other messages in the same request were accepted. */
	| { is: 'othersAccepted' }
	/**
	 * A lookup, begun `now`, failed or does not show it for certain. `sentSince` is of another execution: with Skip If
	 * Already Sent, it stands for a message that would be sent again.
	 */
	| { is: 'notSeen'; says: HistorySays; failure?: ServiceError; sentSince?: MessageRecord }
	/** Nothing more is done for it. */
	| { is: 'stopped'; failure: Error; says?: HistorySays };

export interface Policy {
	/** Whether no second request may be sent while the outcome of one is unknown. */
	isSentOnce?: boolean;
	/** Whether a request without a response is told at once, since a person waits for it. */
	isWatched?: boolean;
}

/** `wait`: for the end of its request. */
export type Act = 'send' | 'wait' | { pollAt: number } | { tell: MessageRecord | Error };

interface Step extends Message {
	next: Act;
}

export function toOutcomeUnknown(
	{ requests = 0, lastEndedAt = 0, isRequestAccepted }: Saved,
	says: HistorySays,
	now: number,
	failure?: ServiceError,
): ServiceError {
	return new ServiceError('outcomeUnknown', {
		...failure?.facts,
		mayHaveActed: true,
		...{ requests, waitedMs: now - lastEndedAt, history: isRequestAccepted ? 'partly' : says },
	});
}

function tellUnknown(
	message: Message,
	...why: [says: HistorySays, now: number, failure?: ServiceError]
): Step {
	return { ...message, next: { tell: toOutcomeUnknown(message.saved, ...why) } };
}

/** The last request was not accepted; earlier ones stay in doubt. */
function takeBack({ saved, attempt }: Message): Message {
	const isCounted = saved.state === 'inDoubt';
	const doubts = (saved.doubts ?? 0) - (isCounted ? 1 : 0);
	return {
		saved: { ...saved, doubts, state: doubts > 0 ? 'inDoubt' : 'open' },
		attempt: { ...attempt, unclear: attempt.unclear - (isCounted ? 1 : 0) },
	};
}

type NotSeen = Extract<Event, { is: 'notSeen' }>;

/** Whether a doubt that has ended is told. Otherwise the message is sent again. */
function isTold(message: Message, { says, failure }: NotSeen, isSentOnce?: boolean): boolean {
	const { saved, attempt } = message;
	if (says === 'uncertain') return true;
	// A key without access to history has to believe a rejection, and one without access to both knows why.
	if (isOfRejected(message)) {
		const isBelieved = !isSentOnce || attempt.failure?.isOfAccess === true;
		return says === 'unreadable' && !(isBelieved && failure?.isOfAccess === true);
	}
	const isLast = attempt.unclear >= deliveryTiming.mostSends;
	return says !== 'nothing' || isSentOnce || isLast || saved.isRequestAccepted === true;
}

/** Why a message that a rejected request did not bring is not sent again: smaller requests would not help, nor patience. */
function findLastRejection(message: Message): ServiceError | undefined {
	const { failure, rateLimited } = message.attempt;
	if (!failure?.canComeHalfway || !isOfRejected(message)) return undefined;
	const canPass = failure.kind === 'rateLimited' && rateLimited < retryTiming.attemptsOfUnsent;
	return canPass ? undefined : failure;
}

/** @param latest for the next lookup */
function pollNext(message: Message, latest = Infinity): Step {
	return { ...message, next: { pollAt: Math.min(nextPoll(message), latest) } };
}

function doubt({ saved, attempt }: Message, endedAt: number, isLate: boolean): Message {
	const { doubts = 0, isAfterTimeOut = false } = saved;
	return {
		saved: {
			...{ ...saved, state: 'inDoubt', lastEndedAt: endedAt, doubts: doubts + 1 },
			isAfterTimeOut: isAfterTimeOut || isLate,
		},
		attempt: { ...attempt, unclear: attempt.unclear + 1, polledAt: -Infinity, readAt: -Infinity },
	};
}

/** A message that an earlier request left in doubt is never reported as not sent. */
function end(message: Message, failure: Error, now: number, says: HistorySays = 'nothing'): Step {
	const isOfService = failure instanceof ServiceError;
	if (message.saved.state !== 'inDoubt' || !isOfService)
		return { ...message, next: { tell: failure } };
	// A request that was not made since the service is down says nothing of this message.
	const cause = failure.facts.failing ? (message.attempt.failure ?? failure) : failure;
	return tellUnknown(message, says, now, cause);
}

/** n8n saves the message with the execution, so keep only what is still needed: its text, if the record has another. */
function accept({ saved, attempt }: Message, record: MessageRecord): Step {
	const [text, shown] = [saved.sent?.message, record.message];
	// Most are the same to the letter, and a comparison takes a microsecond.
	const hasText = text === shown || comparableText(text) === comparableText(shown);
	const sent = hasText ? undefined : saved.sent;
	return {
		saved: { ...saved, state: 'accepted', record, sent, request: undefined },
		attempt,
		next: { tell: record },
	};
}

type Rules = {
	[Is in Event['is']]: (
		message: Message,
		event: Extract<Event, { is: Is }>,
		now: number,
		policy: Policy,
	) => Step;
};

const rules: Rules = {
	begun: (message, { account }, now) => {
		const { state, record, sent, lastEndedAt = 0 } = message.saved;
		if (record) return { ...message, next: { tell: record } };
		if (state !== 'inDoubt') return { ...message, next: 'send' };
		if (sent!.account !== account) return tellUnknown(message, 'otherAccount', now);
		// The clock has been set back since: a day ago, to miss nothing.
		const times = lastEndedAt > now && { firstSentAt: now - dayMs, lastEndedAt: now };
		const saved = { ...message.saved, ...times };
		return pollNext({ saved, attempt: { ...message.attempt, readAt: now } });
	},

	interrupted: ({ saved }) =>
		pollNext({
			...doubt({ saved, attempt: newAttempt }, saved.lastSentAt ?? 0, true),
			attempt: newAttempt,
		}),

	sent: ({ saved, attempt }, { sent, request }, now) => {
		const { requests = 0, doubts, firstSentAt = now } = saved;
		return {
			saved: {
				...{ ...saved, state: 'inFlight', sent, request, requests: requests + 1 },
				...{ firstSentAt: doubts ? firstSentAt : now, lastSentAt: now },
			},
			attempt: { ...attempt, failure: undefined, rejectedForMs: undefined },
			next: 'wait',
		};
	},

	accepted: (message, { record }) => accept(message, record),

	rejected: (message, { failure }, now) => end(takeBack(message), failure, now),

	unclear: (message, { failure }, now, { isSentOnce, isWatched = false }) => {
		const { doubtLastsMs: asReported, rejectionPollMs } = deliveryTiming;
		const { saved, attempt } = doubt(message, now, failure.isTimeOut);
		if (isWatched && failure.kind === 'unavailable')
			return tellUnknown({ saved, attempt }, 'notSearched', now, failure);
		const ifRejected = isSentOnce ? asReported : rejectionPollMs;
		const rejectedForMs = failure.mayHaveActed ? undefined : ifRejected;
		const rateLimited = attempt.rateLimited + (failure.kind === 'rateLimited' ? 1 : 0);
		return pollNext({ saved, attempt: { ...attempt, failure, rejectedForMs, rateLimited } });
	},

	othersAccepted: ({ saved, attempt }) =>
		pollNext({ saved: { ...saved, isRequestAccepted: true }, attempt }),

	notSeen: ({ saved, attempt }, event, now, { isSentOnce }) => {
		const { says, failure } = event;
		const readAt = failure ? attempt.readAt : now;
		const message = { saved, attempt: { ...attempt, polledAt: now, readAt } };
		const isUnread = failure?.kind === 'unavailable';
		const isDown = isUnread && now >= toldUnreadAt(message);
		const isFinal = isDown || (failure !== undefined && !failure.canPassInDoubt);
		const isOver = now - (saved.lastEndedAt ?? 0) >= doubtLastsMs(message) || isFinal;
		if (!isOver) return pollNext(message, isUnread ? toldUnreadAt(message) : Infinity);
		if (isTold(message, event, isSentOnce))
			return tellUnknown(message, says, now, attempt.failure ?? failure);
		const free = isOfRejected(message) ? takeBack(message) : message;
		if (event.sentSince) return accept(free, event.sentSince);
		const rejection = findLastRejection(message);
		return rejection ? end(free, rejection, now) : { ...free, next: 'send' };
	},

	stopped: (message, { failure, says }, now) => end(message, failure, now, says),
};

/** What an event makes of a message, and what is to be done next. */
export function step(message: Message, event: Event, now: number, policy: Policy): Step {
	const rule = rules[event.is] as (...given: [Message, Event, number, Policy]) => Step;
	return rule(message, event, now, policy);
}
