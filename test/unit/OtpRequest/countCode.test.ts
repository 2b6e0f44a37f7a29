import { countCode } from '../../../nodes/OtpRequest/countCode';
import { otpOptions } from '../../../nodes/OtpRequest/otpOptions';
import { LimitError } from '../../../nodes/shared/execution/toNodeError';

const second = 1000;
const minute = 60 * second;
const off = { maxPerRecipient: 0, maxPerRecipientPerDay: 0, pauseSeconds: 0, maxPerHour: 0 };

let node = 0;
const keysOf = (recipient = 'somebody', ofNode = node) => ({
	node: `node ${ofNode}`,
	recipient: `node ${ofNode} ${recipient}`,
});

/** 0 if the code was counted. */
function secondsToWait(now: number, limits: Partial<typeof off>, keys = keysOf()): number {
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
		const takeBack = countCode(keysOf(), limits, now);
		for (let n = 0; n < 100; n += 1) expect(secondsToWait(now + 1, limits)).toBe(86_400);
		takeBack();
		expect(secondsToWait(now + 2, limits)).toBe(0);
	});

	test('say what happened, how long to wait, and which option it is', () => {
		const limits = { ...off, pauseSeconds: 30 };
		countCode(keysOf(), limits, now);
		expect(() => countCode(keysOf(), limits, now)).toThrow(
			expect.objectContaining({
				message: 'No code was sent: this recipient got a code a moment ago',
				hint: expect.stringMatching(/in 30 seconds\. .*Pause Between Codes/),
			}),
		);
	});

	test('let nobody through who cannot be counted, and hold little memory until then', () => {
		const limits = { maxPerRecipient: 5 };
		global.gc?.();
		const before = process.memoryUsage().heapUsed;
		for (let n = 0; n < 100_000; n += 1) {
			expect(secondsToWait(now + n, limits, keysOf(`recipient number ${n}`)) === 0).toBe(true);
		}
		expect(process.memoryUsage().heapUsed - before).toBeLessThan(200_000_000);
		const full = now + 100_000;
		expect(secondsToWait(full, limits, keysOf('one too many'))).toBe(500);
		expect(secondsToWait(full, limits, keysOf('recipient number 7'))).toBe(0);
		expect(secondsToWait(full, off, keysOf('one too many'))).toBe(0);
		expect(secondsToWait(now + 11 * minute, limits, keysOf('one too many'))).toBe(0);
	}, 30_000);

	test('let nobody through who cannot be counted for a day either', () => {
		const limits = { maxPerRecipientPerDay: 20 };
		global.gc?.();
		const before = process.memoryUsage().heapUsed;
		for (let n = 0; n < 500_000; n += 1) {
			countCode(keysOf(`of the day ${n}`), { ...off, ...limits }, now + n);
		}
		expect(process.memoryUsage().heapUsed - before).toBeLessThan(250_000_000);
		const full = now + 500_000;
		expect(secondsToWait(full, limits, keysOf('one too many'))).toBe(24 * 3600 - 500);
		expect(secondsToWait(full, limits, keysOf('of the day 7'))).toBe(0);
		expect(secondsToWait(now + 25 * 60 * minute, limits, keysOf('one too many'))).toBe(0);
	}, 60_000);

	test('are not larger than what is kept', () => {
		const most = otpOptions.maxPerRecipient.property.typeOptions?.maxValue ?? 0;
		const limits = { maxPerRecipient: most };
		for (let n = 0; n < most; n += 1) expect(secondsToWait(now + n, limits)).toBe(0);
		expect(secondsToWait(now + second, limits)).toBeGreaterThan(0);
	});
});
