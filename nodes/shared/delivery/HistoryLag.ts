import type { MessageRecord } from '../client/types';
import { deliveryTiming } from './timing';

/**
 * Accepted messages are watched for as long as a doubt can last, and so many of each second: all of them would be
 * too many of a fast campaign, and the newest alone would hide how late the older ones are.
 */
const watchForMs = 3 * 60_000;
const mostPerSecond = 20;

interface Sighting {
	sentAt: number;
	/** Milliseconds after sending at which a look into history had, for the first time, shown the message. */
	seenAfter?: number;
	/** Milliseconds after sending at which the last look had not shown it. */
	missedAfter: number;
}

/**
 * How late history is, measured on messages that the service is known to have taken. That a message is not in
 * history says something about it only where others were there in a fraction of the time.
 */
export class HistoryLag {
	/** By messageId, in the order of sending. */
	private readonly watched = new Map<string, Sighting>();
	private ofSecond = { second: 0, watched: 0 };

	/** The service has taken a message, and said so. */
	watch({ messageId }: MessageRecord, sentAt: number): void {
		const key = String(messageId);
		const second = Math.floor(sentAt / 1000);
		if (second !== this.ofSecond.second) this.ofSecond = { second, watched: 0 };
		if (this.watched.has(key) || this.ofSecond.watched >= mostPerSecond) return;
		this.ofSecond.watched += 1;
		this.watched.set(key, { sentAt, missedAfter: 0 });
		this.forgetOld(sentAt);
	}

	/** Whether looking at the whole list, and not for single numbers, would tell how late it is. */
	get isMeasurable(): boolean {
		this.forgetOld(Date.now());
		return this.watched.size >= deliveryTiming.evidence.messages;
	}

	/**
	 * What a reading showed that holds all messages sent since a moment. It can take long: what it shows was there at
	 * its end, and what it does not show was missing at its begin.
	 */
	learn(records: MessageRecord[], since: number, begunAt: number, endedAt: number): void {
		const shown = new Set(records.map(({ messageId }) => String(messageId)));
		for (const [messageId, sighting] of this.watched) {
			if (sighting.sentAt < since || sighting.seenAfter !== undefined) continue;
			if (shown.has(messageId)) sighting.seenAfter = endedAt - sighting.sentAt;
			else sighting.missedAfter = begunAt - sighting.sentAt;
		}
	}

	/**
	 * Whether history would have shown a message by now whose request ended at a moment: enough messages of about the
	 * same time were there in a fraction of its age, none took longer, and one that was sent later is there.
	 */
	wouldHaveShown(endedAt: number, lookedAt: number): boolean {
		const { messages, timesTheLag, aroundMs } = deliveryTiming.evidence;
		const longest = (lookedAt - endedAt) / timesTheLag;
		const sightings = [...this.watched.values()];
		const prompt = sightings.filter(
			({ sentAt, seenAfter = Infinity }) => seenAfter <= longest && sentAt >= endedAt - aroundMs,
		);
		const isEverLater = sightings.some(({ missedAfter }) => missedAfter > longest);
		return prompt.length >= messages && !isEverLater && this.countSeenSince(endedAt) > 0;
	}

	/** How many messages that were sent after a moment history shows. */
	countSeenSince(moment: number): number {
		return [...this.watched.values()].filter(
			({ sentAt, seenAfter }) => sentAt >= moment && seenAfter !== undefined,
		).length;
	}

	private forgetOld(now: number): void {
		for (const [messageId, { sentAt }] of this.watched) {
			if (sentAt > now - watchForMs) return;
			this.watched.delete(messageId);
		}
	}
}
