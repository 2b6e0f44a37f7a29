import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ActiveFault, FaultRule, StoredMail, StoredMessage } from '../entities';
import { addMail, type MailDraft } from '../mails';
import { createRandom } from '../random';
import { readBalance, setBalance } from '../service/account';
import { repeatReceipt, setMessageStatus } from '../service/delivery';
import { decryptMessage } from '../service/encryption';
import { expireOtp } from '../service/otp';
import { type SeedMaker, seedMessages } from '../service/seed';
import { describeSettings, type Seed, type Settings } from '../settings';
import { changeSettings } from '../settingSchemas';
import { clearState, readClock, resetState, type State } from '../state';
import { doAtOnce, doInSteps } from '../steps';
import { advanceClock } from './clock';
import { addFault } from './faults';
import { findLatest, type LatestQuery } from './latest';
import { createLists, isAmong, type OtpReport, reportOtp } from './lists';
import { clearTraffic, reportStats, type StatsReport, type Traffic } from './traffic';

/** What tests and tools do with a running sandbox, directly or through /_sandbox/api. */
export type Controls = ReturnType<typeof createControls>;

/** @param start what the sandbox holds at the start, and after a reset */
export function createControls(state: State, traffic: Traffic, start: Omit<Seed, 'settings'>) {
	/** Into an empty sandbox only. */
	const loadSeed = (): void => {
		for (const rule of start.faults) addFault(traffic, rule);
		const { length } = start.messages;
		if (length === 0 || state.messages.count() > 0) return;
		doAtOnce(seedMessages(state, length, (index) => start.messages[index] ?? {}));
		state.store.commit();
	};
	return {
		/** Loads the seed file once more. */
		loadSeed,
		...createReports(state, traffic),
		...createSteering(state, traffic, loadSeed),
		inTurns: createPatientControls(state, traffic),
		/** The lists page by page. */
		lists: createLists(state),
	};
}

/** The whole of a list at once; and page by page, with other requests answered in between. */
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

/** What can be long, in steps: other requests are answered in between. */
function createPatientControls(state: State, traffic: Traffic) {
	const lists = createLists(state);
	return {
		messages: collect(lists.messages),
		codes: collect(lists.codes),
		mails: collect(lists.mails),
		requests: collect(lists.requests),
		receipts: collect(lists.receipts),
		advance: (ms: number): Promise<void> => doInSteps(advanceClock(state, traffic, ms)),
		seedMessages: async (count: number, make?: SeedMaker): Promise<void> => {
			await doInSteps(seedMessages(state, count, make));
			state.store.commit();
		},
	};
}

function createReports(state: State, traffic: Traffic) {
	const lists = createLists(state);
	return {
		/** Oldest first, as all lists. */
		messages: readAll(lists.messages),
		/** With the code in clear and its state at this moment. */
		codes: readAll(lists.codes),
		/** What a mail server has handed in. */
		mails: readAll(lists.mails),
		/** Every request that reached a path of the service. */
		requests: readAll(lists.requests),
		/** Every attempt to post a delivery receipt. */
		receipts: readAll(lists.receipts),
		/** How many requests match. */
		countRequests: lists.countRequests,
		/** Of the latest message, code or mail: a `since` for `latestMessage`, `latestCode` and `latestMail`. */
		mark: (): number => state.mark,
		/** The newest message to somebody; undefined when there is none in time. */
		latestMessage: (query: LatestQuery = {}): Promise<StoredMessage | undefined> =>
			findLatest(state, state.messages, '"to" = ?', query),
		/** The newest code to somebody; undefined when there is none in time. */
		latestCode: async (query: LatestQuery = {}): Promise<OtpReport | undefined> => {
			const otp = await findLatest(state, state.codes, 'recipient = ?', query);
			return otp && reportOtp(state, otp);
		},
		/** The newest mail to somebody; undefined when there is none in time. */
		latestMail: (query: LatestQuery = {}): Promise<StoredMail | undefined> =>
			findLatest(state, state.mails, isAmong, query),
		stats: (): StatsReport => reportStats(traffic),
		/** How receipts keep up. */
		receiptQueue: () => state.receiptQueue.report(readClock(state)),
		/** Why what is done is not kept over a restart, in a sentence; undefined when it is, or is not to be. */
		keepingProblem: async (): Promise<string | undefined> => {
			await state.store.committed().catch(() => undefined);
			return state.store.problem;
		},
		/** Memory and processor time of the process that the sandbox runs in. */
		process: () => {
			const { user, system } = process.cpuUsage();
			const memoryMb = process.memoryUsage.rss() / 2 ** 20;
			return { memoryMb, processorSeconds: (user + system) / 1e6 };
		},
		balance: () => readBalance(state),
		/** Without the secrets, which the one who set them knows. */
		settings: () => describeSettings(state.settings),
		faults: (): ActiveFault[] => [...traffic.faults],
		/** The text of an encrypted message. @throws Error when it is not this key's */
		decrypt: (message: string, encryptKey: string): Promise<string> =>
			decryptMessage(message, encryptKey),
	};
}

/** Each throws when what it does cannot be written, and has done nothing then. */
function createSteering(state: State, traffic: Traffic, loadSeed: () => void) {
	const written = <T>(done: T): T => {
		state.store.commit();
		return done;
	};
	return {
		/**
		 * Changes settings from now on; `balance` sets the balance, `seed` restarts the generator.
		 *
		 * @throws WrongValue for a name that is not a setting, or a value it cannot have
		 */
		configure: (changes: Partial<Settings>): void => {
			const settings = changeSettings(state.settings, changes);
			if (changes.balance !== undefined) written(setBalance(state, changes.balance));
			state.settings = settings;
			if (changes.seed !== undefined) state.random = createRandom(changes.seed);
		},
		/** @throws WrongValue when it is not a rule */
		addFault: (rule: FaultRule): void => addFault(traffic, rule),
		clearFaults: (): void => void (traffic.faults = []),
		/** Moves the sandbox's clock: expiry of codes, scheduled sending, delivery, history lag, late acts. */
		advance: (ms: number): void => doAtOnce(advanceClock(state, traffic, ms)),
		/** Resolves when every late act that is due is done, every due receipt answered or given up. */
		settle: async (): Promise<void> => {
			while (traffic.lateActsUnderWay.size > 0 || !state.receiptQueue.isIdle()) {
				await Promise.all([...traffic.lateActsUnderWay.values(), state.receiptQueue.untilIdle()]);
			}
		},
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
		addMail: (mail: MailDraft): StoredMail => written(addMail(state, mail)),
		/** Adds to the balance. */
		topUp: (amount: number): void => written(setBalance(state, state.balance + amount)),
		/** Fills history: delivered messages, a second apart, the last one a second old. */
		seedMessages: (count: number, make?: SeedMaker): void =>
			written(doAtOnce(seedMessages(state, count, make))),
		/** Removes messages, codes, mails, requests and receipts; settings, faults, clock and balance stay. */
		clear: (): void => {
			clearState(state);
			clearTraffic(traffic);
		},
		/** Empties everything and puts the settings back to the start options. */
		reset: (): void => {
			resetState(state);
			clearTraffic(traffic);
			Object.assign(traffic, { faults: [], lateActsUnderWay: new Map() });
			loadSeed();
		},
	};
}
