import type { IDataObject } from 'n8n-workflow';

import { Chance } from './chance';
import { forbidden } from './service';
import {
	plainRead,
	plainRetry,
	plainSend,
	plainStart,
	plainTraits,
	plainWorld,
	rejections,
	timeOuts,
	type Moment,
	type ReadPlan,
	type Response,
	type Retry,
	type Row,
	type SendPlan,
	type Start,
	type Traits,
	type World,
} from './world';

/** Client References. */
type Referring = 'none' | 'own' | 'equal';

const nodes = [
	[46, 'SmsSend'],
	[42, 'SmsBulkSend'],
	[6, 'SmsSendAndWait'],
	[6, 'SmsSendAndWaitForResponse'],
] as const;

/** A failure of a send, and how often the service acts on the request all the same. */
const sendFailures: ReadonlyArray<readonly [weight: number, response: Response, acts: number]> = [
	[10, 'cut', 0.6],
	[5, 'cutBody', 1],
	[8, 'none', 0.6],
	[3, 'refused', 0],
	[3, 'garbage', 0.5],
	[3, 'redirect', 0.3],
	[3, 'withoutIds', 1],
	[4, 'part', 1],
	[3, 'shuffled', 1],
	[3, 500, 0.5],
	[6, 502, 0.5],
	[7, 503, 0.3],
	[3, 504, 0.6],
	[2, 522, 0.6],
	[3, 524, 0.6],
	[3, 408, 0.6],
	[6, 429, 0],
	[7, 400, 0.25],
	[2, 413, 0.2],
	[2, 422, 0.2],
	[2, 401, 0],
	[1, 402, 0],
	[1, 403, 0],
];

const readFailures: ReadonlyArray<readonly [number, ReadPlan['response']]> = [
	[3, 500],
	[3, 503],
	[2, 429],
	[1, 403],
	[1, 404],
	[2, 'cut'],
	[1, 'none'],
	[1, 'garbage'],
	[1, 'redirect'],
];

const written: Array<(n: string) => [to: string, digits: string]> = [
	(n) => [`0979${n}`, `95979${n}`],
	(n) => [`95979${n}`, `95979${n}`],
	(n) => [`+95 979 ${n}`, `95979${n}`],
	(n) => [`+65 9${n}`, `659${n}`],
	(n) => [`+44 7911 ${n.slice(1)}`, `447911${n.slice(1)}`],
	(n) => [`+44 07911 ${n.slice(1)}`, `447911${n.slice(1)}`],
];

/** A world with the dimensions in the order in which a workflow meets them. */
export function draw(seed: number): World {
	const chance = new Chance(seed);
	// Numbers of neighbouring seeds must not resemble each other.
	for (let n = 0; n < 5; n += 1) chance.next();
	const node = chance.weigh(nodes);
	const isWaiting = node.includes('Wait');
	const isBulk = node === 'SmsBulkSend';
	const referring: Referring =
		isBulk || isWaiting
			? 'none'
			: chance.weigh([
					[5, 'none'],
					[3, 'own'],
					[2, 'equal'],
				]);
	const rows = drawRows(chance, isWaiting ? 1 : drawSize(chance), referring);
	const executions = drawExecutions(chance, isWaiting);
	return {
		...plainWorld,
		seed,
		node,
		rows,
		passes: isWaiting || !chance.is(0.1) ? 1 : chance.between(2, 3),
		isTextChanging: chance.is(0.08),
		options: drawOptions(chance, { isBulk, isWaiting, referring }),
		safeguards: drawSafeguards(chance, { isBulk, isWaiting, referring }, rows),
		onError: chance.weigh([
			[5, 'stopWorkflow'],
			[4, 'continueRegularOutput'],
			[2, 'continueErrorOutput'],
		]),
		tries: chance.is(0.45) ? 1 : chance.between(2, 5),
		waitBetweenTries: chance.pick([0, 1000, 5000]),
		serviceTimeZone: chance.weigh([
			[90, 'Asia/Yangon'],
			[3, 'UTC'],
			[3, 'Asia/Bangkok'],
			[4, 'GMT+6:30'],
		]),
		service: drawTraits(chance, node === 'SmsSendAndWait' ? 0.15 : 0.015),
		...drawPlans(chance, isBulk),
		executions,
	};
}

function drawSize(chance: Chance): number {
	return chance.weigh([
		[3, 1],
		[3, 2],
		[5, chance.between(3, 6)],
		[3, chance.between(7, 14)],
		[1, chance.between(15, 40)],
	]);
}

function drawRows(chance: Chance, size: number, referring: Referring): Row[] {
	const isEqual = chance.is(0.2);
	const wrong = chance.is(0.07) ? chance.between(0, size - 1) : -1;
	const rejected = chance.is(0.12) ? chance.between(0, size - 1) : -1;
	const spaced = chance.is(0.1) ? ' ' : '';
	const rows: Row[] = [];
	for (let n = 0; n < size; n += 1) {
		const [to, digits] = chance.weigh([
			[6, written[0]],
			[3, written[1]],
			[1, written[2]],
			[2, written[3]],
			[1, written[4]],
			[1, written[5]],
		])(String(1_000_000 + chance.between(0, 4) * 10_000 + n));
		const ref = {
			none: undefined,
			own: `${chance.pick(['Order-', '00', ' A'])}${n + 1}`,
			equal: 'Order-1',
		}[referring];
		const text = `${n === rejected ? `${forbidden} ` : ''}${spaced}Hello ${n + 1}${spaced}`;
		const row: Row = { to, numbers: [digits], text, ...(ref !== undefined && { ref }) };
		if (n === wrong) Object.assign(row, { to: 'nobody', numbers: [] });
		const earlier = rows.length > 0 ? chance.pick(rows) : undefined;
		if (isEqual && earlier && chance.is(0.4)) {
			rows.push(
				chance.is(0.6) ? { ...earlier } : { ...row, to: earlier.to, numbers: earlier.numbers },
			);
		} else rows.push(row);
	}
	return rows;
}

interface About {
	isBulk: boolean;
	isWaiting: boolean;
	referring: Referring;
}

function drawOptions(chance: Chance, { isBulk, isWaiting, referring }: About): IDataObject {
	const isScheduled = !isBulk && chance.is(0.06);
	return {
		...(chance.is(0.1) && { timeout: chance.pick([2_000, 10_000, 60_000]) }),
		...(referring !== 'none' && { clientReference: '={{ $json.ref }}' }),
		...(isScheduled && !isWaiting && { scheduledAt: '2030-01-20T10:00:00' }),
		...(!isBulk && chance.is(0.04) && { test: true }),
		...(!isBulk && !isWaiting && chance.is(0.06) && { surface: 'http' }),
		...(!isWaiting && chance.is(0.4) && { parallelRequests: chance.pick([1, 2, 10]) }),
		...(isBulk && chance.is(0.5) && { recipientsPerRequest: chance.pick([1, 2, 3, 5, 10]) }),
		...(isBulk && chance.is(0.08) && { pauseBetweenRequests: chance.pick([200, 3_000]) }),
	};
}

function drawSafeguards(
	chance: Chance,
	{ isBulk, isWaiting, referring }: About,
	rows: Row[],
): IDataObject {
	const canSkip = isBulk || referring !== 'none';
	const [first] = rows[chance.between(0, rows.length - 1)].numbers;
	const optedOut = first ? `+${first}` : '09779999999';
	const window = { days: ['wednesday'], from: '09:00', until: chance.pick(['18:00', '09:40']) };
	const ofMany = {
		...(chance.is(0.06) && { doNotSendTo: optedOut }),
		...(chance.is(0.08) && { skipDuplicates: true }),
		...(canSkip && chance.is(0.2) && { skipIfAlreadySent: true }),
		...(chance.is(0.02) && { maxMessages: 5 }),
		...(chance.is(0.03) && { sendWindow: { window } }),
		...(chance.is(0.02) && { refuseEmptyFields: true }),
	};
	return {
		...(chance.is(0.25) && { whenOutcomeUnknown: 'report' }),
		...(chance.is(0.03) && { allowedCountryCodes: '95, 65' }),
		...(chance.is(0.02) && { maxParts: 3 }),
		...(!isWaiting && ofMany),
	};
}

function drawTraits(chance: Chance, busy: number): Traits {
	const pick = <T>(usual: T, ...others: T[]) => (chance.is(0.07) ? chance.pick(others) : usual);
	return {
		...plainTraits,
		zoneMinutes: chance.weigh([
			[70, 390],
			[15, 0],
			[4, 420],
			[4, 270],
			[3, 510],
		]),
		clockMs: chance.weigh([
			[85, 0],
			[5, 20_000],
			[3, -400_000],
			[3, 7_200_000],
			[2, -7_200_000],
		]),
		hasDate: chance.is(0.85),
		createdAt: pick<Traits['createdAt']>('usual', 'missing', 'iso'),
		order: pick<Traits['order']>('newest', 'oldest'),
		number: pick<Traits['number']>('usual', 'plus', 'national'),
		text: pick<Traits['text']>('usual', 'trimmed', 'other'),
		sender: pick<Traits['sender']>('usual', 'upper', 'other'),
		reference: chance.is(0.15)
			? chance.pick(['trimmed', 'number', 'lower', 'missing'] as const)
			: 'usual',
		listsScheduled: chance.is(0.7),
		rejects: chance.pick(['byStatus', 'inWords']),
		older: chance.is(busy) ? chance.pick([1_500, 4_000]) : 0,
	};
}

function drawPlans(chance: Chance, isBulk: boolean): Pick<World, 'sends' | 'reads'> {
	const isLate = chance.is(0.15);
	const sends: SendPlan[] = [];
	const size = chance.weigh([
		[1, 0],
		[3, 1],
		[4, 2],
		[4, 3],
		[3, 4],
		[2, 6],
	]);
	while (sends.length < size) {
		const plan = drawSend(chance, isBulk, isLate);
		// Failures come in series.
		const [response] = chance.is(0.25) ? sends.slice(-1).map((one) => one.response) : [];
		sends.push(response === undefined ? plan : { ...plan, response });
	}
	const reads = Array.from(
		{
			length: chance.weigh([
				[6, 0],
				[3, 1],
				[1, 3],
			]),
		},
		() => drawRead(chance),
	);
	if (!chance.is(0.08)) return { sends, reads };
	const outage = { response: chance.pick([503, 503, 502, 500]), latencyMs: 200 };
	const asks = chance.is(0.3) && { retryAfter: chance.pick([5, 60]) };
	const dead = {
		...plainSend,
		...outage,
		...asks,
		accepts: 'none' as const,
		times: chance.pick([3, 10, 40]),
	};
	const unread = chance.is(0.5) ? [{ ...outage, ...asks, times: 60 }] : reads;
	return { sends: [...sends.slice(0, chance.between(0, 1)), dead], reads: unread };
}

function drawSend(chance: Chance, isBulk: boolean, isLate: boolean): SendPlan {
	const latencyMs = chance.weigh([
		[6, 200],
		[2, 2_000],
		[1, 8_000],
	]);
	const listsAfterMs = chance.weigh([
		[5, 0],
		[2, chance.between(1, 20) * 1000],
		[2, chance.between(20, 50) * 1000],
	]);
	const times = chance.weigh([
		[7, 1],
		[2, chance.between(2, 4)],
		[1, 40],
	]);
	// Slow or listed late, and else in order.
	if (chance.is(0.2)) return { ...plainSend, listsAfterMs, latencyMs, times };
	const [response, acts] = chance.weigh(
		sendFailures.map(([weight, ...rest]) => [weight, rest] as const),
	);
	const isRejection = rejections.includes(response);
	const isActing = chance.is(acts) && (isBulk || !isRejection);
	const accepts = !isActing ? 'none' : isRejection || (isBulk && chance.is(0.35)) ? 'some' : 'all';
	const isShown = ['withoutIds', 'part', 'shuffled', 'cutBody'].includes(String(response));
	const longest = timeOuts.includes(response) ? 105 : 45;
	const isDelayed = isActing && !isShown && chance.is(0.4);
	const acceptsAfterMs = isDelayed ? chance.between(1, isLate ? 300 : longest) * 1000 : 0;
	const latest = Math.max(0, longest * 1000 - acceptsAfterMs);
	const plan: SendPlan = {
		accepts: isShown ? 'all' : accepts,
		acceptsAfterMs: isRejection ? Math.min(acceptsAfterMs, 2_000) : acceptsAfterMs,
		listsAfterMs: isLate ? listsAfterMs * 4 : isRejection ? 0 : Math.min(listsAfterMs, latest),
		response,
		latencyMs,
		times,
	};
	const asks = response === 429 ? 0.6 : typeof response === 'number' && response >= 500 ? 0.2 : 0;
	return chance.is(asks) ? { ...plan, retryAfter: chance.pick([1, 5, 20, 60, 300]) } : plan;
}

function drawRead(chance: Chance): ReadPlan {
	const latencyMs = chance.pick([100, 1_000, 5_000]);
	const times = chance.weigh([
		[5, 1],
		[4, chance.between(2, 8)],
		[2, 60],
	]);
	if (chance.is(0.25)) return { ...plainRead, latencyMs, times };
	const response = chance.weigh(readFailures);
	const isAsking = response === 429 || response === 503;
	return {
		response,
		latencyMs,
		times,
		...(isAsking && chance.is(0.4) && { retryAfter: chance.pick([1, 20, 60]) }),
	};
}

function drawExecutions(chance: Chance, isWaiting: boolean): Start[] {
	const count = chance.weigh([
		[6, 1],
		[4, 2],
		[1, 3],
	]);
	return Array.from({ length: count }, (_, n): Start => {
		const isFirst = n === 0;
		const gap = chance.weigh([
			[2, 0],
			[3, chance.between(1, 30) * 100],
			[2, chance.between(3, 60) * 1000],
			[3, chance.between(2, 12) * 60_000],
		]);
		return {
			...plainStart,
			atMs: isFirst ? 0 : gap,
			workflow: isFirst || chance.is(0.6) ? 'A' : 'B',
			process: isFirst || chance.is(0.7) ? 0 : 1,
			kind: isFirst || chance.is(0.75) ? 'plain' : isWaiting || chance.is(0.3) ? 'tool' : 'dryRun',
			failsBefore: chance.is(0.12),
			...(chance.is(0.05) && { stop: drawMoment(chance) }),
			...(chance.is(0.05) && { kill: drawMoment(chance) }),
			retries: drawRetries(chance),
		};
	});
}

function drawMoment(chance: Chance): Moment {
	const afterMs = chance.weigh([
		[3, 50],
		[2, 150],
		[2, 1_000],
		[3, chance.between(2, 60) * 1000],
	]);
	return {
		request: chance.weigh([
			[3, 1],
			[2, 2],
			[2, chance.between(3, 10)],
		]),
		afterMs,
	};
}

function drawRetries(chance: Chance): Retry[] {
	const count = chance.weigh([
		[4, 0],
		[3, 1],
		[3, 2],
		[1, 3],
		[1, 4],
	]);
	return Array.from(
		{ length: count },
		(_, n): Retry => ({
			...plainRetry,
			of: chance.is(0.5) ? 'original' : 'last',
			waitMs: chance.weigh([
				[3, chance.between(1, 30) * 1000],
				[2, 90_000],
				[2, chance.between(3, 15) * 60_000],
			]),
			isAtOnce: n > 0 && chance.is(0.25),
			process: chance.is(0.75) ? 0 : chance.between(1, 2),
			input: chance.weigh([
				[4, 'same'],
				[3, 'reordered'],
				[2, 'more'],
				[2, 'fewer'],
				[1, 'otherTexts'],
			]),
			isOtherAccount: chance.is(0.03),
		}),
	);
}
