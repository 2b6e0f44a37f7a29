import type { OtpState, SentReceipt, StoredMessage, StoredOtp } from '../entities';
import { createRandom } from '../random';
import { readBalance, setBalance } from '../service/account';
import { repeatReceipt, setMessageStatus } from '../service/delivery';
import { createSeed } from '../service/history';
import { storeMessages } from '../service/messages';
import { readOtpState } from '../service/otp';
import { changeSettings, type Settings } from '../settings';
import { reportChange, resetState, type State } from '../state';
import { advanceClock } from './clock';
import type { FaultRule } from './faultRule';
import { addFault } from './faults';
import {
	type LoggedRequest,
	reportStats,
	resetTraffic,
	type StatsReport,
	type Traffic,
} from './traffic';

/** What tests and tools do with a running sandbox, directly or through /_sandbox/api. */
export type Controls = ReturnType<typeof createControls>;

export type OtpReport = StoredOtp & { state: OtpState };

export function createControls(state: State, traffic: Traffic) {
	return {
		/** Oldest first, as all lists. */
		messages: (): StoredMessage[] => [...state.messages],

		/** With the code in clear and its state at this moment. */
		codes: (): OtpReport[] =>
			state.codes.map((otp) => ({ ...otp, state: readOtpState(state, otp) })),

		/** Every request that reached a path of the service. */
		requests: (): LoggedRequest[] => [...traffic.requests],

		/** Every attempt to post a delivery receipt. */
		receipts: (): SentReceipt[] => [...state.receipts],

		stats: (): StatsReport => reportStats(traffic),

		balance: () => readBalance(state),

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
		advance: (ms: number): void => advanceClock(state, traffic, ms),

		/** Resolves when every late act that is due is done, every due receipt answered or given up. */
		settle: (): Promise<void> => settle(state, traffic),

		/**
		 * Moves a message by hand; resolves when its receipt has been answered or given up.
		 *
		 * @throws Error when there is no such message
		 */
		setStatus: (messageId: string, status: string): Promise<void> =>
			setMessageStatus(state, messageId, status),

		/** Posts the receipt of a message's present status once more. */
		repeatReceipt: (messageId: string): Promise<void> => repeatReceipt(state, messageId),

		/** Fills history: delivered messages, a second apart, the last one a second old. */
		seedMessages: (
			count: number,
			make: (index: number) => Partial<StoredMessage> = () => ({}),
		): void =>
			storeMessages(
				state,
				Array.from({ length: count }, (_, index) => createSeed(state, index, count, make(index))),
			),

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

async function settle({ receiptsUnderWay }: State, { lateActsUnderWay }: Traffic): Promise<void> {
	while (lateActsUnderWay.size > 0 || receiptsUnderWay.size > 0) {
		await Promise.all([...lateActsUnderWay, ...receiptsUnderWay]);
	}
}
