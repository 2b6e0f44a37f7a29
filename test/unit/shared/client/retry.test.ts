import { ServiceError } from '../../../../nodes/shared/client/failure';
import { retryTiming, waitBeforeRetry } from '../../../../nodes/shared/client/retry';

const waitWithout = (error: ServiceError, tries: number, isRead: boolean) =>
	waitBeforeRetry(error, tries, { isRead, random: () => 0 });

describe('waitBeforeRetry', () => {
	test('doubles the wait up to a limit, and ends after some attempts', () => {
		const error = new ServiceError('unavailable', { mayHaveActed: true });
		const waits = [1, 2, 3, 4].map((tries) => waitWithout(error, tries, true));
		expect(waits).toEqual([500, 1000, 2000, 4000]);
		expect(waitWithout(error, retryTiming.attemptsOfRead, true)).toBeUndefined();
	});

	test('goes on with a read for a minute and a half, and no longer', () => {
		const error = new ServiceError('rateLimited', { retryAfterMs: 60_000 });
		expect(waitBeforeRetry(error, 1, { isRead: true })).toBe(60_000);
		expect(waitBeforeRetry(error, 2, { isRead: true, elapsed: 60_000 })).toBeUndefined();
		expect(waitBeforeRetry(error, 2, { elapsed: 60_000 })).toBe(60_000);
	});

	test('spreads the waits of those that failed together, and makes none shorter', () => {
		const error = new ServiceError('unavailable', { mayHaveActed: true });
		const waits = Array.from(
			{ length: 200 },
			() => waitBeforeRetry(error, 1, { isRead: true }) ?? 0,
		);
		expect(Math.min(...waits)).toBeGreaterThanOrEqual(500);
		expect(Math.max(...waits)).toBeLessThanOrEqual(625);
		expect(new Set(waits).size).toBeGreaterThan(20);
	});

	test('never repeats a bulk request that the rate can have ended halfway', () => {
		const error = new ServiceError('rateLimited');
		expect(waitBeforeRetry(error, 1, { messages: 2 })).toBeUndefined();
		expect(waitBeforeRetry(new ServiceError('unavailable'), 1, { messages: 2 })).toBeDefined();
		expect(waitBeforeRetry(error, retryTiming.attemptsOfUnsent)).toBeUndefined();
	});

	test('waits at least as long as the service asks for', () => {
		const wait = (retryAfterMs: number) =>
			waitWithout(new ServiceError('rateLimited', { retryAfterMs }), 1, false);
		expect([wait(0), wait(100), wait(7000)]).toEqual([500, 500, 7000]);
	});
});
