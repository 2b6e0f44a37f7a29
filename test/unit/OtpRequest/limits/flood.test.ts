import { countCode, nameCode } from '../../../../nodes/OtpRequest/limits/countCode';
import type { Limits } from '../../../../nodes/OtpRequest/limits/rules';
import { LimitError } from '../../../../nodes/shared/n8n/errors';
import { rememberVerified } from '../../../../nodes/shared/n8n/verifiedCodes';

const defaults: Limits = {
	maxPerHour: 300,
	maxPerRange: 10,
	maxPerRecipient: 5,
	maxPerRecipientPerDay: 20,
	maxPerVisitor: 5,
	pauseSeconds: 30,
};

interface Flood {
	/** Requests per second. */
	rate: number;
	/** The visitor of a request, by a random number below 1. */
	from(random: number): string;
	/** Only to so many ranges of numbers. */
	ranges?: number;
}

const bots = (count: number, rate = 20): Flood => ({
	rate,
	from: (random) => `bot ${Math.floor(random * count)}`,
});

const pumping = { ...bots(10_000), ranges: 5 };

/** The same numbers in each run, below 1. */
function seeded() {
	let seed = 7;
	return () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

/** The figures of a whole hour need a minute of processor time. */
const minutes = Number(process.env.FLOOD_MINUTES ?? 4);
const warmHours = 1;
let runs = 0;

/**
 * One visitor every two seconds (60 % of them of 50,000 customers, half of them behind 200 shared mobile addresses) for some
 * hours, of whom 92 % enter their code within a minute. Then the flood begins.
 */
function play(flood?: Flood, { limits = {}, visitors = true } = {}) {
	runs += 1;
	const start = Date.now() + runs * 40 * 24 * 3_600_000;
	const random = seeded();
	const int = (below: number) => Math.floor(random() * below);
	const digits = (length: number) => String(int(10 ** length)).padStart(length, '0');
	const node = `flood ${runs}`;
	let requests = 0;
	const request = (to: string, visitor: string, at: number) => {
		const asks = visitors ? { visitor: `${node} ${visitor}` } : {};
		const range = `${node} range ${to.slice(0, -4)}`;
		const keys = { node, recipient: `${node} ${to}`, range, ...asks };
		try {
			countCode(keys, { ...defaults, ...limits }, at);
			const id = `${node} request ${(requests += 1)}`;
			nameCode(keys, at, id, at);
			return id;
		} catch (error) {
			if (error instanceof LimitError) return undefined;
			throw error;
		}
	};
	const honest = (at: number) => {
		const isCustomer = random() < 0.6;
		const to = isCustomer
			? `9597${String(10_000_000 + int(50_000) * 5557).slice(-8)}`
			: `959${digits(9)}`;
		const from =
			random() < 0.5
				? `mm${int(5)}.shared${int(40)}`
				: `mm${int(150)}.home${int(isCustomer ? 50_000 : 150_000)}`;
		return request(to, from, at);
	};
	const junk = (at: number, { ranges, from }: Flood) => {
		const to = ranges ? `9597${10_000 + int(ranges)}${digits(4)}` : `959${digits(9)}`;
		return request(to, from(random()), at);
	};
	const shares: Array<{ asked: number; sent: number }> = [];
	const sent = { honest: 0, junk: 0 };
	const entered = new Map<number, string[]>();
	for (let now = -warmHours * 3600; now < minutes * 60; now += 1) {
		const at = start + (now + warmHours * 3600) * 1000;
		for (const id of entered.get(now) ?? []) rememberVerified(id);
		entered.delete(now);
		const rate = now < 0 ? 0 : (flood?.rate ?? 0);
		const mine = int(rate + 1);
		for (let n = 0; n <= rate; n += 1) {
			if (n !== mine) {
				if (flood && junk(at + n, flood) !== undefined) sent.junk += 1;
				continue;
			}
			if (now % 2 === 0) continue;
			const id = honest(at + n);
			const enteredAt = now + 11 + Math.floor(50 * random() ** 2);
			const isEntered = random() < 0.92;
			if (id && isEntered) entered.set(enteredAt, [...(entered.get(enteredAt) ?? []), id]);
			if (now < 0) continue;
			const share = (shares[Math.floor(now / 60)] ??= { asked: 0, sent: 0 });
			share.asked += 1;
			if (id) share.sent += 1;
			if (id) sent.honest += 1;
		}
	}
	return { sent, percent: shares.map((share) => Math.round((100 * share.sent) / share.asked)) };
}

describe('who gets a code, with the default limits', () => {
	/** Codes that visitors requested and did not enter count as well. */
	const { maxPerHour } = defaults;

	test.each([
		['on a busy day, at one visitor every two seconds', undefined, 0],
		['during a flood of 20 a second from one address', bots(1), 5],
		['while five ranges of numbers are pumped', pumping, 50],
	])('%s: every visitor, in every minute', (_, flood, mostJunk) => {
		const { percent, sent } = play(flood);
		// A visitor of chance may ask twice within 30 seconds.
		expect(Math.min(...percent)).toBeGreaterThanOrEqual(98);
		expect(sent.junk).toBeLessThanOrEqual(mostJunk);
	});

	test('during a flood from 10,000 addresses: nobody new, once the ceiling is reached', () => {
		const { percent, sent } = play(bots(10_000));
		expect(percent.slice(1)).toEqual(percent.slice(1).map(() => expect.closeTo(0, -1)));
		expect(sent.junk).toBeLessThanOrEqual(maxPerHour);
	});

	test.each([
		['Visitor', bots(1), { visitors: false }, 100],
		['Max Codes per Visitor', bots(1), { limits: { maxPerVisitor: 0 } }, 100],
		['Max Codes to Similar Numbers', pumping, { limits: { maxPerRange: 0 } }, 100],
	])('without %s, a flood costs many times as much', (_, flood, without, leastJunk) => {
		expect(play(flood, without).sent.junk).toBeGreaterThan(leastJunk);
	});
});
