import type { MessageRecord } from '../client/types';
import {
	doubtLastsMs,
	newTurn,
	step,
	windowOf,
	type Act,
	type Event,
	type Message,
	type Policy,
	type Saved,
} from './message';
import type { Window } from './createdAt';
import type { Now } from './timing';

/** One message in the memory of the execution. Only events change it. */
export class LedgerEntry implements Message {
	turn = newTurn;

	constructor(
		readonly saved: Readonly<Saved>,
		private readonly toReference: () => string,
		private readonly now: Now = Date.now,
		/** Until when other retries may have sent it, in milliseconds since 1970. */
		private readonly retriedUntil = -Infinity,
	) {
		if (saved.state === 'inFlight') this.note({ is: 'interrupted' });
	}

	/** @returns what is to be done next */
	note(event: Event, now = this.now(), policy: Policy = { isSentOnce: false }): Act {
		const { saved, turn, next } = step(this, event, now, policy);
		// n8n keeps this object.
		Object.assign(this.saved, saved);
		this.turn = turn;
		return next;
	}

	get state(): Saved['state'] {
		return this.saved.state;
	}

	get record(): MessageRecord | undefined {
		return this.saved.record;
	}

	/** The node's own reference: at most 50 characters, the same in every attempt and retry. */
	get reference(): string {
		return this.toReference();
	}

	/** Until when the service may accept a message in doubt, in milliseconds since 1970. */
	get inDoubtUntil(): number {
		return (this.saved.lastEndedAt ?? 0) + doubtLastsMs(this);
	}

	get window(): Window {
		const { from, to } = windowOf(this.saved);
		return { from, to: Math.max(to, this.retriedUntil) };
	}
}
