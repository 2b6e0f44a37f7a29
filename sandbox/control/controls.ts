import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ActiveFault, FaultRule, MailDraft, StoredMail, StoredMessage } from '../entities';
import { addMail } from '../mails';
import { createRandom } from '../random';
import { readBalance, setBalance } from '../service/account';
import { repeatReceipt, setMessageStatus } from '../service/delivery';
import { decryptMessage } from '../service/encryption';
import { expireOtp } from '../service/otp';
import { seedAtOnce, seedInTurns, type SeedMaker } from '../service/seed';
import type { Seed } from '../seedFile';
import { changeSettings, describeSettings, type Settings } from '../settings';
import { clearState, readClock, resetState, type State } from '../state';
import { doAtOnce, doInSteps } from '../steps';
import { advanceClock } from './clock';
import { addFault } from './faults';
import { findLatest, type LatestQuery } from './latest';
import { createLists, isAmong, type OtpReport, reportOtp } from './lists';
import { clearTraffic, reportStats, type StatsReport, type Traffic } from './traffic';

/** Controls of a running sandbox for tests and tools, called directly or through /_sandbox/api. */
export type Controls = ReturnType<typeof createControls>;

/** @param start messages and faults of the seed file, loaded at the start and after a reset */
export function createControls(state: State, traffic: Traffic, start: Omit<Seed, 'settings'>) {
	/** Adds the faults always, the messages only if there are none. */
	const loadSeed = (): void => {
		for (const rule of start.faults) addFault(traffic, rule);
		const { length } = start.messages;
		if (length === 0 || state.messages.count() > 0) return;
		seedAtOnce(state, length, (index) => start.messages[index] ?? {});
	};
	return {
		/** Adds the faults of the seed file; its messages only if there are none. */
		loadSeed,
		...createReports(state, traffic),
		...createSteering(state, traffic, loadSeed),
		inTurns: createPatientControls(state, traffic),
		/** The lists, page by page. */
		lists: createLists(state),
	};
}

/** `readAll` reads a list at once; `collect` lets other requests run between its pages. */
const readAll =
	<F, T>(pages: (filter?: F) => Generator<T[]>) =>
	(filter?: F): T[] =>
		[...pages(filter)].flat();
const collect =
	<F, T>(pages: (filter?: F) => Generator<T[]>) =>
	async (filter?: F): Promise<T[]> => {
		const all: T[][] = [];
		for (const page of pages(filter)) {
			all.push(page);
			await nextTurn();
		}
		return all.flat();
	};

/** Long operations in steps: other requests are handled in between. */
function createPatientControls(state: State, traffic: Traffic) {
	const lists = createLists(state);
	return {
		messages: collect(lists.messages),
		codes: collect(lists.codes),
		mails: collect(lists.mails),
		requests: collect(lists.requests),
		receipts: collect(lists.receipts),
		advance: (ms: number): Promise<void> => doInSteps(advanceClock(state, traffic, ms)),
		seedMessages: (count: number, make?: SeedMaker): Promise<void> =>
			seedInTurns(state, count, make),
	};
}

function createReports(state: State, traffic: Traffic) {
	const lists = createLists(state);
	return {
		/** Oldest first, like all lists. */
		messages: readAll(lists.messages),
		/** With the code in plain text and its current state. */
		codes: readAll(lists.codes),
		/** Mails that were handed in (`addMail`). */
		mails: readAll(lists.mails),
		/** Every request that reached a path of the service. */
		requests: readAll(lists.requests),
		/** Every attempt to post a delivery receipt. */
		receipts: readAll(lists.receipts),
		/** Number of requests that match. */
		countRequests: lists.countRequests,
		/** Mark of the latest message, code or mail: `since` for `latestMessage`, `latestCode` and `latestMail`. */
		mark: (): number => state.mark,
		/** The newest message to a recipient; undefined if there is none within `waitMs`. */
		latestMessage: (query: LatestQuery = {}): Promise<StoredMessage | undefined> =>
			findLatest(state, state.messages, '"to" = ?', query),
		/** The newest code to a recipient; undefined if there is none within `waitMs`. */
		latestCode: async (query: LatestQuery = {}): Promise<OtpReport | undefined> => {
			const otp = await findLatest(state, state.codes, 'recipient = ?', query);
			return otp && reportOtp(state, otp);
		},
		/** The newest mail to a recipient; undefined if there is none within `waitMs`. */
		latestMail: (query: LatestQuery = {}): Promise<StoredMail | undefined> =>
			findLatest(state, state.mails, isAmong, query),
		stats: (): StatsReport => reportStats(traffic),
		/** Delivery receipts in flight, waiting and dropped, and how late they are. */
		receiptQueue: () => state.receiptQueue.report(readClock(state)),
		/** Why the data folder cannot be written, in a sentence; undefined if it can, or without a data folder. */
		keepingProblem: async (): Promise<string | undefined> => {
			await state.store.committed().catch(() => undefined);
			return state.store.problem;
		},
		/** Memory (MiB) and processor time (seconds) of the sandbox's process. */
		process: () => {
			const { user, system } = process.cpuUsage();
			const memoryMb = process.memoryUsage.rss() / 2 ** 20;
			return { memoryMb, processorSeconds: (user + system) / 1e6 };
		},
		balance: () => readBalance(state),
		/** All settings, without API secrets. */
		settings: () => describeSettings(state.settings),
		faults: (): ActiveFault[] => [...traffic.faults],
		/** The text of an encrypted message. @throws Error when the key does not match */
		decrypt: (message: string, encryptKey: string): Promise<string> =>
			decryptMessage(message, encryptKey),
	};
}

/** Each throws `Unwritable` when its changes cannot be written; nothing is changed then. */
function createSteering(state: State, traffic: Traffic, loadSeed: () => void) {
	const written = <T>(done: T): T => {
		state.store.commit();
		return done;
	};
	return {
		/**
		 * Changes settings from now on; `balance` sets the balance, `seed` restarts the generator.
		 *
		 * @throws WrongValue for a name that is not a setting, or a value that is not valid
		 */
		configure: (changes: Partial<Settings>): void => {
			const settings = changeSettings(state.settings, changes);
			if (changes.balance !== undefined) written(setBalance(state, changes.balance));
			state.settings = settings;
			if (changes.seed !== undefined) state.random = createRandom(changes.seed);
		},
		/** Adds a fault rule after the others. @throws WrongValue when the rule is not valid */
		addFault: (rule: FaultRule): void => addFault(traffic, rule),
		clearFaults: (): void => void (traffic.faults = []),
		/**
		 * Moves the sandbox's clock by `ms` milliseconds: expiry of codes, scheduled sending, delivery, history lag,
		 * late acts.
		 *
		 * @throws WrongValue when the clock would leave the years 1970 to 9999
		 */
		advance: (ms: number): void => doAtOnce(advanceClock(state, traffic, ms)),
		/** Resolves when every late act in flight is done, and every due receipt has a response or is given up. */
		settle: async (): Promise<void> => {
			while (traffic.lateActsUnderWay.size > 0 || !state.receiptQueue.isIdle()) {
				await Promise.all([...traffic.lateActsUnderWay.values(), state.receiptQueue.untilIdle()]);
			}
		},
		/**
		 * Sets the status of a message and drops its remaining steps. Resolves when the receipt has a response or is
		 * given up.
		 *
		 * @throws NotFound when there is no such message
		 */
		setStatus: (messageId: string, status: string): Promise<void> =>
			setMessageStatus(state, messageId, status),
		/** Posts the receipt of a message's current status again. @throws NotFound */
		repeatReceipt: (messageId: string): Promise<void> => repeatReceipt(state, messageId),
		/** Makes a code expire now. @throws NotFound */
		expireCode: (requestId: string | number): void => expireOtp(state, String(requestId)),
		/** Hands in a mail, as a mail server that delivers nothing would. */
		addMail: (mail: MailDraft): StoredMail => written(addMail(state, mail)),
		/** Adds to the balance. */
		topUp: (amount: number): void => written(setBalance(state, state.balance + amount)),
		/** Fills message history: delivered messages, a second apart, the last one a second old. */
		seedMessages: (count: number, make?: SeedMaker): void => seedAtOnce(state, count, make),
		/** Removes messages, codes, mails, requests and receipts. Settings, faults, late acts, clock and balance stay. */
		clear: (): void => {
			clearState(state);
			clearTraffic(traffic);
		},
		/** Empties everything, restores settings, balance and clock, and loads the seed file. */
		reset: (): void => {
			resetState(state);
			clearTraffic(traffic);
			Object.assign(traffic, { faults: [], lateActsUnderWay: new Map() });
			loadSeed();
		},
	};
}
