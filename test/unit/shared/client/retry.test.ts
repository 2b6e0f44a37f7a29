import fc from 'fast-check';

import { ServiceError } from '../../../../nodes/shared/client/failure';
import {
	longestWaitMs,
	parseRetryAfter,
	retryTiming,
	waitBeforeRetry,
} from '../../../../nodes/shared/client/retry';
import type { ServiceErrorKind } from '../../../../nodes/shared/client/verdict';

describe('parseRetryAfter', () => {
	const now = Date.parse('2026-11-20T09:00:00Z');

	test.each([
		['3', 3000],
		[' 0 ', 0],
		['1.5', 1500],
		['1.25', 1250],
		['  ', undefined],
		['Fri, 20 Nov 2026 09:00:07 GMT', 7000],
		['Fri, 20 Nov 2026 08:00:00 GMT', 0],
		['86400', longestWaitMs],
		['9'.repeat(400), undefined],
		['soon', undefined],
		['', undefined],
		[undefined, undefined],
	])('reads %j as %p milliseconds', (value, expected) => {
		expect(parseRetryAfter(value, now)).toBe(expected);
	});

	test('is never negative and never longer than a minute', () => {
		fc.assert(
			fc.property(
				fc.oneof(
					fc.string(),
					fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
					fc.nat().map(String),
				),
				(value) => {
					const wait = parseRetryAfter(value, now) ?? 0;
					expect(wait).toBeGreaterThanOrEqual(0);
					expect(wait).toBeLessThanOrEqual(60_000);
				},
			),
		);
	});
});

const waitWithout = (error: ServiceError, tries: number, isRead: boolean) =>
	waitBeforeRetry(error, tries, isRead, { random: () => 0 });

const kinds: ServiceErrorKind[] = [
	'address',
	'authentication',
	'forbidden',
	'notFound',
	'rejected',
	'rateLimited',
	'unavailable',
	'redirected',
	'unreadable',
	'outcomeUnknown',
	'cancelled',
];

describe('waitBeforeRetry', () => {
	test('never repeats what the service may have acted on, unless it is a read', () => {
		fc.assert(
			fc.property(fc.constantFrom(...kinds), fc.integer({ min: 1, max: 9 }), (kind, tries) => {
				const error = new ServiceError(kind, { mayHaveActed: true });
				expect(waitBeforeRetry(error, tries, false)).toBeUndefined();
			}),
		);
	});

	test.each(kinds.filter((kind) => !['rateLimited', 'unavailable', 'unreadable'].includes(kind)))(
		'never repeats %s, which would end the same',
		(kind) => {
			expect(waitBeforeRetry(new ServiceError(kind), 1, true)).toBeUndefined();
			expect(waitBeforeRetry(new ServiceError(kind), 1, false)).toBeUndefined();
		},
	);

	test('doubles the wait up to a limit, and ends after some attempts', () => {
		const error = new ServiceError('unavailable', { mayHaveActed: true });
		const waits = [1, 2, 3, 4].map((tries) => waitWithout(error, tries, true));
		expect(waits).toEqual([500, 1000, 2000, 4000]);
		expect(waitWithout(error, retryTiming.attemptsOfRead, true)).toBeUndefined();
	});

	test('goes on with a read for a minute and a half, and no longer', () => {
		const error = new ServiceError('rateLimited', { retryAfterMs: 60_000 });
		expect(waitBeforeRetry(error, 1, true)).toBe(60_000);
		expect(waitBeforeRetry(error, 2, true, { elapsed: 60_000 })).toBeUndefined();
		expect(waitBeforeRetry(error, 2, false, { elapsed: 60_000 })).toBe(60_000);
	});

	test('spreads the waits of those that failed together, and makes none shorter', () => {
		const error = new ServiceError('unavailable', { mayHaveActed: true });
		const waits = Array.from({ length: 200 }, () => waitBeforeRetry(error, 1, true) ?? 0);
		expect(Math.min(...waits)).toBeGreaterThanOrEqual(500);
		expect(Math.max(...waits)).toBeLessThanOrEqual(625);
		expect(new Set(waits).size).toBeGreaterThan(20);
	});

	test('repeats a send that certainly did nothing', () => {
		expect(waitWithout(new ServiceError('rateLimited'), 1, false)).toBe(500);
		expect(waitWithout(new ServiceError('unavailable'), 1, false)).toBe(500);
		expect(
			waitWithout(new ServiceError('rateLimited'), retryTiming.attemptsOfUnsent, false),
		).toBeUndefined();
	});

	test('waits at least as long as the service asks for', () => {
		const wait = (retryAfterMs: number) =>
			waitWithout(new ServiceError('rateLimited', { retryAfterMs }), 1, false);
		expect([wait(0), wait(100), wait(7000)]).toEqual([500, 500, 7000]);
	});
});
