import { randomUUID } from 'node:crypto';
import type { StoredMessage } from '../entities';
import { readClock, type State } from '../state';
import type { Work } from '../turns';
import { shareChanges, shareReported, shareSteps } from './changes';
import { formatDateTime } from './dateTime';
import { storeMessages } from './messages';

/** What is to be laid over a seed. */
export type SeedMaker = (index: number) => Partial<StoredMessage>;

/** Stored together: few enough for one turn, enough to be sorted in among others now and then only. */
const seedsAtOnce = 500;

/** Fills history: delivered messages, a second apart, the last one a second old. */
export function* seedMessages(state: State, count: number, make: SeedMaker = () => ({})): Work {
	const { lifetime } = state;
	const now = readClock(state);
	let seeds: StoredMessage[] = [];
	for (let index = 0; index < count; index += 1) {
		const changes = make(index);
		const createdAtMs = changes.createdAtMs ?? now - (count - index) * 1000;
		seeds.push(createSeed(createdAtMs, index, changes));
		if (seeds.length < seedsAtOnce && index < count - 1) continue;
		storeMessages(state, seeds);
		seeds = [];
		yield;
		if (lifetime !== state.lifetime) return;
	}
}

/** Already delivered, one second older than the one after it. */
function createSeed(
	createdAtMs: number,
	index: number,
	changes: Partial<StoredMessage>,
): StoredMessage {
	return {
		messageId: randomUUID(),
		message: `Seeded message ${index + 1}`,
		to: `9597${String(50_000_000 + index).slice(0, 8)}`,
		clientReference: '',
		scheduledAt: null,
		createdAt: formatDateTime(createdAtMs),
		messageCount: 1,
		from: 'Sandbox',
		network: 'Telenor',
		type: 'sms.text',
		status: 'Delivered',
		test: false,
		finishedAt: formatDateTime(createdAtMs + 3000),
		createdAtMs,
		mark: 0,
		listedFromMs: createdAtMs,
		deliveryReceiptUrl: null,
		sentBy: '/rest/send',
		requestNumber: 0,
		encoding: 'GSM-7',
		price: 0,
		statuses: shareChanges([
			{ status: 'Accepted', afterMs: 0 },
			{ status: 'Delivered', afterMs: 3000 },
		]),
		steps: shareSteps([]),
		owed: shareChanges([]),
		reported: shareReported([]),
		...changes,
	};
}
