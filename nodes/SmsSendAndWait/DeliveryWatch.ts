import { sleep } from 'n8n-workflow';

import type { MessagingServiceClient } from '../shared/client/MessagingServiceClient';
import type { MessageRecord } from '../shared/client/types';
import { filtersFor, searchHistory } from '../shared/delivery/historySearch';
import { ServiceClock } from '../shared/delivery/ServiceClock';
import { toOutcome, toOutcomeAtEnd, type WaitFor } from './outcome';

/** When history is looked into, in milliseconds since the message was sent, as data. Tests make them short. */
export const watchTiming = {
	/** While an AI agent waits. */
	everyMs: 3_000,
	/** While the execution sleeps: after these times, and then again and again after the last of them. */
	looks: [15_000, 60_000, 5 * 60_000, 15 * 60_000, 60 * 60_000],
	/** The last look is as much before the time limit. */
	beforeEndMs: 3_000,
};

/**
 * Looks into history for what became of one message: for receipts that came too early, got lost, or cannot reach
 * this n8n. A look that fails tells nothing, and does no harm.
 */
export class DeliveryWatch {
	private readonly startedAt = Date.now();

	constructor(
		private readonly client: MessagingServiceClient,
		private readonly record: MessageRecord,
		private readonly to: string,
		private readonly from: string,
	) {}

	/** The record as history has it now; the one of the send answer where history has none. */
	async look(): Promise<MessageRecord> {
		const isOurs = ({ messageId }: MessageRecord) => messageId === this.record.messageId;
		const filters = filtersFor({ to: this.to, from: this.from, since: this.startedAt });
		const found = await searchHistory(this.client, filters, new ServiceClock(), (page) =>
			page.some(isOurs),
		).then(
			(records) => records.find(isOurs),
			() => undefined,
		);
		return found
			? { ...this.record, status: found.status, finishedAt: found.finishedAt }
			: this.record;
	}

	/** Looks until the message is what is waited for, or the time is over. */
	async waitFor(waitFor: WaitFor, limitMs: number): Promise<MessageRecord> {
		const end = this.startedAt + limitMs;
		for (;;) {
			const latest = await this.look();
			const isOver = Date.now() + watchTiming.everyMs > end;
			if (isOver || toOutcome(latest.status, waitFor)) return latest;
			await this.client.pool.rest(watchTiming.everyMs);
		}
	}

	/**
	 * Looks now and then while the execution sleeps, and calls `wake` when history knows the outcome. It lives as
	 * long as this process of n8n; after a restart the time limit still ends the wait.
	 */
	async wakeWhenFinal(
		waitFor: WaitFor,
		limitMs: number,
		wake: (latest: MessageRecord, isAtEnd: boolean) => Promise<void>,
	): Promise<void> {
		const lastLook = limitMs - watchTiming.beforeEndMs;
		for (const after of this.lookTimes(lastLook)) {
			await sleep(Math.max(this.startedAt + after - Date.now(), 0));
			const latest = await this.look();
			const isAtEnd = after === lastLook;
			const isKnown = isAtEnd
				? toOutcomeAtEnd(latest.status) !== 'timedOut'
				: toOutcome(latest.status, waitFor) !== undefined;
			if (isKnown) return await wake(latest, isAtEnd).catch(() => undefined);
		}
	}

	private *lookTimes(lastLook: number): Generator<number> {
		const { looks } = watchTiming;
		const repeat = looks[looks.length - 1];
		for (const look of looks) if (look < lastLook) yield look;
		for (let look = repeat * 2; look < lastLook; look += repeat) yield look;
		if (lastLook > 0) yield lastLook;
	}
}
