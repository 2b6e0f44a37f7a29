import type { Chance } from './chance';
import * as plain from './world';
import type { NumberForm, ReadPlan, Response, SendPlan, Traits, World } from './world';

/* What the service of a world is like, and what it does with requests. */

/** How often a service answers a send so, and how often it acts on the request all the same. */
const sendFailures = readTable(`
	cut 10 0.6, cutBody 5 1, none 8 0.6, refused 3 0, garbage 3 0.5, redirect 3 0, withoutIds 3 1, part 4 1,
	shuffled 3 1, 500 3 0.5, 502 6 0.5, 503 7 0.3, 504 3 0.6, 522 2 0.6, 524 3 0.6, 408 3 0.6, 429 6 0.35,
	400 8 0.35, 413 2 0.3, 422 2 0.3, 401 2 0, 402 1.5 0.35, 403 1.5 0.35`);
const readFailures = readTable(`
	500 3 0, 503 3 0, 429 2 0, 401 1 0, 403 1.5 0, 404 1.5 0, cut 2 0, none 1.5 0, garbage 1.5 0, redirect 1.5 0`);

function readTable(text: string) {
	return text.split(',').map((line) => {
		const [name, weight, acts] = line.trim().split(' ');
		const response = (/^\d+$/.test(name) ? Number(name) : name) as Response;
		return { response, weight: Number(weight), acts: Number(acts) };
	});
}

/** @param busy how often messages of others fill the pages of history */
export function drawTraits(chance: Chance, busy: number): Traits {
	const isBusy = chance.is(busy);
	const isSlow = isBusy && chance.is(0.4);
	const clocks = [20_000, -400_000, -400_000, 7_200_000, -7_200_000];
	return {
		zoneMinutes: chance.pick([390, 0, 420, 270, 510, 330, -180].slice(0, chance.is(0.25) ? 7 : 1)),
		clockMs: isSlow ? -400_000 : chance.is(0.18) ? chance.pick(clocks) : 0,
		hasDate: chance.is(isSlow ? 0.2 : 0.8),
		createdAt: chance.choose({ usual: 93, missing: 4, iso: 2, offset: 2 }),
		order: chance.choose({ newest: 93, oldest: 4, mixed: isBusy ? 20 : 3 }),
		paging: chance.choose({
			...{ usual: 90, fromZero: 2, twenty: 2, capped: 3, clamped: 2, stuck: 1, twins: 2 },
		}),
		filters: chance.choose({ usual: 96, ignored: 4 }),
		number: drawNumberForm(chance),
		responseNumber: drawNumberForm(chance),
		responseOrder: chance.choose({ usual: 95, reversed: 5 }),
		responseText: chance.choose({ usual: 97, other: 3 }),
		text: chance.choose({ usual: 90, trimmed: 3, cut: 2, escaped: 2, lineFeeds: 2, other: 4 }),
		sender: chance.choose({ usual: 92, upper: 4, other: 4 }),
		reference: chance.choose({ usual: 80, trimmed: 4, number: 4, lower: 8, missing: 4 }),
		noReference: chance.choose({ null: 12, empty: 12, own: 1 }),
		ids: chance.choose({ usual: 24, upper: 1 }),
		listsScheduled: chance.is(0.7),
		rejects: chance.choose({ byStatus: 2, inWords: 1, withData: 1, inStatus: 1 }),
		words: chance.pick(['Forbidden word', 'No "credit" in texts', 'Your balance is due: rejected']),
		older: isBusy ? chance.pick([1_500, 4_000]) : 0,
		newer: isBusy && chance.is(0.6) ? 1_500 : 0,
	};
}

function drawNumberForm(chance: Chance): NumberForm {
	const rare = { plus: 2, national: 2, masked: 3, bare: 2, short: 1, missing: 2 };
	return chance.choose({ usual: 88, ...rare });
}

interface Sending {
	isBulk: boolean;
	isOutage: boolean;
	/** Then a rejection is awaited for a minute. */
	isReport: boolean;
}

/** What the service does with the requests of a world: some failures, a series of one, or an outage. */
export function drawPlans(chance: Chance, about: Sending): Pick<World, 'sends' | 'reads'> {
	// Each request is accepted, after the time-out.
	if (chance.is(0.03)) {
		const latencyMs = chance.pick([31_000, 50_000, 62_000]);
		return { sends: [{ ...plain.plainSend, latencyMs, times: 1_000 }], reads: [] };
	}
	const isLate = chance.is(0.1);
	const sends: SendPlan[] = [];
	for (let left = chance.weigh([0.5, 1.5, 3, 4, 4, 3, 2]); left > 0; left -= 1) {
		const again = chance.is(0.25) ? sends.at(-1)?.response : undefined;
		sends.push(drawSend(chance, about, isLate, again));
	}
	const reads = Array.from({ length: [0, 1, 3][chance.weigh([4, 4, 2])] }, () => drawRead(chance));
	if (!about.isOutage) return { sends, reads };
	const outage = { response: chance.pick([503, 503, 502, 500]), latencyMs: 200 };
	const asks = chance.is(0.3) && { retryAfter: chance.pick([5, 60]) };
	const times = chance.pick([3, 10, 40]);
	const dead: SendPlan = { ...plain.plainSend, ...outage, ...asks, accepts: 'none', times };
	const unread = { ...outage, ...asks, times: 60 };
	return {
		sends: [...sends.slice(0, chance.between(0, 1)), dead],
		reads: chance.is(0.5) ? [unread] : reads,
	};
}

/**
 * @param isLate whether the service lists messages later than the nodes expect
 * @param again a response that comes several times
 */
function drawSend(
	chance: Chance,
	{ isBulk, isReport }: Sending,
	isLate: boolean,
	again?: Response,
): SendPlan {
	const latencyMs = chance.pick([200, 200, 200, 2_000, 8_000]);
	const times = [1, chance.between(2, 4), 40][chance.weigh([7, 2, 1])];
	const delays = [0, chance.between(1, 20), chance.between(20, 50)];
	const listsAfterMs = delays[chance.weigh([5, 2, 2])] * 1000;
	// Listed late, and else in order.
	if (again === undefined && chance.is(0.2))
		return { ...plain.plainSend, listsAfterMs, latencyMs, times };
	const drawn = sendFailures[chance.weigh(sendFailures.map(({ weight }) => weight))];
	const { response, acts } = sendFailures.find((one) => one.response === again) ?? drawn;
	const isRejection = plain.partlyAccepted.includes(response);
	const isShown = ['withoutIds', 'part', 'shuffled', 'cutBody'].includes(String(response));
	const isActing = chance.is(acts) && (isBulk || !isRejection);
	const longest = plain.timeOuts.includes(response) ? 118 : isRejection && !isReport ? 2 : 58;
	const isDelayed = isActing && !isShown && chance.is(0.4);
	const acceptsAfterMs = isDelayed ? chance.between(1, isLate ? 300 : longest) * 1000 : 0;
	// A part of the records is never sent again, however late history lists the rest.
	if (response === 'part' && chance.is(0.4))
		return { ...plain.plainSend, response, listsAfterMs: chance.between(70, 150) * 1000 };
	const isListedInParts = isBulk && isActing && !isShown && chance.is(0.15);
	const latest = isLate ? 300_000 : Math.max(0, longest * 1000 - acceptsAfterMs);
	const asks = response === 429 ? 0.6 : typeof response === 'number' && response >= 500 ? 0.2 : 0;
	const isPart = !isListedInParts && (isRejection || (isBulk && chance.is(0.35)));
	return {
		accepts: isShown ? 'all' : !isActing ? 'none' : isPart ? 'some' : 'all',
		acceptsAfterMs,
		listsAfterMs: Math.min(isLate ? listsAfterMs * 4 : listsAfterMs, latest),
		isListedInParts,
		response,
		...(chance.is(asks) && { retryAfter: chance.pick([1, 5, 20, 60, 300]) }),
		latencyMs,
		times,
	};
}

function drawRead(chance: Chance): ReadPlan {
	const latencyMs = chance.pick([100, 1_000, 5_000]);
	const times = [1, chance.between(2, 8), 60][chance.weigh([5, 4, 2])];
	if (chance.is(0.25)) return { ...plain.plainRead, latencyMs, times };
	const { response } = readFailures[chance.weigh(readFailures.map(({ weight }) => weight))];
	const isAsking = (response === 429 || response === 503) && chance.is(0.4);
	const asks = isAsking && { retryAfter: chance.pick([1, 20, 60]) };
	return { response: response as ReadPlan['response'], ...asks, latencyMs, times };
}
