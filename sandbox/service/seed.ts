import { randomUUID } from 'node:crypto';
import type { StoredMessage } from '../entities';
import { readClock, type State } from '../state';
import { formatDateTime } from './dateTime';
import { storeAtOnce, storeMessages } from './messages';

/** Returns the fields to override in the seeded message at this index. */
export type SeedMaker = (index: number) => Partial<StoredMessage>;

/** Fills message history with all of them or none: delivered, a second apart, the last one a second old. */
export function seedAtOnce(state: State, count: number, make?: SeedMaker): void {
	storeAtOnce(state, ...prepareSeeds(state, count, make));
	state.store.commit();
}

/** Like `seedAtOnce`, over several turns. */
export async function seedInTurns(state: State, count: number, make?: SeedMaker): Promise<void> {
	await storeMessages(state, ...prepareSeeds(state, count, make));
	state.store.commit();
}

function prepareSeeds(
	state: State,
	count: number,
	make: SeedMaker = () => ({}),
): [count: number, make: (index: number) => StoredMessage] {
	const now = readClock(state);
	// Create only those that will be kept: the newest.
	const first = Math.max(0, count - state.settings.maxMessagesKept);
	const makeSeed = (place: number): StoredMessage => {
		const index = first + place;
		return createSeed(now - (count - index) * 1000, index, make(index));
	};
	return [count - first, makeSeed];
}

function createSeed(ageMs: number, index: number, changes: Partial<StoredMessage>): StoredMessage {
	const createdAtMs = changes.createdAtMs ?? ageMs;
	const network = { network: 'Telenor', type: 'sms.text', encoding: 'GSM-7' as const };
	return {
		...{ messageId: randomUUID(), message: `Seeded message ${index + 1}`, messageCount: 1 },
		...{ to: `9597${String(50_000_000 + index).slice(0, 8)}`, from: 'Sandbox', ...network },
		...{ clientReference: '', scheduledAt: null, deliveryReceiptUrl: null, test: false },
		...{ createdAt: formatDateTime(createdAtMs), createdAtMs, listedFromMs: createdAtMs },
		...{ status: 'Delivered', finishedAt: formatDateTime(createdAtMs + 3000), statuses: delivered },
		...{ mark: 0, sentBy: '/rest/send', requestNumber: 0, price: 0 },
		...{ steps: [], owed: [], reported: [], ...changes },
	};
}

const delivered = [
	{ status: 'Accepted', afterMs: 0 },
	{ status: 'Delivered', afterMs: 3000 },
];
