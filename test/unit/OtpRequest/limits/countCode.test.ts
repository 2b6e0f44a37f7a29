import { countCode, nameCode, type Keys } from '../../../../nodes/OtpRequest/limits/countCode';
import { otpOptions } from '../../../../nodes/OtpRequest/otpOptions';
import { attempt } from '../../../../nodes/shared/input/InputError';
import { LimitError } from '../../../../nodes/shared/n8n/errors';
import { rememberVerified } from '../../../../nodes/shared/n8n/verifiedCodes';

const second = 1000;
const minute = 60 * second;
const day = 24 * 60 * minute;
const off = {
	...{ maxPerHour: 0, maxPerRange: 0, maxPerVisitor: 0 },
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
		expect([ask('a', 0), ask('b', minute), ask('c', 2 * minute)]).toEqual([0, 0, 60]);
		expect(ask('c', 60 * minute - second)).toBe(1);
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
		const undo = countCode(keysOf(), limits, now);
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

	describe('of unverified codes', () => {
		/** @returns verifies the code */
		const send = (to: string, limits: Partial<typeof off>, at = now, more: Partial<Keys> = {}) => {
			const keys = { ...keysOf(to), ...more };
			countCode(keys, { ...off, ...limits }, at);
			nameCode(keys, at, `node ${node} ${to} ${at}`, at);
			return () => rememberVerified(`node ${node} ${to} ${at}`);
		};

		test.each([
			['maxPerHour', {}, 'too many unverified codes in the last hour'],
			['maxPerVisitor', { visitor: 'v' }, 'too many unverified codes for this visitor'],
			['maxPerRange', { range: 'r' }, 'too many unverified codes to similar numbers'],
		])('stop at %s, and say so', (option, more, sentence) => {
			const limits = { ...off, [option]: 2 };
			for (const to of ['a', 'b']) send(to, limits, now, more);
			expect(() => send('c', limits, now, more)).toThrow(
				expect.objectContaining({
					message: `No code was sent: ${sentence}`,
					hint: expect.stringMatching(
						/^Nothing was charged\. Try again in 60 seconds\. Verified codes make room sooner\./,
					),
					retryAfterSeconds: 60,
					field: option,
				}),
			);
			expect(secondsToWait(now + 60 * minute, limits, { ...keysOf('c'), ...more })).toBe(0);
			node += 1;
		});

		test('give their place back once verified, and nothing more', () => {
			const limits = { maxPerHour: 2, maxPerVisitor: 2, maxPerRange: 2 };
			const more = { visitor: 'v', range: 'r' };
			const [first, second] = ['a', 'b'].map((to) => send(to, limits, now, more));
			const ask = (to: string) => secondsToWait(now, limits, { ...keysOf(to), ...more });
			expect(ask('c')).toBe(60);
			first();
			first();
			expect([ask('c'), ask('d')]).toEqual([0, 60]);
			second();
			expect([ask('d'), ask('e')]).toEqual([0, 60]);
		});

		test('count for their recipient, verified or not', () => {
			send('a', { maxPerRecipient: 1 })();
			expect(secondsToWait(now + 1, { maxPerRecipient: 1 }, keysOf('a'))).toBe(600);
		});

		test('are the same for recipients that verified before', () => {
			const limits = { maxPerHour: 3, maxPerVisitor: 2, maxPerRange: 2 };
			send('known', limits, now, { visitor: 'v', range: 'r' })();
			for (const to of ['x', 'y', 'z']) send(to, { maxPerHour: 3 }, now + minute);
			expect(secondsToWait(now + minute, limits, keysOf('known'))).toBe(60);
		});

		test('ignore the verification of a code of another process', () => {
			send('a', { maxPerHour: 1 });
			rememberVerified('of another process');
			expect(secondsToWait(now, { maxPerHour: 1 }, keysOf('b'))).toBe(60);
		});

		test('take no ID that the service gives twice for a verification of the second code', () => {
			const limits = { ...off, maxPerHour: 1 };
			rememberVerified('given twice');
			countCode(keysOf('a'), limits, now);
			nameCode(keysOf('a'), now, 'given twice', now);
			expect(secondsToWait(now, limits, keysOf('b'))).toBe(60);
		});

		test('cannot be exceeded by those who ask at once, in whatever order codes are entered', () => {
			const limits = { maxPerHour: 10 };
			const verify: Array<() => void> = [];
			let [sent, verified] = [0, 0];
			for (let n = 0; n < 2_000; n += 1) {
				if (n % 3 === 0 && verify.length > 0) {
					verify.splice((n * 7) % verify.length, 1)[0]();
					verified += 1;
				}
				const refused = attempt(() => verify.push(send(`${n}`, limits, now + n)));
				if (!('error' in refused)) sent += 1;
				expect(sent - verified).toBeLessThanOrEqual(10);
			}
			expect(sent).toBeGreaterThan(600);
		});

		/** A stranger asks as often as the limits allow, and verifies what reaches a phone of their own. */
		describe.each([
			['with one number of their own', 1],
			['with ten numbers of their own', 10],
			['with numbers of customers only', 0],
		])('and a stranger %s', (_, own) => {
			test('never has more of them in an hour than Max Codes per Hour', () => {
				const defaults = { ...off, maxPerHour: 300, maxPerVisitor: 5, maxPerRange: 10 };
				const limits = {
					...defaults,
					maxPerRecipient: 5,
					maxPerRecipientPerDay: 20,
					pauseSeconds: 30,
				};
				const customers = Array.from({ length: 1000 }, (_one, n) => `customer ${n}`);
				// They all verified on the day before.
				customers.forEach((to, n) => send(to, off, now + n, { range: to, visitor: to })());
				const unverified: number[] = [];
				for (let n = 0; n < 3 * 3600; n += 3) {
					const at = now + day + n * second;
					const isOwn = n % 60 < 3 * own;
					const to = isOwn ? `own ${n % 60}` : customers[n % customers.length];
					const from = { visitor: `bot ${n}`, range: `range ${n % 1000}` };
					const sent = attempt(() => send(to, limits, at, from));
					if ('error' in sent) continue;
					if (isOwn) sent.value();
					else unverified.push(at);
					const before = unverified.at(-301) ?? -Infinity;
					expect(at - before).toBeGreaterThanOrEqual(60 * minute);
				}
				expect(unverified.length).toBeGreaterThanOrEqual(900);
			});
		});
	});

	test('are not larger than what is kept', () => {
		const most = otpOptions.maxPerRecipient.property.typeOptions?.maxValue ?? 0;
		const limits = { maxPerRecipient: most };
		for (let n = 0; n < most; n += 1) expect(secondsToWait(now + n, limits)).toBe(0);
		expect(secondsToWait(now + second, limits)).toBeGreaterThan(0);
	});
});
