import {
	asServiceError,
	isPassing,
	ServiceError,
} from '../../../../nodes/shared/client/ServiceError';

describe('ServiceError', () => {
	test('keeps kind and cause when it learns more', () => {
		const cause = new Error('socket hang up');
		const error = new ServiceError('unavailable', { mayHaveActed: true }, { cause });
		const more = error.with({ to: '959779100001' });
		expect(more).toMatchObject({ kind: 'unavailable', cause, mayHaveActed: true });
		expect(more.facts.to).toBe('959779100001');
	});

	test.each([
		[{ status: 504 }, true],
		[{ status: 408 }, true],
		[{ status: 522 }, true],
		[{ status: 524 }, true],
		[{ code: 'ECONNABORTED' }, true],
		[{ status: 502 }, false],
		[{ code: 'ECONNRESET' }, false],
		[{}, false],
	])('with %j is a time-out: %p', (facts, expected) => {
		expect(new ServiceError('unavailable', facts).isTimeOut).toBe(expected);
	});
});

test.each([
	['rateLimited', true],
	['unavailable', true],
	['outcomeUnknown', true],
	['unreadable', true],
	['authentication', false],
	['rejected', false],
	['cancelled', false],
] as const)('%s may be gone at the next attempt: %p', (kind, expected) => {
	expect(isPassing(new ServiceError(kind))).toBe(expected);
});

test('what is no ServiceError is thrown on', () => {
	const other = new TypeError('ours');
	expect(() => asServiceError(other)).toThrow(other);
	expect(isPassing(other)).toBe(false);
});

test.each([
	['rejected', { status: 400, words: 'Invalid Sender ID' }, true],
	['rejected', { status: 200, words: 'Invalid number' }, true],
	['rejected', { status: 402 }, false],
	['rejected', { status: 400, words: 'Insufficient Balance' }, false],
	['rejected', { status: 400, words: 'No credit left' }, false],
	['rejected', { status: 400, mayHaveActed: true }, false],
	['authentication', { status: 401 }, false],
	['rateLimited', { status: 429 }, false],
	['unavailable', { status: 503 }, false],
] as const)('%s with %j can be about one message of several: %p', (kind, facts, expected) => {
	expect(new ServiceError(kind, facts).isOfMessages).toBe(expected);
});
