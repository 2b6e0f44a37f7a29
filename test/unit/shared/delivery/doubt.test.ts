import { isDoubtOver, nextLookAt, type Doubt } from '../../../../nodes/shared/delivery/doubt';
import { HistoryLag } from '../../../../nodes/shared/delivery/HistoryLag';
import { deliveryTiming } from '../../../../nodes/shared/delivery/timing';

const second = 1000;
const minute = 60 * second;
/** When the request of the message in doubt ended. */
const endedAt = Date.UTC(2026, 10, 20, 9, 0, 0);
const idOf = (index: number) => ({ messageId: `id-${index}` });

interface Accepted {
	count: number;
	/** Seconds after the end of the doubtful request; they are sent a second apart. */
	from: number;
	/** How late history is with them, in seconds. */
	lag: number;
}

/** What is known after looks at every second up to `until`, in seconds after the doubtful request. */
function observe(accepted: Accepted[], until: number): HistoryLag {
	const lag = new HistoryLag();
	const all = accepted.flatMap(({ count, from, lag: late }) =>
		Array.from({ length: count }, (_, n) => {
			const sentAt = endedAt + (from + n / 10) * second;
			return { sentAt, shownAt: sentAt + late * second };
		}),
	);
	const messages = all
		.sort((a, b) => a.sentAt - b.sentAt)
		.map((message, index) => ({ ...message, ...idOf(index) }));
	for (let at = -20; at <= until; at += 1) {
		const now = endedAt + at * second;
		for (const message of messages) if (message.sentAt <= now) lag.watch(message, message.sentAt);
		const shown = messages.filter(({ shownAt }) => shownAt <= now);
		lag.learn(shown, endedAt - 20 * second, now, now);
	}
	return lag;
}

const doubt = (more: Partial<Doubt> = {}): Doubt => ({
	endedAt,
	isAfterTimeOut: false,
	isRequestTaken: false,
	...more,
});
const isOverAfter = (seconds: number, lag?: HistoryLag, more: Partial<Doubt> = {}) =>
	isDoubtOver(doubt(more), endedAt + seconds * second, lag);

describe('a doubt of which nothing else is known', () => {
	test('lasts a minute', () => {
		expect(isOverAfter(59)).toBe(false);
		expect(isOverAfter(60)).toBe(true);
	});
	test('lasts two minutes after a time-out', () => {
		expect(isOverAfter(119, undefined, { isAfterTimeOut: true })).toBe(false);
		expect(isOverAfter(120, undefined, { isAfterTimeOut: true })).toBe(true);
	});
	test('lasts as long on an account that has sent nothing else', () => {
		expect(isOverAfter(59, observe([], 59))).toBe(false);
	});
});

describe('a doubt while history is prompt', () => {
	const prompt: Accepted[] = [{ count: 40, from: -2, lag: 0.5 }];
	test('is over after ten seconds, and not before', () => {
		expect(isOverAfter(9, observe(prompt, 9))).toBe(false);
		expect(isOverAfter(10, observe(prompt, 10))).toBe(true);
	});
	test('lasts when fewer than twenty messages say so', () => {
		expect(isOverAfter(59, observe([{ count: 19, from: 1, lag: 0 }], 59))).toBe(false);
	});
	test('lasts when all of them were sent before it', () => {
		expect(isOverAfter(59, observe([{ count: 40, from: -10, lag: 0 }], 59))).toBe(false);
	});
	test('lasts when they were sent long before it', () => {
		const long = [
			{ count: 40, from: -19.9, lag: 0 },
			{ count: 1, from: 1, lag: 0 },
		];
		expect(isOverAfter(59, observe(long, 59))).toBe(false);
	});
	test('lasts a minute when the request is known to have been taken', () => {
		const taken = { isRequestTaken: true };
		expect(isOverAfter(59, observe(prompt, 59), taken)).toBe(false);
		expect(isOverAfter(60, observe(prompt, 60), taken)).toBe(true);
	});
	test('after a time-out is over only when messages of half a minute later are there', () => {
		const late = { isAfterTimeOut: true };
		expect(isOverAfter(100, observe(prompt, 100), late)).toBe(false);
		const later = [...prompt, { count: 25, from: 30, lag: 0.5 }];
		expect(isOverAfter(30, observe(later, 30), late)).toBe(false);
		expect(isOverAfter(36, observe(later, 36), late)).toBe(true);
	});
});

describe('a doubt while history is late', () => {
	test('lasts three times the lag that was seen', () => {
		const slow = [{ count: 60, from: -2, lag: 6 }];
		expect(isOverAfter(17, observe(slow, 17))).toBe(false);
		expect(isOverAfter(24, observe(slow, 24))).toBe(true);
	});
	test('lasts while a single accepted message is not there', () => {
		const lost = [
			{ count: 40, from: -2, lag: 0.5 },
			{ count: 1, from: -1, lag: 1000 },
		];
		expect(isOverAfter(59, observe(lost, 59))).toBe(false);
		expect(isOverAfter(60, observe(lost, 60))).toBe(true);
	});
});

describe('what is watched', () => {
	test('is a part of each second, so that a fast campaign hides no late message', () => {
		const lag = new HistoryLag();
		for (let n = 0; n < 100_000; n += 1) lag.watch(idOf(n), endedAt + n);
		lag.learn([], endedAt - minute, endedAt + 100 * second, endedAt + 100 * second);
		expect(lag.countSeenSince(0)).toBe(0);
		const shown = Array.from({ length: 100_000 }, (_, n) => idOf(n));
		lag.learn(shown, endedAt - minute, endedAt + 100 * second, endedAt + 100 * second);
		expect(lag.countSeenSince(0)).toBeLessThanOrEqual(100 * 20);
		expect(lag.countSeenSince(endedAt + 50 * second)).toBeGreaterThan(500);
	});
	test('is forgotten after some minutes', () => {
		const lag = new HistoryLag();
		lag.watch(idOf(1), endedAt);
		lag.watch(idOf(2), endedAt + 4 * minute);
		lag.learn([idOf(1), idOf(2)], 0, endedAt + 4 * minute, endedAt + 4 * minute);
		expect(lag.countSeenSince(0)).toBe(1);
	});
});

describe('nextLookAt', () => {
	const { looks } = deliveryTiming;
	test('follows the times of the looks', () => {
		expect(nextLookAt(endedAt, -Infinity)).toBe(endedAt + looks[0]);
		expect(nextLookAt(endedAt, endedAt + looks[2])).toBe(endedAt + looks[3]);
	});
	test('makes one look of those that became due in a pause', () => {
		expect(nextLookAt(endedAt, endedAt + 45 * second)).toBe(endedAt + 50 * second);
	});
	test('goes on after the last of them', () => {
		const last = endedAt + looks[looks.length - 1];
		expect(nextLookAt(endedAt, last)).toBeGreaterThan(last);
	});
});
