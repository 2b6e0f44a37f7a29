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
	return {
		...{ messageId: randomUUID(), message: `Seeded message ${index + 1}` },
		...{ to: `9597${String(50_000_000 + index).slice(0, 8)}`, clientReference: '' },
		...{ scheduledAt: null, createdAt: formatDateTime(createdAtMs), messageCount: 1 },
		...{ from: 'Sandbox', network: 'Telenor', type: 'sms.text', status: 'Delivered' },
		...{ test: false, finishedAt: formatDateTime(createdAtMs + 3000), createdAtMs, mark: 0 },
		...{ listedFromMs: createdAtMs, deliveryReceiptUrl: null, sentBy: '/rest/send' },
		...{
			requestNumber: 0,
			encoding: 'GSM-7' as const,
			price: 0,
			steps: [],
			owed: [],
			reported: [],
		},
		statuses: delivered,
		...changes,
	};
}

const delivered = [
	{ status: 'Accepted', afterMs: 0 },
	{ status: 'Delivered', afterMs: 3000 },
];
