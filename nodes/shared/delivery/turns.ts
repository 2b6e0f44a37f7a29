import { Expiring } from '../n8n/Expiring';
import type { MessagingServiceClient } from '../client/MessagingServiceClient';
import type { MessageRecord } from '../client/types';
import { comparableReference } from '../input/comparison';
import { toRecipientKey } from '../input/number';
import type { Ledger } from './memory';
import { isUndecided, type Channel, type Note, type Outgoing } from './message';

/** A message of a run, and when all of the run are decided. */
interface Turn {
	scope: string;
	message: Outgoing;
	ended: Promise<void>;
}

/** The last of equal messages of this process, that history may not show yet. */
const recent = new Expiring<Turn>(10 * 60_000, 100_000);

/** Lets equal messages of this process go out one after the other, so that only the first is sent. */
export class Turns {
	/** Messages that wait for an equal one. */
	readonly later = new Map<Outgoing, { before: Turn; name: string }>();
	private readonly ended: Promise<void>;
	private finish: () => void = () => undefined;

	constructor(
		private readonly client: MessagingServiceClient,
		{ scope }: Pick<Ledger, 'scope'>,
		{ hasReference }: Channel,
		messages: Outgoing[],
	) {
		this.ended = new Promise<void>((resolve) => (this.finish = resolve));
		const counts = new Map<string, number>();
		for (const message of messages) {
			const content = this.nameOf(message, hasReference);
			const count = counts.get(content) ?? 0;
			counts.set(content, count + 1);
			if (!isUndecided(message)) continue;
			// In bulk, the n-th of equal messages in each run.
			const name = hasReference ? content : `${content} ${count}`;
			const before = recent.get(name);
			recent.set(name, { scope, message, ended: this.ended });
			const isOther = before && (before.scope !== scope || before.ended === this.ended);
			if (isOther) this.later.set(message, { before, name });
		}
	}

	/** What has become of the equal messages before, once their runs have ended; the note of another run. */
	async *outcomesBefore(): AsyncGenerator<[Outgoing, MessageRecord | Error, note?: Note]> {
		for (const [message, { before }] of this.later) {
			const isOther = before.ended !== this.ended;
			if (isOther) await this.client.pool.waitFor(before.ended);
			const { outcome, note } = before.message;
			if (outcome) yield [message, outcome, isOther ? note : undefined];
		}
	}

	end(): void {
		// What has sent nothing stands for the one before.
		for (const [message, { before, name }] of this.later)
			if (!message.tries && recent.get(name)?.message === message) recent.set(name, before);
		this.finish();
	}

	private nameOf({ request }: Outgoing, hasReference: boolean): string {
		const { to, from, message, test = 0, clientReference } = request;
		const what = hasReference ? [test, comparableReference(clientReference)] : [from, message];
		return JSON.stringify([this.client.account, toRecipientKey(to), ...what]);
	}
}
