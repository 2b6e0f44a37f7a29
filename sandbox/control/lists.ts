import type { OtpState, SentReceipt, StoredMail, StoredMessage, StoredOtp } from '../entities';
import { listAddresses } from '../mails';
import { readOtpState } from '../service/otp';
import type { State } from '../state';
import type { Work } from '../turns';
import { listRecipients, readRecipient } from './recipients';
import type { LoggedRequest, Traffic } from './traffic';

export type OtpReport = StoredOtp & { state: OtpState };

export interface ListFilter {
	/** Only so many, still oldest first. */
	newest?: number;
	/** Any spelling of a number, or an e-mail address. */
	to?: string;
}

/** What was sent, and who asked: each list oldest first, as it is when it is begun. */
export function createLists(state: State, traffic: Traffic) {
	return {
		messages: (filter?: ListFilter): Work<StoredMessage[]> =>
			pick(state.messages, filter, ({ to }) => [to]),
		codes: (filter?: ListFilter): Work<OtpReport[]> => listCodes(state, filter),
		mails: (filter?: ListFilter): Work<StoredMail[]> =>
			pick(state.mails, filter, ({ to }) => listAddresses(to)),
		requests: (filter?: ListFilter): Work<LoggedRequest[]> =>
			pick(traffic.requests, filter, listRecipients),
		receipts: (filter?: ListFilter): Work<SentReceipt[]> =>
			pick(state.receipts, filter, ({ messageId }) => [
				state.messagesById.get(messageId)?.to ?? '',
			]),
	};
}

export function reportOtp(state: State, otp: StoredOtp): OtpReport {
	return { ...otp, state: readOtpState(state, otp) };
}

function* listCodes(state: State, filter?: ListFilter): Work<OtpReport[]> {
	const reports: OtpReport[] = [];
	for (const otp of yield* pick(state.codes, filter, ({ to }) => [to])) {
		reports.push(reportOtp(state, otp));
		yield;
	}
	return reports;
}

function* pick<T>(
	list: T[],
	{ newest = list.length, to }: ListFilter = {},
	listTo: (entry: T) => string[],
): Work<T[]> {
	const matching = to === undefined ? list : yield* pickTo(list.slice(), readRecipient(to), listTo);
	return newest > 0 ? matching.slice(-newest) : [];
}

function* pickTo<T>(list: T[], wanted: string, listTo: (entry: T) => string[]): Work<T[]> {
	const matching: T[] = [];
	for (const entry of list) {
		if (listTo(entry).some((one) => readRecipient(one) === wanted)) matching.push(entry);
		yield;
	}
	return matching;
}
