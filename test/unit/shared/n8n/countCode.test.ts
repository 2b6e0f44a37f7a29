import { countCode, countVerified, type Keys } from '../../../../nodes/shared/n8n/countCode';
import { otpOptions } from '../../../../nodes/OtpRequest/otpOptions';
import { attempt } from '../../../../nodes/shared/n8n/items';
import { LimitError } from '../../../../nodes/shared/n8n/errors';

const second = 1000;
const minute = 60 * second;
const off = {
	...{ maxOpen: 0, maxOpenPerRange: 0, maxOpenPerVisitor: 0, maxPerHour: 0 },
	...{ maxPerRecipient: 0, maxPerRecipientPerDay: 0, pauseSeconds: 0 },
};

let node = 0;
const keysOf = (recipient = 'somebody', ofNode = node) => ({
	node: `node ${ofNode}`,
	recipient: `node ${ofNode} ${recipient}`,
});

/** 0 if the code was counted. */
function secondsToWait(now: number, limits: Partial<typeof off>, keys: Keys = keysOf()): number {
	try {
		countCode(keys, { ...off, ...limits }, now);
		return 0;
	} catch (error) {
		if (error instanceof LimitError) return error.retryAfterSeconds;
		throw error;
	}
}

describe('the limits of codes', () => {
	// Later than all that was counted before, so that nothing of it counts any more.
	let now = Date.now();
	beforeEach(() => {
		node += 1;
		now += 49 * 60 * minute;
	});

	test('ask for the pause to the second', () => {
		const limits = { pauseSeconds: 30 };
		expect(secondsToWait(now, limits)).toBe(0);
		expect(secondsToWait(now + 1, limits)).toBe(30);
		expect(secondsToWait(now + 29_999, limits)).toBe(1);
		expect(secondsToWait(now + 30_000, limits)).toBe(0);
		expect(secondsToWait(now + 30_001, limits)).toBe(30);
	});

	test('let as many codes through in any 10 minutes as they say', () => {
		const limits = { maxPerRecipient: 3 };
		const times = [0, 4 * minute, 8 * minute];
		expect(times.map((time) => secondsToWait(now + time, limits))).toEqual([0, 0, 0]);
		expect(secondsToWait(now + 9 * minute, limits)).toBe(60);
		expect(secondsToWait(now + 10 * minute, limits)).toBe(0);
		expect(secondsToWait(now + 10 * minute + 1, limits)).toBe(4 * 60);
	});

	test('name the longest wait when several are reached', () => {
		const limits = { maxPerRecipient: 1, pauseSeconds: 30 };
		secondsToWait(now, limits);
		expect(secondsToWait(now, limits)).toBe(600);
	});

	test('let as many codes through in any 24 hours as they say', () => {
		const limits = { maxPerRecipientPerDay: 3 };
		const hour = 60 * minute;
		const times = [0, 10 * hour, 23 * hour];
		expect(times.map((time) => secondsToWait(now + time, limits))).toEqual([0, 0, 0]);
		expect(secondsToWait(now + 24 * hour - second, limits)).toBe(1);
		expect(secondsToWait(now + 24 * hour, limits)).toBe(0);
		expect(secondsToWait(now + 24 * hour + 1, limits)).toBe(10 * 3600);
		expect(secondsToWait(now + 24 * hour + 1, limits, keysOf('another'))).toBe(0);
	});

	test('say long waits in hours', () => {
		const limits = { ...off, maxPerRecipientPerDay: 1 };
		countCode(keysOf(), limits, now);
		expect(() => countCode(keysOf(), limits, now)).toThrow(
			expect.objectContaining({
				message: 'No code was sent: this recipient got 1 code in the last 24 hours',
				hint: expect.stringMatching(/in 24 hours\. .*Max Codes per Recipient per Day/),
				retryAfterSeconds: 86_400,
			}),
		);
	});

	test('count all recipients of a node together by the hour', () => {
		const limits = { maxPerHour: 2 };
		const ask = (recipient: string, at: number) =>
			secondsToWait(now + at, limits, keysOf(recipient));
		expect([ask('a', 0), ask('b', minute), ask('c', 2 * minute)]).toEqual([0, 0, 58 * 60]);
		expect(ask('c', 60 * minute)).toBe(0);
	});

	test('count each recipient and each node for itself', () => {
		const limits = { maxPerRecipient: 1 };
		expect(secondsToWait(now, limits, keysOf('a'))).toBe(0);
		expect(secondsToWait(now, limits, keysOf('b'))).toBe(0);
		expect(secondsToWait(now, limits, keysOf('a', node + 1))).toBe(0);
		expect(secondsToWait(now, limits, keysOf('a'))).toBe(600);
		node += 1;
	});

	test('do not count a code that was canceled, or anything rejected', () => {
		const limits = { ...off, maxPerRecipient: 1, maxPerRecipientPerDay: 1, maxPerHour: 1 };
		const { undo } = countCode(keysOf(), limits, now);
		for (let n = 0; n < 100; n += 1) expect(secondsToWait(now + 1, limits)).toBe(86_400);
		undo();
		expect(secondsToWait(now + 2, limits)).toBe(0);
	});

	test('say what happened, how long to wait, and which option it is', () => {
		const limits = { ...off, pauseSeconds: 30 };
		countCode(keysOf(), limits, now);
		expect(() => countCode(keysOf(), limits, now)).toThrow(
			expect.objectContaining({
				message: 'No code was sent: this recipient got a code a moment ago',
				hint: expect.stringMatching(/in 30 seconds\. .*Pause \(Seconds\)/),
			}),
		);
	});

	test('let nobody through who cannot be counted, and hold little memory until then', () => {
		const limits = { maxPerRecipientPerDay: 20 };
		global.gc?.();
		const before = process.memoryUsage().heapUsed;
		for (let n = 0; n < 500_000; n += 1) {
			countCode(keysOf(`of the day ${n}`), { ...off, ...limits }, now + n);
		}
		expect(process.memoryUsage().heapUsed - before).toBeLessThan(275_000_000);
		const full = now + 500_000;
		expect(secondsToWait(full, limits, keysOf('one too many'))).toBe(24 * 3600 - 500);
		expect(secondsToWait(full, limits, keysOf('of the day 7'))).toBe(0);
		expect(secondsToWait(full, off, keysOf('one too many'))).toBe(0);
		expect(secondsToWait(now + 25 * 60 * minute, limits, keysOf('one too many'))).toBe(0);
	}, 60_000);

	describe('of open codes', () => {
		/** @returns verifies the code */
		const send = (to: string, limits: Partial<typeof off>, at = now, more: Partial<Keys> = {}) => {
			const counted = countCode({ ...keysOf(to), ...more }, { ...off, ...limits }, at);
			counted.issue(`node ${node} ${to} ${at}`);
			return (then = at) => countVerified(`node ${node} ${to} ${at}`, then);
		};

		test.each([
			['maxOpen', {}, /^No code was sent: too many codes of the last hour were not verified/],
			['maxOpenPerVisitor', { visitor: 'v' }, /of this visitor were not verified/],
			['maxOpenPerRange', { range: 'r' }, /codes to similar numbers were not verified/],
		])('stop at %s, and say so', (option, more, sentence) => {
			const limits = { ...off, [option]: 2 };
			for (const to of ['a', 'b']) send(to, limits, now, more);
			expect(() => send('c', limits, now, more)).toThrow(
				expect.objectContaining({
					message: expect.stringMatching(sentence),
					hint: expect.stringMatching(
						/^Nothing was charged\. Try again in 60 seconds: each verified/,
					),
					retryAfterSeconds: 60,
					field: option,
				}),
			);
			expect(secondsToWait(now + 60 * minute, limits, { ...keysOf('c'), ...more })).toBe(0);
			node += 1;
		});

		test('make room once verified, and half a place more for others, one for the visitor', () => {
			const limits = { maxOpen: 2, maxOpenPerVisitor: 2 };
			const [first, second] = ['a', 'b'].map((to) => send(to, limits, now, { visitor: 'v' }));
			const ask = (to: string, visitor: string) =>
				secondsToWait(now, limits, { ...keysOf(to), visitor });
			expect(ask('c', 'v')).toBe(60);
			first();
			first();
			second();
			// Of the node: 2 and 2 times a half; of the visitor: 2 and 2.
			expect(['c', 'd', 'e', 'f'].map((to) => ask(to, 'v'))).toEqual([0, 0, 0, 60]);
		});

		test('count verified codes for Max Codes per Hour, and for their recipient', () => {
			const limits = { maxPerHour: 2, maxPerRecipient: 1 };
			for (const to of ['a', 'b']) send(to, limits)();
			expect(secondsToWait(now, limits, keysOf('c'))).toBe(3600);
			expect(secondsToWait(now + 1, { maxPerRecipient: 1 }, keysOf('a'))).toBe(600);
		});

		test('leave room for known numbers, and for visitors from known networks', () => {
			const limits = { maxOpen: 3, maxOpenPerVisitor: 1, maxOpenPerRange: 1 };
			const home = { network: 'home', range: 'r', visitor: 'v' };
			send('known', limits, now, home)();
			const later = now + 2 * 60 * minute;
			for (const to of ['x', 'y', 'z']) send(to, limits, later);
			expect(secondsToWait(later, limits, keysOf('stranger'))).toBe(60);
			expect(secondsToWait(later, limits, { ...keysOf('new'), ...home })).toBe(0);
			expect(secondsToWait(later, limits, { ...keysOf('newer'), ...home })).toBe(60);
			expect(secondsToWait(later, limits, { ...keysOf('known'), ...home })).toBe(0);
			expect(secondsToWait(now + 33 * 24 * 60 * minute, limits, keysOf('known'))).toBe(0);
		});

		test('ignore the verification of a code of another process', () => {
			send('a', { maxOpen: 1 });
			countVerified('of another process', now);
			expect(secondsToWait(now, { maxOpen: 1 }, keysOf('b'))).toBe(60);
		});

		test('cannot be exceeded by those who ask at once, in whatever order codes are entered', () => {
			const limits = { maxOpen: 10 };
			const verify: Array<() => void> = [];
			let [sent, verified] = [0, 0];
			for (let n = 0; n < 2_000; n += 1) {
				if (n % 3 === 0 && verify.length > 0) {
					verify.splice((n * 7) % verify.length, 1)[0]();
					verified += 1;
				}
				const refused = attempt(() => verify.push(send(`${n}`, limits, now + n)));
				if (!('error' in refused)) sent += 1;
				expect(sent - verified).toBeLessThanOrEqual(10 + verified / 2);
			}
			expect(sent).toBeGreaterThan(900);
		});
	});

	test('are not larger than what is kept', () => {
		const most = otpOptions.maxPerRecipient.property.typeOptions?.maxValue ?? 0;
		const limits = { maxPerRecipient: most };
		for (let n = 0; n < most; n += 1) expect(secondsToWait(now + n, limits)).toBe(0);
		expect(secondsToWait(now + second, limits)).toBeGreaterThan(0);
	});
});
