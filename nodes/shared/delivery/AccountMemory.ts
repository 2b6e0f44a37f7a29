import { isUnknown, type ServiceError } from '../client/failure';
import type { MessageRecord, SendRequest } from '../client/types';
import { bucketOf } from '../validation/messageKey';
import { Recent } from './Recent';

/** How long an accepted send with a user's reference is remembered after it ended or, if later, was scheduled. */
const keepAcceptedMs = 10 * 60_000;
/** The same if its outcome is unknown: history shows it by then. */
const keepUnknownMs = 2 * 60_000;

interface Owner {
	/** Of its run. */
	scope: string;
	/** Whether the run found the record in history, not in the response to a send. */
	isLookedUp: boolean;
}

/** A send with a user's reference, in flight or ended. */
export interface Send {
	ended: Promise<MessageRecord | Error>;
	/** Of its run, and the attempt that sends it. */
	scope: string;
	by: object;
	/** When the message goes out, in milliseconds since 1970; 0 if not scheduled. */
	scheduledAt: number;
	/** When it is forgotten, by `performance.now()`; absent while it is in flight. */
	until?: number;
}

/** A message that has been sent and is undecided. */
export interface Reservation {
	/** Of its run. */
	scope: string;
	/** Phone number it was sent to. */
	to: string;
	/** Whether a record in history is, or can be, that of the message. */
	isOf(record: MessageRecord): boolean;
}

/** A message that somebody sent by hand, and that is in doubt. */
interface Click {
	unknown: ServiceError;
	/** In milliseconds since 1970. */
	until: number;
}

const clicks = new Recent<Click>(10_000);
const owners = new Recent<Owner>(200_000);
const sends = new Recent<Send>(10_000);
/** By account and phone number; each is removed when its message is decided. */
const reservations = new Map<string, Set<Reservation>>();

/**
 * What this process knows about one account: the run of each record, the undecided messages, and the sends with a user's
 * reference. All executions share it, since they can look up similar messages at the same time.
 */
export class AccountMemory {
	/** @param account digest of base URL and key */
	constructor(private readonly account: string) {}

	noteClick(request: SendRequest, unknown: ServiceError, until: number): void {
		clicks.set(this.nameOfClick(request), { unknown, until }, { keepMs: until - Date.now() });
	}

	/** The outcome of the same message, sent by hand a moment ago, while it may still be accepted. */
	findClick(request: SendRequest): ServiceError | undefined {
		const { unknown, until = 0 } = clicks.get(this.nameOfClick(request)) ?? {};
		const seconds = Math.ceil((until - Date.now()) / 1000);
		const note = `An execution a moment ago may have sent it. In ${seconds} seconds, you can send it again.`;
		return unknown?.with({ note });
	}

	private nameOfClick({ to, from, message, test }: SendRequest): string {
		return JSON.stringify([this.account, to, from, message, test]);
	}

	/** The run that a response or history has shown it to, by its scope. */
	ownerOf(record: MessageRecord): string | undefined {
		return owners.get(this.nameOf(record))?.scope;
	}

	/** Whether a response of another run has shown it. */
	isAnothers(record: MessageRecord, scope: string): boolean {
		const owner = owners.get(this.nameOf(record));
		return owner !== undefined && owner.scope !== scope && !owner.isLookedUp;
	}

	/**
	 * Assigns a record to a run.
	 * @param isLookedUp whether it was found in history, not in the response to a send
	 * @returns false if another run has it; two responses with the same record are not proof of that
	 */
	claim(record: MessageRecord, scope: string, isLookedUp: boolean): boolean {
		const name = this.nameOf(record);
		const owner = owners.get(name);
		const isEitherLookedUp = isLookedUp || owner?.isLookedUp === true;
		if (owner && owner.scope !== scope && isEitherLookedUp) return false;
		owners.set(name, { scope, isLookedUp: isEitherLookedUp });
		return true;
	}

	/** Reserves the record of a message for its run. @returns what ends it */
	reserve(reservation: Reservation): () => void {
		const name = this.nameOfNumber(reservation);
		reservations.set(name, (reservations.get(name) ?? new Set()).add(reservation));
		return () => {
			const left = reservations.get(name);
			left?.delete(reservation);
			if (left?.size === 0) reservations.delete(name);
		};
	}

	/** Whether the record may be that of another run, or was found by it: history must not give it to this one. */
	isReserved(record: MessageRecord, scope: string): boolean {
		const owner = owners.get(this.nameOf(record));
		if (owner && owner.scope !== scope) return true;
		return this.reservedNear(record).some((one) => one.scope !== scope && one.isOf(record));
	}

	/** The last send with this key, unless it was an earlier attempt of the same run. */
	findSend(key: string, { scope, by }: Pick<Send, 'scope' | 'by'>): Send | undefined {
		const send = sends.get(`${this.account} ${key}`);
		return send && send.scope === scope && send.by !== by ? undefined : send;
	}

	noteSend(key: string, send: Send): void {
		const name = `${this.account} ${key}`;
		sends.set(name, send);
		void send.ended.then((outcome) => {
			if (sends.get(name) !== send) return;
			const keepFailedMs = isUnknown(outcome) ? keepUnknownMs : -Infinity;
			const keepMs = outcome instanceof Error ? keepFailedMs : keepAcceptedMs;
			const scheduledMs = Math.max(0, send.scheduledAt - Date.now());
			send.until ??= performance.now() + scheduledMs + keepMs;
			sends.set(name, send, { keepMs: send.until - performance.now() });
		});
	}

	/** All of the account for a record that does not show its number. */
	private reservedNear(record: MessageRecord): Reservation[] {
		const name = this.nameOfNumber(record);
		if (bucketOf(record.to) !== '') return [...(reservations.get(name) ?? [])];
		const names = [...reservations.keys()].filter((one) => one.startsWith(name));
		return names.flatMap((one) => [...(reservations.get(one) ?? [])]);
	}

	private nameOfNumber({ to }: { to?: string }): string {
		return `${this.account} ${bucketOf(to)}`;
	}

	private nameOf({ messageId = '' }: MessageRecord): string {
		return `${this.account} ${messageId}`;
	}
}
