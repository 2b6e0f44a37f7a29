import { countCode, nameCode, uncountCode } from '../../../nodes/OtpRequest/limits';
import { attempt } from '../../../nodes/shared/input/InputError';
import { LimitError } from '../../../nodes/shared/n8n/errors';
import { rememberVerified } from '../../../nodes/shared/n8n/memory';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const off = { maxPerHour: 0, maxPerRecipientPerHour: 0 };

let node = 0;
const keysOf = (recipient = 'somebody') => ({
	node: `node ${node}`,
	recipient: `node ${node} ${recipient}`,
});

/** 0 if the code was counted. */
function secondsToWait(now: number, limits: Partial<typeof off> = {}, recipient?: string): number {
	const counted = attempt(() => countCode(keysOf(recipient), { ...off, ...limits }, now));
	if (!('error' in counted)) return 0;
	if (counted.error instanceof LimitError) return counted.error.retryAfterSeconds;
	throw counted.error;
}

describe('the limits of codes', () => {
	const now = 1000 * hour;
	beforeEach(() => (node += 1));

	test('ask a recipient for half a minute between two codes, whatever the options are', () => {
		const times = [0, 1, 29_999, 30_000, 30_001];
		expect(times.map((time) => secondsToWait(now + time))).toEqual([0, 30, 1, 0, 30]);
	});

	test('let through as many codes in any hour as they say, and 20 in any day', () => {
		const limits = { maxPerRecipientPerHour: 3 };
		const times = [0, 20 * minute, 40 * minute, 59 * minute, 60 * minute, 60 * minute + 1];
		expect(times.map((time) => secondsToWait(now + time, limits))).toEqual([
			...[0, 0, 0, 60, 0, 20 * 60],
		]);
		const ofDay = Array.from({ length: 20 }, (_, n) => now + n * hour);
		expect(ofDay.map((at) => secondsToWait(at, {}, 'daily'))).toEqual(Array(20).fill(0));
		expect(secondsToWait(now + 23 * hour, {}, 'daily')).toBe(3600);
		expect(secondsToWait(now + 24 * hour, {}, 'daily')).toBe(0);
		expect(secondsToWait(now + 24 * hour + minute, {}, 'daily')).toBe(59 * 60);
	});

	test.each([
		[{ maxPerRecipientPerHour: 1 }, 'this recipient got 1 code in the last hour', '60 minutes'],
		[{ maxPerHour: 1 }, 'too many unverified codes in the last hour', '60 seconds'],
		[{}, 'this recipient got a code a moment ago', '30 seconds'],
	])('say the longest wait, and which option changes it: %j', (limits, reason, wait) => {
		const [option = 'to'] = Object.keys(limits);
		countCode(keysOf(), { ...off, ...limits }, now);
		const again = attempt(() =>
			countCode(keysOf(option === 'maxPerHour' ? 'b' : undefined), { ...off, ...limits }, now),
		);
		expect(again).toMatchObject({
			error: {
				message: `No code was sent: ${reason}`,
				hint: expect.stringMatching(new RegExp(`^Nothing was charged.* in ${wait}`)),
				field: option,
			},
		});
	});

	test('go by a clock that nobody sets', () => {
		countCode(keysOf(), off);
		const clock = jest.spyOn(Date, 'now').mockReturnValue(0);
		expect(attempt(() => countCode(keysOf(), off))).toMatchObject({
			error: { retryAfterSeconds: 30 },
		});
		clock.mockRestore();
	});

	test('do not count a code that was certainly not sent, or anything rejected', () => {
		const limits = { maxPerRecipientPerHour: 1, maxPerHour: 1 };
		const at = countCode(keysOf(), limits, now);
		for (let n = 0; n < 100; n += 1) expect(secondsToWait(now + 1, limits)).toBe(3600);
		uncountCode(keysOf(), at, now);
		expect(secondsToWait(now + 2, limits)).toBe(0);
	});

	describe('of unverified codes', () => {
		/** @returns verifies the code */
		const send = (to: string, maxPerHour: number, at = now) => {
			const request = `node ${node} ${to} ${at}`;
			nameCode(keysOf(to), countCode(keysOf(to), { ...off, maxPerHour }, at), request, at);
			return () => rememberVerified(request);
		};

		test('are the same for recipients that verified before', () => {
			send('known', 3)();
			for (const to of ['x', 'y', 'z']) send(to, 3, now + minute);
			expect(secondsToWait(now + minute, { maxPerHour: 3 }, 'known')).toBe(60);
		});

		test('take no ID that the service gives twice for a verification of the second code', () => {
			rememberVerified('given twice');
			nameCode(
				keysOf('a'),
				countCode(keysOf('a'), { ...off, maxPerHour: 1 }, now),
				'given twice',
				now,
			);
			expect(secondsToWait(now, { maxPerHour: 1 }, 'b')).toBe(60);
		});

		test('cannot be exceeded by those who ask at once, in whatever order codes are entered', () => {
			const verify: Array<() => void> = [];
			let [sent, verified] = [0, 0];
			for (let n = 0; n < 2_000; n += 1) {
				if (n % 3 === 0 && verify.length > 0) {
					verify.splice((n * 7) % verify.length, 1)[0]();
					verified += 1;
				}
				const refused = attempt(() => verify.push(send(`${n}`, 10, now + n)));
				if (!('error' in refused)) sent += 1;
				expect(sent - verified).toBeLessThanOrEqual(10);
			}
			expect(sent).toBeGreaterThan(600);
		});
	});
});
