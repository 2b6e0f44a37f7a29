import {
	retryTiming,
	ServiceError,
	toNetworkFailure,
	waitBeforeRetry,
} from '../../../../nodes/shared/client/failure';

test.each([
	[{ status: 400 }, { words: 'Invalid Sender ID' }, true],
	[{ status: 200, form: 'rejection' }, {}, true],
	[{ status: 402 }, {}, false],
	[{ status: 400 }, { words: 'No credit left' }, true],
	[{ status: 400 }, { mayHaveActed: true }, false],
	[{ status: 401 }, {}, false],
	[{ status: 429 }, {}, false],
	[{ status: 503 }, {}, false],
] as const)('%j with %j can be about one message of several: %p', (failure, facts, expected) => {
	expect(ServiceError.of(failure, facts).isOfMessages).toBe(expected);
});

describe('toNetworkFailure', () => {
	const wrap = (cause: object) => Object.assign(new Error('n8n says'), { httpCode: '', cause });

	test.each([
		['a refused connection', { code: 'ECONNREFUSED', syscall: 'connect' }, false],
		['no route before the connection', { code: 'EHOSTUNREACH', syscall: 'connect' }, false],
		['no route within the connection', { code: 'EHOSTUNREACH', syscall: 'read' }, true],
		['a connection that took too long', { code: 'ETIMEDOUT', syscall: 'connect' }, false],
		['a silence', { code: 'ETIMEDOUT', syscall: 'read' }, true],
		['an unknown name', { code: 'ENOTFOUND', syscall: 'getaddrinfo' }, false],
		['a wrong certificate', { code: 'ERR_TLS_CERT_ALTNAME_INVALID' }, false],
		['a server without TLS', { code: 'EPROTO', message: 'SSL: wrong version number' }, false],
		['TLS that broke on the way', { code: 'EPROTO', message: 'SSL: bad record mac' }, true],
		['TLS that ended early', { code: 'ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC' }, true],
		['a cut connection', { code: 'ECONNRESET', syscall: 'read' }, true],
		['a broken pipe', { code: 'EPIPE', syscall: 'write' }, true],
		['anything else', {}, true],
	])('says of %s whether the service can have acted', (_, cause, mayHaveActed) => {
		expect(toNetworkFailure(wrap(cause)).mayHaveActed).toBe(mayHaveActed);
	});
});

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
