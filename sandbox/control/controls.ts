import { moveDueMessages, setMessageStatus } from '../service/delivery';
import { createSeed } from '../service/history';
import { doDueLateActs } from '../service/lateActs';
import { type StoredMessage, storeMessages } from '../service/messages';
import { type OtpState, readOtpState, type StoredOtp } from '../service/otp';
import type { SentReceipt } from '../service/receipts';
import { changeSettings, type Settings } from '../settings';
import { createRandom, resetState, type State } from '../state';
import { addFault, type FaultRule } from './faults';
import { type LoggedRequest, reportStats, type StatsReport } from './requestLog';

/** What tests and tools do with a running sandbox, directly or through /_sandbox/api. */
export interface Controls {
	/** Oldest first, as all lists. */
	messages(): StoredMessage[];
	/** With the code in clear and its state at this moment. */
	codes(): Array<StoredOtp & { state: OtpState }>;
	/** Every request that reached a path of the service. */
	requests(): LoggedRequest[];
	/** Every attempt to post a delivery receipt. */
	receipts(): SentReceipt[];
	stats(): StatsReport;
	balance(): { balance: number; currency: string };
	/** Changes settings from now on; `balance` sets the balance, `seed` starts the generator anew. */
	configure(settings: Partial<Settings>): void;
	addFault(rule: FaultRule): void;
	clearFaults(): void;
	/** Moves the sandbox's clock: expiry of codes, scheduled sending, delivery, history lag, late acts. */
	advance(ms: number): void;
	/** Resolves when every late act that is due is done, every due receipt answered or given up. */
	settle(): Promise<void>;
	/**
	 * Moves a message by hand; resolves when its receipt has been answered or given up.
	 *
	 * @throws Error when there is no such message
	 */
	setStatus(messageId: string, status: string): Promise<void>;
	/** Fills history: delivered messages, a second apart, the last one a second old. */
	seedMessages(count: number, make?: (index: number) => Partial<StoredMessage>): void;
	/** Empties everything and puts the settings back to the start options. */
	reset(): void;
}

export function createControls(state: State): Controls {
	return {
		messages: () => [...state.messages],
		codes: () => state.codes.map((otp) => ({ ...otp, state: readOtpState(state, otp) })),
		requests: () => [...state.requests],
		receipts: () => [...state.receipts],
		stats: () => reportStats(state),
		balance: () => ({ balance: state.balance, currency: state.settings.currency }),
		configure: (settings) => configure(state, settings),
		addFault: (rule) => addFault(state, rule),
		clearFaults: () => void (state.faults = []),
		advance: (ms) => advance(state, ms),
		settle: () => settle(state),
		setStatus: (messageId, status) => setMessageStatus(state, messageId, status),
		seedMessages: (count, make) => seedMessages(state, count, make),
		reset: () => resetState(state),
	};
}

function configure(state: State, changes: Partial<Settings>): void {
	state.settings = changeSettings(state.settings, changes);
	if (changes.balance !== undefined) state.balance = changes.balance;
	if (changes.seed !== undefined) state.random = createRandom(changes.seed);
	state.changes++;
}

function advance(state: State, ms: number): void {
	if (!Number.isFinite(ms)) throw new Error('ms must be a number of milliseconds.');
	state.clockOffsetMs += ms;
	state.changes++;
	doDueLateActs(state);
	moveDueMessages(state);
}

async function settle(state: State): Promise<void> {
	const { lateActsUnderWay, receiptsUnderWay } = state;
	while (lateActsUnderWay.size > 0 || receiptsUnderWay.size > 0) {
		await Promise.all([...lateActsUnderWay, ...receiptsUnderWay]);
	}
}

function seedMessages(
	state: State,
	count: number,
	make: (index: number) => Partial<StoredMessage> = () => ({}),
): void {
	const seeds = Array.from({ length: count }, (_, index) =>
		createSeed(state, index, count, make(index)),
	);
	storeMessages(state, seeds);
}
