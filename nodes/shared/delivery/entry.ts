import type { MessageRecord } from '../client/types';
import { comparableText } from '../input/text';
import { groupBy } from './history';
import { step, type Act, type Event, type Policy } from './message';
import type { Window } from './serviceTimes';
import { newAttempt, toldUnreadAt, windowOf, type Message, type Saved } from './state';
import type { Now } from './timing';

/** One message in the memory of the execution. Only events change it. */
export class LedgerEntry implements Message {
	attempt = newAttempt;

	constructor(
		readonly saved: Readonly<Saved>,
		private readonly toReference: () => string,
		private readonly now: Now,
		/** Until when other retries may have sent it, in milliseconds since 1970. */
		private readonly retriedUntil = -Infinity,
		private readonly onAccepted: (record: MessageRecord) => void = () => {},
		/** Of a call over MCP: what equal messages of other calls have in common. */
		readonly call?: string,
	) {
		if (saved.state === 'inFlight') this.note({ is: 'interrupted' });
	}

	/** @returns what is to be done next */
	note(event: Event, now = this.now(), policy: Policy = {}): Act {
		const { saved, attempt, next } = step(this, event, now, policy);
		// n8n keeps this object.
		Object.assign(this.saved, saved);
		this.attempt = attempt;
		if (event.is === 'accepted') this.onAccepted(event.record);
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

	/** From when on its doubt is told if the service is down, in milliseconds since 1970. */
	get toldUnreadAt(): number {
		return toldUnreadAt(this);
	}

	get window(): Window {
		const { from, to } = windowOf(this.saved);
		return { from, to: Math.max(to, this.retriedUntil) };
	}
}

/** A message that the run is to send, as far as it identifies it. */
export interface Wanted {
	to: string;
	/** An accepted test does not count as the real message. */
	isTest: boolean;
	/** Absent if its item cannot be read any more. */
	text?: string;
	/** The whole message, by which a tool identifies it. */
	content?: unknown;
}

/**
 * Which of the known messages to one number are meant, by place: those with the same text first, then in their
 * order. An expression such as `$now` returns a different text in every attempt.
 */
export function pair(
	wanted: Array<string | undefined>,
	known: Array<string | undefined>,
): number[] {
	if (known.length === 0) return [...wanted.keys()];
	const left = new Set(known.keys());
	const byText = groupBy([...left], (n) => comparableText(known[n]));
	const places = wanted.map((text) => {
		const place = text === undefined ? undefined : byText.get(comparableText(text))?.shift();
		if (place !== undefined) left.delete(place);
		return place;
	});
	const rest = [...left];
	let next = known.length;
	return places.map((place) => place ?? rest.shift() ?? next++);
}
