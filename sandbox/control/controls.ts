import type { ActiveFault, FaultRule, MailDraft, StoredMail } from '../entities';
import { readBalance, setBalance } from '../service/account';
import { repeatReceipt, setMessageStatus } from '../service/delivery';
import { decryptMessage } from '../service/encryption';
import { storeMail } from '../service/mails';
import { expireOtp } from '../service/otp';
import { seedAtOnce, seedInTurns, type SeedMaker } from '../service/seed';
import { changeSettings, describeSettings, type Seed, type Settings } from '../settings';
import { clearState, createRandom, readClock, resetState, type State } from '../state';
import { doAtOnce, doInSteps } from '../steps';
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
		seedAtOnce(state, length, (index) => start.messages[index] ?? {});
	};
	const lists = createLists(state);
	return {
		...createReports(state, traffic, lists),
		...createSteering(state, traffic, loadSeed),
		/** For the sandbox itself. */
		internal: {
			/** Adds the faults of the seed file; its messages only if there are none. */
			loadSeed,
			/** Page by page. */
			lists,
			/** In steps: other requests are handled in between. */
			advance: (ms: number): Promise<void> => doInSteps(advanceClock(state, traffic, ms)),
			seedMessages: (count: number, make: SeedMaker) => seedInTurns(state, count, make),
		},
	};
}

function createReports(state: State, traffic: Traffic, lists: ReturnType<typeof createLists>) {
	const atOnce =
		<F, T>(list: (filter?: F) => Generator<T[]>) =>
		(filter?: F): T[] =>
			[...list(filter)].flat();
	return {
		/** Oldest first, like all lists. */
		messages: atOnce(lists.messages),
		/** With the code in plain text and its current state. */
		codes: atOnce(lists.codes),
		/** Codes by email, and mails that were handed in (`addMail`). */
		mails: atOnce(lists.mails),
		/** Every request that reached a path of the service. */
		requests: atOnce(lists.requests),
		/** Every attempt to post a delivery receipt. */
		receipts: atOnce(lists.receipts),
		/** Number of requests that match. */
		countRequests: lists.countRequests,
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
		advance: (ms: number): void => doAtOnce(advanceClock(state, traffic, ms)),
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
