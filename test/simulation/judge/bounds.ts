import type { Attempt, Request } from '../book';
import type { Invariant, Violation } from '../invariants';
import {
	count,
	groupBy,
	isClearlyRejected,
	isFailed,
	isSend,
	isTool,
	minute,
	wantedBy,
} from '../reading';

/* Each attempt ends, in time and with a bounded number of requests, and leaves nothing behind. */

/** Stop ends an attempt within a second. */
const longestStopMs = 1_100;

/** never-twice.md: in doubt "for a minute after the request (two after a time-out)", "in at most two requests per
 * attempt". */
const itEnds: Invariant = (world, { attempts, unhandled }) => {
	const { timeout = 30_000, pauseBetweenRequests = 0 } = world.options;
	const silent = unhandled.map((what) => ({ sign: '4 a rejection that nobody handles', what }));
	const late = attempts.flatMap((attempt): Violation[] => {
		const { state, begunAt, endedAt = 0, stoppedAt, requests, rows } = attempt;
		if (state === 'hung') return [{ sign: '4 never ends', what: '' }];
		if (stoppedAt && endedAt - stoppedAt > longestStopMs)
			return [{ sign: '4 Stop takes long', what: `${endedAt - stoppedAt} ms` }];
		const isAlone = attempts.every(
			(one) => one === attempt || one.begunAt > endedAt || (one.endedAt ?? 0) < begunAt,
		);
		// Equal messages are in doubt one after the other.
		const equal = groupBy(rows, ({ numbers: [to] }) => String(to));
		const turns = Math.max(1, ...[...equal.values()].map(({ length }) => length));
		const each = Number(timeout) + 3 * minute + Number(pauseBetweenRequests);
		const most = (turns + count(requests, isSend)) * each + (isTool(attempt) ? 2 * minute : 0);
		const what = `${(endedAt - begunAt) / minute} minutes, ${count(requests, isSend)} sends`;
		const isLong = isAlone && state !== 'killed' && endedAt - begunAt > most;
		return isLong ? [{ sign: '4 takes longer than its doubts', what }] : [];
	});
	return [...silent, ...late];
};

function mostInFlight({ requests }: Attempt): number {
	const changes = requests.flatMap(({ at, endedAt = Infinity }) => [
		{ at, by: 1 },
		{ at: endedAt, by: -1 },
	]);
	// At one moment, requests end before others begin.
	changes.sort((a, b) => a.at - b.at || a.by - b.by);
	let now = 0;
	return Math.max(0, ...changes.map(({ by }) => (now += by)));
}

/** "In at most two requests per attempt"; Parallel Requests; Retry-After, up to a minute; lookups of 16 at most. */
const fewRequests: Invariant = (world, { attempts, stored }) =>
	attempts.flatMap((attempt): Violation[] => {
		const { requests } = attempt;
		const broken = (sign: string, what: string) => [{ sign: `4 ${sign}`, what }];
		const wanted = wantedBy(world, attempt);
		const unclear = requests.filter((one) => isSend(one) && !isClearlyRejected(one));
		const sends = groupBy(
			unclear.flatMap(({ numbers }) => numbers),
			(to) => to,
		);
		const most = [...sends].find(([to, { length }]) => length > 2 * (wanted.get(to) ?? 1));
		if (most) return broken('more than two sends of a message', `${most[1].length} to ${most[0]}`);
		const limit = world.node.includes('Wait') ? 1 : Number(world.options.parallelRequests ?? 5);
		const crowd = mostInFlight(attempt);
		if (crowd > limit) return broken('over Parallel Requests', `${crowd} in flight`);
		const hasty = requests.find(({ at }) => requests.some((one) => asksToWait(one, at)));
		if (hasty) return broken('a request during Retry-After', `${hasty.kind} at ${hasty.at}`);
		const doubts = count(requests, (one) => isSend(one) && isFailed(one));
		const lookups = 16 * (doubts + 2) + 2;
		// Of 20 records each, where a service caps its pages, and five tries of each.
		const pages = Math.ceil((stored.length + world.service.newer + world.service.older) / 20);
		const reads = count(requests, (one) => !isSend(one));
		return reads > lookups * Math.max(25, pages) ? broken('reads too often', `${reads}`) : [];
	});

function asksToWait({ retryAfterMs = 0, endedAt = 0 }: Request, at: number): boolean {
	return at > endedAt && at < endedAt + Math.min(retryAfterMs, minute) - 1;
}

/** The node forgets a run once all of it is in the output; no timer and no request of it goes on. */
const nothingStays: Invariant = (world, { attempts, timersLeft }) => {
	const isForgotten = ({ kind, state, items, kept }: Attempt) =>
		kind !== 'plain' ||
		state !== 'returned' ||
		items.some(({ json }) => json.messageId === undefined) ||
		kept === 0;
	const isWaiting = world.node.includes('Wait') || world.passes > 1;
	const stays = attempts.find((one) => !isWaiting && !isForgotten(one));
	const stray = attempts.find(({ endedAt = Infinity, requests }) =>
		requests.some(({ at }) => at > endedAt),
	);
	return [
		...(timersLeft > 0 ? [{ sign: '4 timers stay', what: `${timersLeft} timers` }] : []),
		...(stays ? [{ sign: '4 memory stays', what: `${stays.kept} notes` }] : []),
		...(stray ? [{ sign: '4 requests after the end', what: '' }] : []),
	];
};

export const withinBounds: Invariant[] = [itEnds, fewRequests, nothingStays];
