import { isUnknown } from '../client/failure';
import type { MessageRecord } from '../client/types';
import { Expiring } from '../client/Expiring';
import { bucketOf, comparableId } from '../input/comparison';
import { isOfRun } from './pages';

/** How long an accepted send with a user's reference is remembered after it ended or, if later, was scheduled. */
const keepAcceptedMs = 10 * 60_000;
/** The same if its outcome is unknown: history shows it by then. */
const keepUnknownMs = 2 * 60_000;

type Outcome = MessageRecord | Error;

/** The turn of a message with a user's reference. */
interface Turn {
	/** Of its run, and the attempt that sends it. */
	scope: string;
	by: object;
	/** When the message goes out, in milliseconds since 1970; 0 if not scheduled. */
	scheduledAt: number;
}

/** The last turn of a key, waiting, in flight or ended. */
interface Send extends Turn {
	ended: Promise<Outcome | undefined>;
	/** When it is forgotten, by `performance.now()`; not before it has ended. */
	until: number;
	/** The turn before, for which it stands since it has sent nothing itself. */
	standsFor?: Send;
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

/** The run that a record was shown to. */
interface Owner {
	scope: string;
	/** By history, not by the response to a send: the record may be that of another run in doubt. */
	isLookedUp: boolean;
}

/** A message of SMS Bulk Send, or of a call over MCP, that its run brings, or has just brought. */
export interface Recent {
	/** Of its run. */
	scope: string;
	message: { outcome?: Outcome };
	/** Resolves when its run has decided all messages. */
	ended: Promise<void>;
	/** When that was, by `performance.now()`. */
	decidedAt?: number;
	/** The one before, for which it stands as long as it has sent nothing itself. */
	standsFor?: Recent;
}

/** What has sent, or still may. */
export function senderOf(one: Recent): Recent {
	const { decidedAt, standsFor } = one;
	return decidedAt !== undefined && standsFor ? senderOf(standsFor) : one;
}

const recents = new Expiring<Recent>(keepAcceptedMs, 100_000);
const owners = new Expiring<Owner>(Infinity, 200_000);
const sends = new Expiring<Send>(Infinity, 10_000);
/** By account and phone number; each is removed when its message is decided. */
const reservations = new Map<string, Set<Reservation>>();

/** A failed send is forgotten at once: nothing was sent. */
function untilOf({ scheduledAt }: Turn, outcome: Outcome | undefined): number {
	const keepFailedMs = isUnknown(outcome) ? keepUnknownMs : -Infinity;
	const keepMs = !outcome || outcome instanceof Error ? keepFailedMs : keepAcceptedMs;
	return performance.now() + Math.max(0, scheduledAt - Date.now()) + keepMs;
}

/**
 * What this process knows about one account: the run of each record, the undecided messages, and the sends with a user's
 * reference. All executions share it, since they can look up similar messages at the same time.
 */
export class AccountMemory {
	/** @param account digest of base URL and key */
	constructor(private readonly account: string) {}

	ownerOf(record: MessageRecord): Owner | undefined {
		return owners.get(this.nameOf(record));
	}

	claim(record: MessageRecord, owner: Owner): void {
		owners.set(this.nameOf(record), owner);
	}

	/** Enters a message under its content. @returns the same one of another run, before it, no longer ago than `keepMs` */
	enter(content: string, one: Recent, keepMs = keepAcceptedMs): Recent | undefined {
		const name = `${this.account} ${content}`;
		const last = recents.get(name);
		const before = last && senderOf(last);
		recents.set(name, one);
		if (!before || isOfRun(before.scope, one.scope)) return undefined;
		const { decidedAt = Infinity } = before;
		return performance.now() - decidedAt < keepMs ? before : undefined;
	}

	/** Reserves the record of a message for its run. @returns what ends it */
	reserve(reservation: Reservation): () => void {
		const name = this.nameOfNumber(reservation);
		const all = reservations.get(name) ?? new Set();
		reservations.set(name, all.add(reservation));
		return () => {
			all.delete(reservation);
			if (all.size === 0) reservations.delete(name);
		};
	}

	/** Whether the record may be that of another run, or was found by it: history must not give it to this one. */
	isReserved(record: MessageRecord, scope: string): boolean {
		if (!isOfRun(this.ownerOf(record)?.scope ?? scope, scope)) return true;
		return this.reservedNear(record).some((one) => one.scope !== scope && one.isOf(record));
	}

	/**
	 * Sends after the last turn of the key, unless that was an earlier attempt of the same run.
	 * @param send gets the outcome of the turn before, and returns its own. If it has sent nothing, as when Stop ends its
	 * wait, it stands for the turn before.
	 */
	async takeTurn(
		key: string,
		turn: Turn,
		send: (before?: Promise<Outcome | undefined>) => Promise<Outcome | undefined>,
	): Promise<void> {
		const name = `${this.account} ${key}`;
		const last = sends.get(name);
		const before = last?.scope === turn.scope && last.by !== turn.by ? undefined : last;
		let end: (outcome: Outcome | Promise<Outcome | undefined> | undefined) => void = () =>
			undefined;
		const ended = new Promise<Outcome | undefined>((resolve) => (end = resolve));
		const one: Send = { ...turn, ended, until: Infinity };
		sends.set(name, one);
		let outcome: Outcome | undefined;
		try {
			outcome = await send(before?.ended);
		} finally {
			if (outcome === undefined) one.standsFor = before;
			one.until = untilOf(turn, outcome);
			if (sends.get(name) === one) this.keepTurn(name, one);
			end(outcome ?? before?.ended);
		}
	}

	private keepTurn(name: string, one: Send): void {
		let kept = one;
		while (kept.standsFor) kept = kept.standsFor;
		sends.set(name, kept, { keepMs: kept.until - performance.now() });
	}

	/** All of the account for a record that does not show its number. */
	private reservedNear(record: MessageRecord): Reservation[] {
		const name = this.nameOfNumber(record);
		if (bucketOf(record.to) !== '') return [...(reservations.get(name) ?? [])];
		return [...reservations].flatMap(([one, all]) => (one.startsWith(name) ? [...all] : []));
	}

	private nameOfNumber({ to }: { to?: string }): string {
		return `${this.account} ${bucketOf(to)}`;
	}

	private nameOf(record: MessageRecord): string {
		return `${this.account} ${comparableId(record)}`;
	}
}
