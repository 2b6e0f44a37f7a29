import { toWallTime } from '../input/time';
import type { Endpoint } from './address';
import { Expiring } from './Expiring';
import { ServiceError } from './failure';

/** In milliseconds, except `failures`. Tests shorten these times. */
export const brakeTiming = {
	/** A service is down after so many failures in a row, spread over at least this time: a restart is no outage. */
	failures: 3,
	spreadMs: 10_000,
	/** The same where it responds, with errors such as a 500: it may only trip over some texts. */
	spreadOfErrorsMs: 60_000,
	/** One request in this time goes through. */
	probeEveryMs: 10_000,
	/** How long an execution waits for a request that goes through, or tries it itself. */
	patienceMs: 30_000,
	/** After this time without a failure, the next one is the first. */
	forgetAfterMs: 600_000,
};

/** Failures in a row, without a success between them. Moments are those of `performance.now()`. */
interface Streak {
	failures: number;
	begunAt: number;
	/** The same without errors such as a 500. */
	outages: number;
	outageAt: number;
	lastAt: number;
	/** When the last request began that went through, or failed. */
	probedAt: number;
	/** When it began, in milliseconds since 1970. */
	since: number;
	/** HTTP status, or code of the network. */
	failure: string;
}

/** By account, surface and kind: reads that work do not show that messages are accepted. */
const streaks = new Expiring<Streak>(Infinity, 1_000);

/** The service, or the way to it, is down, and does not merely trip over a request. */
function isOutage({ kind, facts: { status } }: ServiceError): boolean {
	if (kind !== 'unavailable') return false;
	return status === undefined || [408, 502, 503, 504, 522, 524].includes(status);
}

function isDown({ failures, begunAt, outages, outageAt, lastAt }: Streak): boolean {
	const { failures: most, spreadMs, spreadOfErrorsMs } = brakeTiming;
	const isOut = outages >= most && lastAt - outageAt >= spreadMs;
	return isOut || (failures >= most && lastAt - begunAt >= spreadOfErrorsMs);
}

/**
 * What this process knows about a service that fails, as one execution meets it. While the service is down, a new
 * execution fails at once, and one under way waits for the probe.
 */
export class Brake {
	/** What this execution has begun while the service was not known to be down. */
	private readonly underWay = new Set<string>();
	private readonly heldSince = new Map<string, number>();

	/** @param timeZone in which errors tell the time */
	constructor(
		private readonly account: string,
		private readonly timeZone: string,
	) {}

	/** @returns the error of a request that is not to be made while the service is down */
	findOutage(endpoint: Endpoint): ServiceError | undefined {
		const streak = streaks.get(this.nameOf(endpoint));
		return streak && isDown(streak) ? this.toError(endpoint, streak) : undefined;
	}

	/**
	 * Asks whether a request may go. If so, it counts as the probe.
	 * @returns `undefined` if it may, `wait` if it may soon, else why it may not
	 */
	hold(endpoint: Endpoint): undefined | 'wait' | ServiceError {
		const name = this.nameOf(endpoint);
		const streak = streaks.get(name);
		const now = performance.now();
		const outage = this.findOutage(endpoint);
		const isNew = !this.underWay.has(name);
		if (!outage) this.underWay.add(name);
		const isFree = !streak || streak.failures < brakeTiming.failures || (!outage && isNew);
		if (isFree) {
			this.heldSince.delete(name);
			if (streak) streak.probedAt = now;
			return undefined;
		}
		const heldSince = this.heldSince.get(name) ?? now;
		this.heldSince.set(name, heldSince);
		if (outage && now - heldSince >= brakeTiming.patienceMs) return outage;
		if (now - streak.probedAt >= brakeTiming.probeEveryMs) {
			streak.probedAt = now;
			return undefined;
		}
		return outage && isNew ? outage : 'wait';
	}

	/** A success, or a rejection, shows that the service works. */
	noteSuccess(endpoint: Endpoint): void {
		streaks.delete(this.nameOf(endpoint));
	}

	noteFailure(endpoint: Endpoint, failure: ServiceError): void {
		if (failure.kind === 'rejected') this.noteSuccess(endpoint);
		if (failure.kind !== 'unavailable' && !failure.mayHaveActed) return;
		const name = this.nameOf(endpoint);
		const now = performance.now();
		const known = streaks.get(name);
		const isRecent = known && now - known.lastAt < brakeTiming.forgetAfterMs;
		const first = { failures: 0, begunAt: now, outages: 0, outageAt: now, since: Date.now() };
		const before = isRecent ? known : first;
		const isOut = isOutage(failure);
		const { status, code = 'no response' } = failure.facts;
		streaks.set(name, {
			...before,
			failures: before.failures + 1,
			outages: before.outages + (isOut ? 1 : 0),
			outageAt: before.outages === 0 ? now : before.outageAt,
			lastAt: now,
			probedAt: now,
			failure: status === undefined ? code : `HTTP ${status}`,
		});
	}

	private nameOf({ surface, isRead }: Endpoint): string {
		return `${this.account} ${surface} ${isRead ? 'reads' : 'sends'}`;
	}

	private toError({ method, surface, path }: Endpoint, { since, failure }: Streak): ServiceError {
		const clock = new Date(toWallTime(since, this.timeZone)).toISOString().slice(11, 16);
		return new ServiceError('unavailable', {
			...{ request: `${method} /${surface}${path}`, code: 'heldBack', mayHaveActed: false },
			...{ since: new Date(since).toISOString(), failing: `since ${clock} (${failure})` },
		});
	}
}
