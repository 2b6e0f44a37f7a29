import { Chance } from '../chance';
import {
	notations,
	plainPlan,
	type CodePlan,
	type CodeResponse,
	type CodeWorld,
	type Entry,
	type Person,
	type Settings,
	type Visit,
} from './world';
import type { Moment } from '../world';

/** How people write a number of seven digits. */
const phones: Array<(n: string) => string> = [
	(n) => `0979${n}`,
	(n) => `95979${n}`,
	(n) => `+95 979 ${n}`,
	(n) => `09-79${n.slice(0, 3)}-${n.slice(3)}`,
];
const mails = ['Ma.Ma+shop@Gmail.com', 'mama@googlemail.com', 'mama@gmail.com'];
const wrongNumbers = ['', undefined, '0979', '+65 91234567', 'ma@', '=1', 12.5];
const failures: Array<[CodeResponse, weight: number, acts: number]> = [
	...([
		['cut', 8, 0.6],
		['none', 6, 0.6],
		['refused', 4, 0],
		['cutBody', 6, 1],
	] as const),
	...([
		['garbage', 4, 0.4],
		['redirect', 4, 0],
		['odd', 12, 1],
		['rejected', 5, 0],
	] as const),
	...([
		[500, 3, 0.5],
		[503, 5, 0.4],
		[504, 2, 0.6],
		[408, 2, 0.5],
		[429, 6, 0],
		[401, 2, 0],
	] as const),
	...([
		[400, 4, 0],
		[403, 2, 0],
		[404, 2, 0],
		[405, 1, 0],
		[422, 2, 0],
		['otherId', 3, 1],
	] as const),
].map(([response, weight, acts]) => [response, weight, acts]);

/** The world of a seed. */
export function drawCodes(seed: number): CodeWorld {
	const chance = new Chance(seed ^ 0x5eed);
	const few = chance.is(0.5) ? 0.08 : 0.35;
	const crowd = chance.is(0.3) ? 2 : chance.between(2, 6);
	const numbers = Array.from({ length: crowd }, () => `100${chance.between(1000, 9999)}`);
	const visits = Array.from({ length: chance.between(1, chance.is(0.3) ? 12 : 4) }, () =>
		drawVisit(chance, numbers),
	);
	return {
		...{ kind: 'codes', seed },
		options: {
			...(chance.is(0.3) && { pinLength: chance.between(4, 8) }),
			...(chance.is(0.3) && { ttl: chance.pick([60, 300, 3600]) }),
			...(chance.is(0.2) && { maxInvalidAttempts: chance.between(1, 3) }),
		},
		request: drawSettings(chance),
		verify: drawSettings(chance),
		isExpected: chance.is(0.5),
		service: {
			id: chance.choose({ number: 6, text: 2, long: 2 }),
			number: chance.choose({ usual: 6, plus: 2, national: 2, masked: 1 }),
			status: chance.pick([200, 201]),
			date: chance.choose({ usual: 6, iso: 1, offset: 1 }),
			extra: chance.is(0.5) ? 0 : chance.between(1, 20),
			rejects: chance.is(0.5) ? 0 : chance.between(1, 20),
			isReusable: chance.is(0.05),
			shows: chance.choose({ nothing: 7, code: 2, token: 1 }),
		},
		requests: Array.from({ length: 14 }, () => drawPlan(chance, few)),
		checks: Array.from({ length: 14 }, () => drawPlan(chance, few)),
		visits,
		// Last, so that it changes no other draw.
		clock: chance.is(0.1) ? drawClock(chance) : [],
	};
}

/** A wrong clock, and when it is set right. */
function drawClock(chance: Chance): CodeWorld['clock'] {
	const hours = chance.pick([-48, -1, 1, 48]);
	const atMs = chance.between(0, 60_000);
	const setMs = chance.pick([20_000, 300_000, 4_000_000]);
	return [
		{ atMs, aheadMs: hours * 3_600_000 },
		{ atMs: atMs + setMs, aheadMs: 0 },
	];
}

function drawSettings(chance: Chance): Settings {
	return {
		onError: chance.choose({ stopWorkflow: 5, continueRegularOutput: 3, continueErrorOutput: 2 }),
		tries: chance.is(0.5) ? 1 : chance.between(2, 4),
		waitBetweenTries: chance.pick([0, 1000, 5000]),
	};
}

function drawPlan(chance: Chance, few: number): CodePlan {
	const latencyMs = chance.between(50, 900);
	const shape = chance.between(0, 99);
	if (!chance.is(few)) return { ...plainPlan, latencyMs, shape };
	const [response, , acts] = failures[chance.weigh(failures.map(([, weight]) => weight))];
	return { response, acts: chance.is(acts), shape, latencyMs };
}

function drawVisit(chance: Chance, numbers: string[]): Visit {
	const times = { soon: 60_000, later: 30 * 60_000, tomorrow: 26 * 3_600_000 };
	const people = Array.from({ length: chance.is(0.6) ? 1 : chance.between(2, 6) }, () =>
		drawPerson(chance, numbers),
	);
	return {
		atMs: chance.between(0, times[chance.choose({ soon: 6, later: 4, tomorrow: 1 })]),
		process: chance.is(0.8) ? 0 : 1,
		people,
		pages: Array.from({ length: chance.between(0, 3) }, () => ({
			afterMs: chance.is(0.85) ? chance.between(1, 90) * 1000 : chance.between(5, 70) * 60_000,
			process: chance.is(0.85) ? 0 : 1,
			entries: drawEntries(chance, people.length),
			...drawMishaps(chance),
		})),
		...drawMishaps(chance),
	};
}

function drawMishaps(chance: Chance): { kill?: Moment; retries: number[] } {
	const moment = { request: chance.between(1, 3), afterMs: chance.pick([0, 100, 400]) };
	const waits = Array.from({ length: chance.between(0, 2) }, () =>
		chance.pick([0, 40_000, 700_000]),
	);
	return { ...(chance.is(0.06) && { kill: moment }), retries: chance.is(0.4) ? waits : [] };
}

function drawPerson(chance: Chance, numbers: string[]): Person {
	if (chance.is(0.06)) return { to: chance.pick(wrongNumbers), phone: '' };
	if (chance.is(0.12)) return { to: chance.pick(mails), phone: 'mama@gmail.com' };
	const n = chance.pick(numbers);
	return { to: chance.pick(phones)(n), phone: `95979${n}` };
}

function drawEntries(chance: Chance, people: number): Entry[] {
	const isAll = chance.is(0.7);
	return Array.from({ length: isAll ? people : chance.between(1, 6) }, (_, n) => ({
		person: isAll ? n : chance.between(0, people - 1),
		idOf: chance.choose({ own: 88, other: 9, unknown: 3 }),
		code: chance.choose({ own: 75, earlier: 5, other: 8, wrong: 12 }),
		notation: chance.is(0.6)
			? 'plain'
			: chance.pick(Object.keys(notations) as Array<Entry['notation']>),
		expected: chance.choose({ own: 84, other: 8, empty: 2, missing: 3, garbage: 3 }),
	}));
}
