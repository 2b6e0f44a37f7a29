import { ServiceError, toNetworkFailure } from '../../../../nodes/shared/client/failure';

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
