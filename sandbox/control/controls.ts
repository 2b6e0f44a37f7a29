import type { ActiveFault, FaultRule, MailDraft, StoredMail } from '../entities';
import { readBalance, setBalance } from '../service/account';
import { repeatReceipt, setMessageStatus } from '../service/delivery';
import { decryptMessage } from '../service/encryption';
import { storeMail } from '../service/mails';
import { expireOtp } from '../service/otp';
import { seedMessages, type SeedMaker } from '../service/seed';
import { changeSettings, describeSettings, type Seed, type Settings } from '../settings';
import { clearState, createRandom, readClock, resetState, type State } from '../state';
import { advanceClock } from './clock';
import { addFault } from './faults';
import { createLatest, createLists } from './lists';
import { clearTraffic, reportStats, type StatsReport, type Traffic } from './traffic';

/** Controls of a running sandbox for tests and tools, called directly or through /_sandbox/api. */
export type Controls = ReturnType<typeof createControls>;

/** @param start messages and faults of the seed file, loaded at the start and after a reset */
export function createControls(state: State, traffic: Traffic, start: Omit<Seed, 'settings'>) {
	const loadSeed = (): void => {
		for (const rule of start.faults) addFault(traffic, rule);
		const { length } = state.messages.size === 0 ? start.messages : [];
		seedMessages(state, length, (index) => start.messages[index] ?? {});
	};
	return {
		...createReports(state, traffic),
		...createSteering(state, traffic, loadSeed),
		/** For the sandbox itself. */
		internal: {
			/** Adds the faults of the seed file; its messages only if there are none. */
			loadSeed,
		},
	};
}

function createReports(state: State, traffic: Traffic) {
	return {
		...createLists(state),
		/** Mark of the latest message, code or mail: `since` for `latestMessage`, `latestCode` and `latestMail`. */
		mark: (): number => state.mark,
		...createLatest(state),
		stats: (): StatsReport => reportStats(traffic),
		/** Delivery receipts in flight, waiting and dropped, and how late they are. */
		receiptQueue: () => state.receiptQueue.report(readClock(state)),
		balance: () => readBalance(state),
		/** All settings, without API secrets. */
		settings: () => describeSettings(state.settings),
		faults: (): ActiveFault[] => [...traffic.faults],
		/** The text of an encrypted message. @throws Error when the key does not match */
		decrypt: decryptMessage,
	};
}

function createSteering(state: State, traffic: Traffic, loadSeed: () => void) {
	return {
		/** Changes settings; `balance` sets the balance, `randomSeed` restarts chance. @throws WrongValue */
		configure: (changes: Partial<Settings>): void => {
			const settings = changeSettings(state.settings, changes);
			if (changes.balance !== undefined) setBalance(state, changes.balance);
			state.settings = settings;
			if (changes.randomSeed !== undefined) state.random = createRandom(changes.randomSeed);
		},
		/** Adds a fault rule after the others. @throws WrongValue */
		addFault: (rule: FaultRule): void => addFault(traffic, rule),
		clearFaults: (): void => void (traffic.faults = []),
		/** Moves the clock: expiry, scheduled sending, delivery, history lag, late acts. @throws WrongValue */
		advance: (ms: number): void => advanceClock(state, traffic, ms),
		/** Resolves when every late act in flight is done, and every due receipt has a response or is given up. */
		settle: async (): Promise<void> => {
			while (traffic.lateActsUnderWay.size > 0 || !state.receiptQueue.isIdle()) {
				await Promise.all([...traffic.lateActsUnderWay.values(), state.receiptQueue.untilIdle()]);
			}
		},
		/** Sets a status, drops the remaining steps, and resolves when its receipt is done. @throws NotFound */
		setStatus: (messageId: string, status: string): Promise<void> =>
			setMessageStatus(state, messageId, status),
		/** Posts the receipt of a message's current status again. @throws NotFound */
		repeatReceipt: (messageId: string): Promise<void> => repeatReceipt(state, messageId),
		/** Makes a code expire now. @throws NotFound */
		expireCode: (requestId: string | number): void => expireOtp(state, String(requestId)),
		/** Hands in a mail, as a mail server that delivers nothing would. */
		addMail: (mail: MailDraft): StoredMail => storeMail(state, mail),
		/** Adds to the balance. */
		topUp: (amount: number): void => setBalance(state, state.balance + amount),
		/** Fills message history: delivered messages, a second apart, the last one a second old. */
		seedMessages: (count: number, make?: SeedMaker): void => seedMessages(state, count, make),
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
