import {
	asServiceError,
	isPassing,
	ServiceError,
	toNetworkFailure,
} from '../../../../nodes/shared/client/failure';

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
		expect(ServiceError.of(facts).isTimeOut).toBe(expected);
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
	[{ status: 400, words: 'Invalid Sender ID' }, {}, true],
	[{ status: 200, isRejection: true }, {}, true],
	[{ status: 402 }, {}, false],
	[{ status: 400, words: 'No credit left' }, {}, true],
	[{ status: 400 }, { mayHaveActed: true }, false],
	[{ status: 401 }, {}, false],
	[{ status: 429 }, {}, false],
	[{ status: 503 }, {}, false],
])('%j with %j can be about one message of several: %p', (failure, facts, expected) => {
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

	test('keeps what was thrown, for debugging', () => {
		const thrown = Object.assign(new Error('read'), { code: 'ECONNRESET' });
		expect(toNetworkFailure(thrown).cause).toBe(thrown);
		expect(toNetworkFailure(thrown).with({ to: '959779100001' }).cause).toBe(thrown);
	});
});
