import { isRecord } from './json';
import { ServiceError } from './ServiceError';

/** Codes of network errors that occur before the request can reach the service. */
const neverArrived =
	/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EAI_FAIL|EADDRNOTAVAIL|ERR_INVALID_URL|ERR_INVALID_PROTOCOL|ERR_TLS_CERT_ALTNAME_INVALID|CERT_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|HOSTNAME_MISMATCH)$/;
/** TLS errors that occur before the request is written. Other TLS errors can occur after it. */
const neverBegan =
	/wrong version number|unsupported protocol|no protocols available|handshake failure|alert protocol version|unrecognized name|packet length too long/i;

type NetworkError = Record<string, unknown>;

/** The error and its causes: n8n wraps the error of its HTTP library, which wraps Node's. */
function chainOf(error: unknown): NetworkError[] {
	const chain: NetworkError[] = [];
	for (let one = error; isRecord(one) && chain.length < 5; one = one.cause) chain.push(one);
	return chain;
}

function codeOf(chain: NetworkError[]): string {
	const [outer = {}, inner = {}] = chain;
	const found = [outer.httpCode, inner.code, outer.code];
	return String(found.find((value) => typeof value === 'string' && value !== '') ?? 'unknown');
}

function hasNeverLeft(chain: NetworkError[]): boolean {
	return chain.some(
		({ code, syscall, message }) =>
			neverArrived.test(String(code)) ||
			/^(connect|getaddrinfo)$/.test(String(syscall)) ||
			neverBegan.test(String(message)),
	);
}

export function toNetworkFailure(
	error: unknown,
	signal?: AbortSignal,
	request?: string,
): ServiceError {
	if (error instanceof ServiceError) return error;
	const chain = chainOf(error);
	const code = codeOf(chain);
	const isCancelled = signal?.aborted === true || code === 'ERR_CANCELED';
	const isUnsent = neverArrived.test(code) || hasNeverLeft(chain);
	const failure = ServiceError.of({ code, isUnsent }, { request }, { cause: error });
	return isCancelled ? new ServiceError('cancelled', failure.facts, failure) : failure;
}
