import type { SentReceipt, StoredMail, StoredMessage } from '../entities';
import { addMail, type MailDraft } from '../mails';
import { createRandom } from '../random';
import { readBalance, setBalance } from '../service/account';
import { repeatReceipt, setMessageStatus } from '../service/delivery';
import { decryptMessage } from '../service/encryption';
import { expireOtp } from '../service/otp';
import { type SeedMaker, seedMessages } from '../service/seed';
import { changeSettings, describeSettings, type Settings } from '../settings';
import { clearState, readClock, reportChange, resetState, type State } from '../state';
import { doAtOnce, doInTurns } from '../turns';
import { advanceClock } from './clock';
import type { FaultRule } from './faultRule';
import { addFault } from './faults';
import { findLatestCode, findLatestMail, findLatestMessage, type LatestQuery } from './latest';
import { createLists, type ListFilter, type OtpReport, reportOtp } from './lists';
import {
	type ActiveFault,
	clearTraffic,
	type LoggedRequest,
	reportStats,
	resetTraffic,
	type StatsReport,
	type Traffic,
} from './traffic';

/** What tests and tools do with a running sandbox, directly or through /_sandbox/api. */
export type Controls = ReturnType<typeof createControls>;

export function createControls(state: State, traffic: Traffic) {
	return {
		...createReports(state, traffic),
		...createSteering(state, traffic),
		inTurns: createPatientControls(state, traffic),
	};
}

/** What can be long, in short turns: whoever else asks is answered in between. */
function createPatientControls(state: State, traffic: Traffic) {
	const lists = createLists(state, traffic);
	return {
		messages: (filter?: ListFilter): Promise<StoredMessage[]> => doInTurns(lists.messages(filter)),
		codes: (filter?: ListFilter): Promise<OtpReport[]> => doInTurns(lists.codes(filter)),
		mails: (filter?: ListFilter): Promise<StoredMail[]> => doInTurns(lists.mails(filter)),
		requests: (filter?: ListFilter): Promise<LoggedRequest[]> => doInTurns(lists.requests(filter)),
		receipts: (filter?: ListFilter): Promise<SentReceipt[]> => doInTurns(lists.receipts(filter)),
		advance: (ms: number): Promise<void> => doInTurns(advanceClock(state, traffic, ms)),
		seedMessages: (count: number, make?: SeedMaker): Promise<void> =>
			doInTurns(seedMessages(state, count, make)),
	};
}

function createReports(state: State, traffic: Traffic) {
	const lists = createLists(state, traffic);
	return {
		/** Oldest first, as all lists. */
		messages: (filter?: ListFilter): StoredMessage[] => doAtOnce(lists.messages(filter)),

		/** With the code in clear and its state at this moment. */
		codes: (filter?: ListFilter): OtpReport[] => doAtOnce(lists.codes(filter)),

		/** What a mail server has handed in. */
		mails: (filter?: ListFilter): StoredMail[] => doAtOnce(lists.mails(filter)),

		/** Every request that reached a path of the service. */
		requests: (filter?: ListFilter): LoggedRequest[] => doAtOnce(lists.requests(filter)),

		/** Every attempt to post a delivery receipt. */
		receipts: (filter?: ListFilter): SentReceipt[] => doAtOnce(lists.receipts(filter)),

		/** Of the latest message, code or mail: a `since` for `latestMessage`, `latestCode` and `latestMail`. */
		mark: (): number => state.mark,

		/** The newest message to somebody; undefined when there is none in time. */
		latestMessage: (query: LatestQuery = {}): Promise<StoredMessage | undefined> =>
			findLatestMessage(state, query),

		/** The newest code to somebody; undefined when there is none in time. */
		latestCode: async (query: LatestQuery = {}): Promise<OtpReport | undefined> => {
			const otp = await findLatestCode(state, query);
			return otp && reportOtp(state, otp);
		},

		/** The newest mail to somebody; undefined when there is none in time. */
		latestMail: (query: LatestQuery = {}): Promise<StoredMail | undefined> =>
			findLatestMail(state, query),

		stats: (): StatsReport => reportStats(traffic),

		/** How receipts keep up. */
		receiptQueue: () => state.receiptQueue.report(readClock(state)),

		/** Why what is done is not kept over a restart, in a sentence; undefined when it is, or is not to be. */
		keepingProblem: (): Promise<string | undefined> => state.keeper.untilKept(),

		/** Memory and processor time of the process that the sandbox runs in. */
		process: () => {
			const { user, system } = process.cpuUsage();
			const memoryMb = process.memoryUsage.rss() / 2 ** 20;
			return { memoryMb, processorSeconds: (user + system) / 1e6 };
		},

		balance: () => readBalance(state),

		/** Without the secrets, which whoever set them knows. */
		settings: () => describeSettings(state.settings),

		faults: (): ActiveFault[] => [...traffic.faults],

		/** The text of an encrypted message. @throws Error when it is not this key's */
		decrypt: (message: string, encryptKey: string): Promise<string> =>
			decryptMessage(message, encryptKey),
	};
}

function createSteering(state: State, traffic: Traffic) {
	return {
		/**
		 * Changes settings from now on; `balance` sets the balance, `seed` starts the generator anew.
		 *
		 * @throws WrongValue for a name that is no setting, or a value it cannot have
		 */
		configure: (changes: Partial<Settings>): void => configure(state, changes),

		/** @throws WrongValue when it is no rule */
		addFault: (rule: FaultRule): void => addFault(traffic, rule),

		clearFaults: (): void => void (traffic.faults = []),

		/** Moves the sandbox's clock: expiry of codes, scheduled sending, delivery, history lag, late acts. */
		advance: (ms: number): void => doAtOnce(advanceClock(state, traffic, ms)),

		/** Resolves when every late act that is due is done, every due receipt answered or given up. */
		settle: (): Promise<void> => settle(state, traffic),

		/**
		 * Moves a message by hand; resolves when its receipt has been answered or given up.
		 *
		 * @throws NotFound when there is no such message
		 */
		setStatus: (messageId: string, status: string): Promise<void> =>
			setMessageStatus(state, messageId, status),

		/** Posts the receipt of a message's present status once more. @throws NotFound */
		repeatReceipt: (messageId: string): Promise<void> => repeatReceipt(state, messageId),

		/** Lets a code expire now. @throws NotFound */
		expireCode: (requestId: string | number): void => expireOtp(state, String(requestId)),

		/** Hands in a mail, as a mail server does that passes nothing on. */
		addMail: (mail: MailDraft): StoredMail => addMail(state, mail),

		/** Adds to the balance. */
		topUp: (amount: number): void => setBalance(state, state.balance + amount),

		/** Fills history: delivered messages, a second apart, the last one a second old. */
		seedMessages: (count: number, make?: SeedMaker): void =>
			doAtOnce(seedMessages(state, count, make)),

		/** Removes messages, codes, mails, requests and receipts; settings, faults, clock and balance stay. */
		clear: (): void => {
			clearTraffic(traffic);
			clearState(state);
		},

		/** Empties everything and puts the settings back to the start options. */
		reset: (): void => {
			resetTraffic(traffic);
			resetState(state);
		},
	};
}

function configure(state: State, changes: Partial<Settings>): void {
	state.settings = changeSettings(state.settings, changes);
	if (changes.balance !== undefined) setBalance(state, changes.balance);
	if (changes.seed !== undefined) state.random = createRandom(changes.seed);
	reportChange(state, { kind: 'settings' });
}

async function settle({ receiptQueue }: State, { lateActsUnderWay }: Traffic): Promise<void> {
	while (lateActsUnderWay.size > 0 || !receiptQueue.isIdle()) {
		await Promise.all([...lateActsUnderWay, receiptQueue.untilIdle()]);
	}
}
