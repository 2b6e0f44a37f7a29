import type { IDataObject } from 'n8n-workflow';

import { Chance } from './chance';
import { drawPlans, drawTraits } from './drawService';
import { nodeNames } from './process';
import { forbidden } from './service';
import * as plain from './world';
import type { ClockSetting, Moment, Outage, Retry, Row, Start, World } from './world';

/** How people write a number of seven digits, and the digits that it means. */
const notations: Array<(n: string) => [to: string, digits: string]> = [
	(n) => [`0979${n}`, `95979${n}`],
	(n) => [`95979${n}`, `95979${n}`],
	(n) => [`+95 979 ${n}`, `95979${n}`],
	(n) => [`+65 9${n}`, `659${n}`],
	(n) => [`+44 7911 ${n.slice(1)}`, `447911${n.slice(1)}`],
	(n) => [`+44 07911 ${n.slice(1)}`, `447911${n.slice(1)}`],
];

const day = 86_400_000;
const hour = 3_600_000;
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
	const isManual = new Chance(seed + 0.5e9).is(0.05);
	return { ...onMachine(chance, onOtherDays(chance, drawPlain(seed))), isManual };
}

/** The same list every day, outages that several executions meet, and one text for all. */
function onOtherDays(chance: Chance, world: World): World {
	const { node, options, rows } = world;
	if (node.includes('Wait')) return world;
	const isBulk = node === 'SmsBulkSend';
	const isOneText = chance.is(0.12);
	const drawn: World = {
		...world,
		rows: isOneText ? rows.map((row) => ({ ...row, text: 'Hello to all' })) : rows,
		yesterday: options.scheduledAt === undefined && chance.is(0.15),
		options: {
			...options,
			...(isBulk && options.skipIfAlreadySent && { lookBackHours: chance.pick([12, 48]) }),
		},
	};
	// n8n is restarted each night.
	if (isBulk && options.skipIfAlreadySent && chance.is(0.25)) {
		const starts = [0, 1, 2].map((n) => ({ ...plain.plainStart, atMs: n * day, process: n }));
		const usual = chance.is(0.6) && { service: plain.plainTraits, sends: [], reads: [] };
		return { ...drawn, ...usual, isTextChanging: false, executions: starts };
	}
	if (!chance.is(0.04)) return drawn;
	const outage: Outage = {
		fromMs: chance.pick([0, 0, 2_000, 30_000]),
		forMs: chance.pick([2_000, 90_000, 900_000]),
		of: chance.choose({ all: 3, sends: 3, reads: 1 }),
		response: chance.pick([503, 503, 502, 504, 500, 'none', 'refused', 'cut']),
	};
	const executions = Array.from({ length: chance.between(2, 5) }, (_, n): Start => {
		const atMs = n === 0 ? 0 : chance.pick([100, 20_000, 90_000, 300_000, 1_000_000]);
		return { ...plain.plainStart, atMs, process: chance.is(0.8) ? 0 : 1 };
	});
	return { ...drawn, outages: [outage], executions };
}

/** The clock of the machine is wrong, or what happens meets midnight. */
function onMachine(chance: Chance, world: World): World {
	if (chance.is(0.03))
		return { ...world, clock: [{ atMs: 0, aheadMs: chance.pick([-8, -1, 1, 8]) * hour }] };
	if (!chance.is(0.04)) return world;
	// Times that are written for the morning.
	const others = Object.entries(world.options).filter(([name]) => name !== 'scheduledAt');
	return { ...world, beginsAt: chance.pick(midnights), options: Object.fromEntries(others) };
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
		...{ seed, node, rows, outages: [], yesterday: false, isManual: false },
		beginsAt: plain.plainWorld.beginsAt,
		passes: !isWaiting && chance.is(0.1) ? chance.between(2, 3) : 1,
		isTextChanging: chance.is(0.08),
		options: { ...drawOptions(chance, about), ...limits },
		onError: chance.choose({ stopWorkflow: 5, continueRegularOutput: 4, continueErrorOutput: 2 }),
		tries: chance.is(0.45) ? 1 : chance.between(2, 5),
		waitBetweenTries: chance.pick([0, 1000, 5000]),
		serviceTimeZone: chance.choose({ 'Asia/Yangon': 92, UTC: 3, 'Asia/Bangkok': 3, 'GMT+6:30': 2 }),
		service: drawTraits(chance, node === 'SmsSendAndWait' ? 0.15 : 0.025),
		...drawPlans(chance, { isBulk, isOutage, isReport }),
		executions: drawExecutions(chance, isWaiting),
		clock: chance.is(0.06) ? [drawClock(chance)] : [],
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
	const senders = chance.is(0.15);
	const isOfMany = size > 1 && chance.is(0.12);
	const rows: Row[] = [];
	for (let n = 0; n < size; n += 1) {
		const number = String(1_000_000 + chance.between(0, 4) * 10_000 + n);
		const [to, digits] = notations[chance.weigh([6, 3, 1, 2, 1, 0.5])](number);
		const own = `${chance.pick(['Order-', '00', ' A'])}${n + 1}`;
		const ref = { none: undefined, own, equal: 'Order-1' }[referring];
		const row: Row = {
			...(isOfMany && chance.is(0.5) ? alsoTo(to, digits, n) : { to, numbers: [digits] }),
			text: `${n === rejected ? `${forbidden} ` : ''}${space}Hello ${n + 1}${space}`,
			...(ref !== undefined && { ref }),
			...(senders && { from: chance.pick(['Office', undefined]) }),
		};
		const earlier = isEqual && rows.length > 0 && chance.is(0.4) ? chance.pick(rows) : row;
		// Equal in all, but for its sender, or in the number alone.
		const same = senders ? { ...earlier, from: chance.pick(['Office', undefined]) } : earlier;
		const equal = chance.is(0.6) ? same : { ...row, to: earlier.to, numbers: earlier.numbers };
		rows.push(n === wrong ? { ...row, to: 'nobody', numbers: [] } : { ...equal });
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
function drawLimits(chance: Chance, about: About, rows: Row[]): IDataObject {
	const { isBulk, isWaiting, referring } = about;
	const [number = '959779999999'] = chance.pick(rows).numbers;
	const ofMany = {
		...(chance.is(0.06) && { doNotSendTo: `+${number}` }),
		...(!chance.is(0.08) && { skipDuplicates: false }),
		...((isBulk || referring !== 'none') && chance.is(0.2) && { skipIfAlreadySent: true }),
		...(chance.is(0.02) && { maxMessages: 5 }),
	};
	return {
		...(chance.is(0.25) && { whenOutcomeUnknown: 'report' }),
		...(chance.is(0.03) && { allowedCountryCodes: '95, 65' }),
		...(!isWaiting && ofMany),
	};
}

function drawExecutions(chance: Chance, isWaiting: boolean): Start[] {
	return Array.from({ length: 1 + chance.weigh([6, 4, 1]) }, (_, n): Start => {
		const isFirst = n === 0;
		const moments = [
			...[0, chance.between(1, 30) * 100],
			...[chance.between(3, 60) * 1000, chance.between(2, 12) * 60_000],
		];
		return {
			atMs: isFirst ? 0 : moments[chance.weigh([1, 3, 3, 3])],
			workflow: isFirst || chance.is(0.6) ? 'A' : 'B',
			process: isFirst || chance.is(0.7) ? 0 : 1,
			kind: isFirst || chance.is(0.75) ? 'plain' : isWaiting || chance.is(0.3) ? 'tool' : 'dryRun',
			failsBefore: chance.is(0.14),
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
