import type { SeedMessage, StoredMessage } from '../entities';
import { WrongValue } from '../shapes';
import { readClock, type State } from '../state';
import { createMessage } from './accept';
import { readFinish, storeMessages } from './messages';
import { isDomestic } from './phoneNumber';
import { Refusal } from './refusal';
import { readSendOrder, readTime } from './sendRequest';

/** Returns the fields to override in the seeded message at this index. */
export type SeedMaker = (index: number) => SeedMessage;

/**
 * Fills message history with all of them or none: delivered, a second apart, the last one a second old.
 *
 * @throws WrongValue for a message that could not have been sent
 */
export function seedMessages(state: State, count: number, make?: SeedMaker): void {
	const create = prepareSeeds(state, count, make);
	storeMessages(state, listKept(state, count).map(create));
}

/** Indexes of those that will be kept: the newest. */
function listKept({ settings }: State, count: number): number[] {
	const length = Math.min(count, settings.maxMessagesKept);
	return Array.from({ length }, (_, place) => count - length + place);
}

function prepareSeeds(state: State, count: number, make: SeedMaker = () => ({})) {
	const now = readClock(state);
	return (index: number): StoredMessage => {
		try {
			return createSeed(state, now - (count - index) * 1000, index, make(index));
		} catch (error) {
			if (!(error instanceof Refusal)) throw error;
			throw new WrongValue(`Seeded message ${index + 1}: ${error.message}`);
		}
	};
}

/** Reads and creates it like a send. */
function createSeed(state: State, ageMs: number, index: number, changes: SeedMessage) {
	const now = changes.createdAtMs ?? readTime(changes, 'createdAt') ?? ageMs;
	const { to = `9597${String(50_000_000 + index).slice(0, 8)}`, ...others } = changes;
	// As records have it: in digits, an international number without its plus.
	const number = /^[1-9]/.test(to) && !isDomestic(to) ? `+${to}` : to;
	const generated = { message: `Seeded message ${index + 1}`, from: 'Sandbox' };
	const fields = { ...generated, ...others, to: number };
	const source = { path: '/rest/send', number: 0 };
	const message = createMessage(state, readSendOrder(fields, now, 'none'), source, now);
	const { status = 'Delivered', messageId = message.messageId, listedFromMs = now } = changes;
	const change = { status, afterMs: status === 'Accepted' ? 0 : 3000 };
	return {
		...{ ...message, messageId, status, listedFromMs, arrivedMs: now, price: 0, steps: [] },
		statuses: change.afterMs === 0 ? message.statuses : [...message.statuses, change],
		finishedAt: readFinish(message, change),
	};
}
