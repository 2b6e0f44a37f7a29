import type { IDataObject } from 'n8n-workflow';

import { Chance } from './chance';
import { nodeNames } from './process';
import { fallsBackAt, forbidden } from './service';
import * as plain from './world';
import type {
	ClockSetting,
	Moment,
	NumberForm,
	Outage,
	ReadPlan,
	Response,
	Retry,
	Row,
	SendPlan,
	Start,
	Traits,
	World,
} from './world';

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

/** How people write a number of seven digits, and the digits that it means. */
const notations: Array<(n: string) => [to: string, digits: string]> = [
	(n) => [`0979${n}`, `95979${n}`],
	(n) => [`95979${n}`, `95979${n}`],
	(n) => [`+95 979 ${n}`, `95979${n}`],
	(n) => [`+65 9${n}`, `659${n}`],
	(n) => [`+44 7911 ${n.slice(1)}`, `447911${n.slice(1)}`],
	(n) => [`+44 07911 ${n.slice(1)}`, `447911${n.slice(1)}`],
];

/** In Yangon and in UTC, half a minute before. */
const midnights = [Date.UTC(2030, 0, 15, 17, 29, 30), Date.UTC(2030, 0, 15, 23, 59, 30)];

/** In days, and minutes after the beginning: a retry may come later. */
const scheduledTimes = ['2030-01-20T10:00:00', '2030-01-16T09:35:00', '2030-01-16T09:31:00'];

interface About {
	isBulk: boolean;
	isWaiting: boolean;
	/** Client References. */
	referring: 'none' | 'own' | 'equal';
}

/** The world of a seed. */
export function draw(seed: number): World {
	const chance = new Chance(~seed);
	const world = drawPlain(seed);
	if (chance.is(0.005) && !world.node.includes('Wait')) return crowd(chance, world);
	return onMachine(chance, ofService(chance, world));
}

/** Services that differ in what the others do not draw, and outages that several executions meet. */
function ofService(chance: Chance, world: World): World {
	const { service, executions, node } = world;
	const isStopped = (start: Start) => start.stop !== undefined && chance.is(0.7);
	// Campaigns say the same to everybody.
	const isOneText = chance.is(0.12);
	const drawn: World = {
		...world,
		rows: isOneText ? world.rows.map((row) => ({ ...row, text: 'Hello to all' })) : world.rows,
		scheduledUntilMs: chance.is(0.3) ? chance.between(1, 120) * 1000 : world.scheduledUntilMs,
		service: {
			...service,
			...(chance.is(0.04) && { noReference: 'own' as const }),
			...(chance.is(0.04) && { ids: 'upper' as const }),
		},
		executions: executions.map((one, n) => ({
			...one,
			isRetriedStopped: isStopped(one),
			isOtherAccount: n > 0 && chance.is(0.1),
		})),
	};
	if (!chance.is(0.04) || node.includes('Wait')) return drawn;
	const outage: Outage = {
		fromMs: chance.pick([0, 0, 2_000, 30_000]),
		forMs: chance.pick([2_000, 90_000, 900_000]),
		of: chance.choose({ all: 3, sends: 3, reads: 1 }),
		response: chance.pick([503, 503, 502, 504, 500, 'none', 'refused', 'cut']),
	};
	const starts = Array.from({ length: chance.between(2, 5) }, (_, n): Start => {
		const atMs = n === 0 ? 0 : chance.pick([100, 20_000, 90_000, 300_000, 1_000_000]);
		return { ...plain.plainStart, atMs, process: chance.is(0.8) ? 0 : 1 };
	});
	return { ...drawn, outages: [outage], executions: starts };
}

/** The machine sleeps, its date is wrong, or what happens meets midnight or the end of daylight saving time. */
function onMachine(chance: Chance, world: World): World {
	const { options, service } = world;
	if (chance.is(0.04)) {
		const forMs = chance.pick([20_000, 300_000, 3_700_000, 30_100_000]);
		return { ...world, sleeps: [{ atMs: chance.between(1, 600) * 100, forMs }] };
	}
	if (chance.is(0.03)) {
		const days = chance.pick([-30, -2, -1, 1, 2, 30]);
		return { ...world, clock: [{ atMs: 0, aheadMs: days * 86_400_000 }] };
	}
	if (!chance.is(0.04)) return world;
	// Times that are written for the morning.
	const morning = ['scheduledAt', 'sendWindow'];
	const others = Object.entries(options).filter(([name]) => !morning.includes(name));
	const beginsAt = chance.pick([...midnights, fallsBackAt - chance.between(1, 100) * 1000]);
	const isThere = beginsAt > midnights[1];
	return {
		...world,
		...{ beginsAt, options: Object.fromEntries(others) },
		...(isThere && {
			serviceTimeZone: 'Europe/Berlin',
			service: { ...service, zoneMinutes: 'Europe/Berlin' },
		}),
	};
}

/**
 * A busy service whose clock is behind and unknown: what it lists late is on the second page, and the first one seems
 * older than the doubt.
 */
function crowd(chance: Chance, { rows, ...world }: World): World {
	const { plainTraits, plainSend } = plain;
	const lost = { ...plainSend, response: 'cut' as const };
	const slow = { clockMs: -chance.between(100, 800) * 1000, hasDate: false };
	const abroad = { to: '+65 91990000', numbers: ['6591990000'], text: 'Hello abroad' };
	const [{ ref, key }] = rows;
	return {
		...world,
		rows: [
			{ ...abroad, ...(ref !== undefined && { ref }), ...(key && { key }) },
			...rows.slice(0, 3),
		],
		service: { ...plainTraits, ...slow, newer: 1_500 },
		sends: [{ ...lost, listsAfterMs: chance.between(20, 50) * 1000, times: chance.between(1, 4) }],
		reads: [],
		clock: [],
	};
}

/** With its dimensions in the order in which a workflow meets them. */
function drawPlain(seed: number): World {
	const chance = new Chance(seed);
	const node = nodeNames[chance.weigh([45, 42, 7, 6])];
	const isWaiting = node.includes('Wait');
	const isBulk = node === 'SmsBulkSend';
	const referring = isBulk || isWaiting ? 'none' : chance.choose({ none: 5, own: 3, equal: 2 });
	const about = { isBulk, isWaiting, referring };
	const isOutage = chance.is(0.08);
	const size = isOutage && chance.is(0.3) ? chance.between(35, 45) : drawSize(chance);
	const rows = drawRows(chance, isWaiting ? 1 : size, referring);
	const limits = drawLimits(chance, about, rows);
	const isReport = limits.whenOutcomeUnknown === 'report';
	return {
		seed,
		...{ beginsAt: plain.plainWorld.beginsAt, outages: [], sleeps: [] },
		scheduledUntilMs: plain.plainWorld.scheduledUntilMs,
		node,
		rows,
		passes: !isWaiting && chance.is(0.1) ? chance.between(2, 3) : 1,
		isTextChanging: chance.is(0.08),
		options: { ...drawOptions(chance, about), ...limits },
		optsOutAtMs: chance.is(0.5) ? chance.between(1, 120) * 1000 : 0,
		onError: chance.choose({ stopWorkflow: 5, continueRegularOutput: 4, continueErrorOutput: 2 }),
		tries: chance.is(0.45) ? 1 : chance.between(2, 5),
		waitBetweenTries: chance.pick([0, 1000, 5000]),
		serviceTimeZone: chance.choose({ 'Asia/Yangon': 92, UTC: 3, 'Asia/Bangkok': 3, 'GMT+6:30': 2 }),
		service: drawTraits(chance, node === 'SmsSendAndWait' ? 0.15 : 0.025),
		...drawPlans(chance, { isBulk, isOutage, isReport }),
		executions: drawExecutions(chance, isWaiting),
		clock: chance.is(0.06) ? [drawClock(chance)] : [],
		isListed: chance.is(0.1),
	};
}

function drawSize(chance: Chance): number {
	const [least, most] = [
		[1, 2],
		[3, 6],
		[7, 14],
		[15, 40],
	][chance.weigh([6, 5, 3, 1])];
	return chance.between(least, most);
}

/** Before and after each text. */
const spaces = [
	...Array.from({ length: 7 }, () => ''),
	...[' ', '\r\n', " & 'you' ", ' and a longer text than lists show '],
];

function drawRows(chance: Chance, size: number, referring: About['referring']): Row[] {
	const isEqual = chance.is(0.25);
	const wrong = chance.is(0.07) ? chance.between(0, size - 1) : -1;
	const rejected = chance.is(0.12) ? chance.between(0, size - 1) : -1;
	const space = chance.pick(spaces);
	const [senders, keys] = [chance.is(0.15), chance.is(0.04)];
	const isOfMany = size > 1 && chance.is(0.12);
	const rows: Row[] = [];
	for (let n = 0; n < size; n += 1) {
		const number = String(1_000_000 + chance.between(0, 4) * 10_000 + n);
		const [to, digits] = notations[chance.weigh([6, 3, 1, 2, 1, 0.5])](number);
		const refs = {
			none: undefined,
			own: `${chance.pick(['Order-', '00', ' A'])}${n + 1}`,
			equal: 'Order-1',
		};
		const text = `${n === rejected ? `${forbidden} ` : ''}${space}Hello ${n + 1}${space}`;
		const ref = refs[referring];
		const row: Row = {
			...(isOfMany && chance.is(0.5) ? alsoTo(to, digits, n) : { to, numbers: [digits] }),
			text,
			...(ref !== undefined && { ref }),
			...(senders && chance.is(0.5) && { from: 'Office' }),
			...(keys && { key: chance.pick(['key-of-a', 'key-of-b']) }),
		};
		const earlier = isEqual && rows.length > 0 && chance.is(0.4) ? chance.pick(rows) : row;
		if (n === wrong) rows.push({ ...row, to: 'nobody', numbers: [] });
		// Equal in all, or in the number alone.
		else
			rows.push(
				chance.is(0.6) ? { ...earlier } : { ...row, to: earlier.to, numbers: earlier.numbers },
			);
	}
	return rows;
}

/** A second recipient of an item. */
function alsoTo(to: string, digits: string, n: number): Pick<Row, 'to' | 'numbers'> {
	const other = String(1_500_000 + n);
	return { to: `${to}, 0979${other}`, numbers: [digits, `95979${other}`] };
}

function drawOptions(chance: Chance, { isBulk, isWaiting, referring }: About): IDataObject {
	const isSingle = !isBulk && !isWaiting;
	return {
		...(chance.is(0.1) && { timeout: chance.pick([2_000, 10_000, 60_000]) }),
		...(referring !== 'none' && { clientReference: '={{ $json.ref }}' }),
		...(isSingle && chance.is(0.08) && { scheduledAt: chance.pick(scheduledTimes) }),
		...(isSingle && chance.is(0.06) && { encrypt: true }),
		...(!isBulk && chance.is(0.04) && { test: true }),
		...(isSingle && chance.is(0.06) && { surface: 'http' }),
		...(!isWaiting && chance.is(0.4) && { parallelRequests: chance.pick([1, 2, 10]) }),
		...(isBulk && chance.is(0.5) && { recipientsPerRequest: chance.pick([1, 2, 3, 5, 10]) }),
		...(isBulk && chance.is(0.08) && { pauseBetweenRequests: chance.pick([200, 3_000]) }),
	};
}

/** Options that hold messages back. */
function drawLimits(
	chance: Chance,
	{ isBulk, isWaiting, referring }: About,
	rows: Row[],
): IDataObject {
	const [number = '959779999999'] = chance.pick(rows).numbers;
	const window = { days: ['wednesday'], from: '09:00', until: chance.pick(['18:00', '09:40']) };
	const ofMany = {
		...(chance.is(0.06) && { doNotSendTo: `+${number}` }),
		...(chance.is(0.08) && { skipDuplicates: true }),
		...((isBulk || referring !== 'none') && chance.is(0.2) && { skipIfAlreadySent: true }),
		...(chance.is(0.02) && { maxMessages: 5 }),
		...(chance.is(0.03) && { sendWindow: { window } }),
	};
	return {
		...(chance.is(0.25) && { whenOutcomeUnknown: 'report' }),
		...(chance.is(0.03) && { allowedCountryCodes: '95, 65' }),
		...(chance.is(0.02) && { maxParts: 3 }),
		...(!isWaiting && ofMany),
	};
}

function drawTraits(chance: Chance, busy: number): Traits {
	const isBusy = chance.is(busy);
	const isSlow = isBusy && chance.is(0.4);
	return {
		zoneMinutes: chance.pick([390, 0, 420, 270, 510, 330, -180].slice(0, chance.is(0.25) ? 7 : 1)),
		clockMs: isSlow
			? -400_000
			: chance.is(0.18)
				? chance.pick([20_000, -400_000, -400_000, 7_200_000, -7_200_000])
				: 0,
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
		noReference: chance.choose({ null: 1, empty: 1 }),
		ids: 'usual',
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

/** What the service does with the requests of a world: some failures, a series of one, or an outage. */
function drawPlans(
	chance: Chance,
	{ isBulk, isOutage, isReport }: { isBulk: boolean; isOutage: boolean; isReport: boolean },
): Pick<World, 'sends' | 'reads'> {
	const isLate = chance.is(0.15);
	const sends: SendPlan[] = [];
	for (let left = chance.weigh([0.5, 1.5, 3, 4, 4, 3, 2]); left > 0; left -= 1) {
		const again = chance.is(0.25) ? sends.at(-1)?.response : undefined;
		sends.push(drawSend(chance, { isBulk, isLate, isReport, again }));
	}
	const reads = Array.from({ length: [0, 1, 3][chance.weigh([4, 4, 2])] }, () => drawRead(chance));
	if (!isOutage) return { sends, reads };
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

interface Sending {
	isBulk: boolean;
	/** Later than the promise allows. */
	isLate: boolean;
	/** Then a rejection is awaited for a minute. */
	isReport: boolean;
	again?: Response;
}

function drawSend(chance: Chance, { isBulk, isLate, isReport, again }: Sending): SendPlan {
	const latencyMs = chance.pick([200, 200, 200, 2_000, 8_000]);
	const times = [1, chance.between(2, 4), 40][chance.weigh([7, 2, 1])];
	const listsAfterMs =
		[0, chance.between(1, 20), chance.between(20, 50)][chance.weigh([5, 2, 2])] * 1000;
	// Listed late, and else in order.
	if (again === undefined && chance.is(0.2))
		return { ...plain.plainSend, listsAfterMs, latencyMs, times };
	const drawn = sendFailures[chance.weigh(sendFailures.map(({ weight }) => weight))];
	const { response, acts } = sendFailures.find((one) => one.response === again) ?? drawn;
	const isRejection = plain.partlyAccepted.includes(response);
	const isShown = ['withoutIds', 'part', 'shuffled', 'cutBody'].includes(String(response));
	const isActing = chance.is(acts) && (isBulk || !isRejection);
	const longest = plain.timeOuts.includes(response) ? 105 : isRejection && !isReport ? 2 : 45;
	const isDelayed = isActing && !isShown && chance.is(0.4);
	const acceptsAfterMs = isDelayed ? chance.between(1, isLate ? 300 : longest) * 1000 : 0;
	// A part of the records is never sent again, however late history lists the rest.
	if (response === 'part' && chance.is(0.4))
		return {
			...plain.plainSend,
			response,
			listsAfterMs: chance.between(70, 150) * 1000,
			latencyMs,
		};
	const isListedInParts = isBulk && isActing && !isShown && chance.is(0.15);
	const latest = isLate ? 300_000 : Math.max(0, longest * 1000 - acceptsAfterMs);
	const asks = response === 429 ? 0.6 : typeof response === 'number' && response >= 500 ? 0.2 : 0;
	return {
		accepts: !isActing
			? 'none'
			: !isListedInParts && (isRejection || (isBulk && chance.is(0.35)))
				? 'some'
				: 'all',
		acceptsAfterMs,
		listsAfterMs: Math.min(isLate ? listsAfterMs * 4 : listsAfterMs, latest),
		isListedInParts,
		response,
		...(chance.is(asks) && { retryAfter: chance.pick([1, 5, 20, 60, 300]) }),
		latencyMs,
		times,
		...(isShown && { accepts: 'all' }),
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

function drawExecutions(chance: Chance, isWaiting: boolean): Start[] {
	return Array.from({ length: 1 + chance.weigh([6, 4, 1]) }, (_, n): Start => {
		const isFirst = n === 0;
		const moments = [
			0,
			chance.between(1, 30) * 100,
			chance.between(3, 60) * 1000,
			chance.between(2, 12) * 60_000,
		];
		return {
			atMs: isFirst ? 0 : moments[chance.weigh([1, 3, 3, 3])],
			workflow: isFirst || chance.is(0.6) ? 'A' : 'B',
			process: isFirst || chance.is(0.7) ? 0 : 1,
			kind: isFirst || chance.is(0.75) ? 'plain' : isWaiting || chance.is(0.3) ? 'tool' : 'dryRun',
			failsBefore: chance.is(0.14),
			isRetriedStopped: false,
			isOtherAccount: false,
			...(chance.is(0.05) && { stop: drawMoment(chance) }),
			...(chance.is(0.05) && { kill: drawMoment(chance) }),
			retries: Array.from({ length: chance.weigh([4, 3, 3, 1, 1]) }, (_, retry) =>
				drawRetry(chance, retry),
			),
		};
	});
}

/** The clock is set at some moment, perhaps within a doubt. */
function drawClock(chance: Chance): ClockSetting {
	const aheadMs = chance.pick([300_000, 3_600_000, -300_000, -3_600_000]);
	return { atMs: chance.between(1, 90) * 1000, aheadMs };
}

function drawMoment(chance: Chance): Moment {
	const afterMs = chance.pick([50, 50, 150, 1_000, chance.between(2, 60) * 1000]);
	return { request: chance.pick([1, 1, 2, chance.between(3, 10)]), afterMs };
}

function drawRetry(chance: Chance, n: number): Retry {
	return {
		of: chance.choose({ original: 1, last: 1 }),
		waitMs: chance.pick([chance.between(1, 30) * 1000, 90_000, chance.between(3, 20) * 60_000]),
		isAtOnce: n > 0 && chance.is(0.25),
		process: chance.is(0.75) ? 0 : chance.between(1, 2),
		input: chance.choose({ same: 4, reordered: 3, more: 2, fewer: 2, otherTexts: 1 }),
		isOtherAccount: chance.is(0.08),
	};
}
