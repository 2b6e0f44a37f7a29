import {
	asServiceError,
	isPassing,
	ServiceError,
} from '../../../../nodes/shared/client/ServiceError';

describe('ServiceError', () => {
	test('keeps kind, cause and late answer when it learns more', async () => {
		const cause = new Error('socket hang up');
		const late = Promise.resolve(20);
		const error = new ServiceError('unavailable', { mayHaveActed: true }, { cause, late });
		const more = error.with({ to: '959779100001' }).mapLate((n: number) => n + 1);
		expect(more).toMatchObject({ kind: 'unavailable', cause, mayHaveActed: true });
		expect(more.facts.to).toBe('959779100001');
		await expect(more.late).resolves.toBe(21);
	});

	test('carries a failure in a late answer to whoever waits for it, and troubles nobody else', async () => {
		const error = new ServiceError('unavailable', {}, { late: Promise.resolve() });
		const mapped = error.mapLate(() => {
			throw new Error('refused');
		});
		await expect(mapped.late).rejects.toThrow('refused');
	});

	test.each([
		[{ status: 504 }, true],
		[{ status: 408 }, true],
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
	['refused', false],
	['cancelled', false],
] as const)('%s may be gone at the next try: %p', (kind, expected) => {
	expect(isPassing(new ServiceError(kind))).toBe(expected);
});

test('what is no ServiceError is thrown on', () => {
	const other = new TypeError('ours');
	expect(() => asServiceError(other)).toThrow(other);
	expect(isPassing(other)).toBe(false);
});
