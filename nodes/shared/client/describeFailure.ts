import type { HistorySays, ServiceError } from './ServiceError';

/** A sentence that says what happened, and one that says what to do. Neither holds a number or a secret. */
export interface FailureText {
	message: string;
	description: string;
}

const checkAddress =
	'Check the Base URL in the credential: the address of the service without /rest, /otp or /http, e.g. https://sms.example.com/api.';

function statusOf({ facts }: ServiceError): string {
	return facts.status === undefined ? (facts.code ?? 'no answer') : `HTTP ${facts.status}`;
}

function quote({ facts }: ServiceError): string {
	return facts.words ? ` The service says: ${facts.words}` : '';
}

function countRequests({ facts: { requests = 1 } }: ServiceError): string {
	return requests === 1 ? 'One request was made' : `${requests} requests were made`;
}

/** Said where something could have been sent. */
function nothingWasSent({ facts: { request = '' } }: ServiceError): string {
	return request.startsWith('GET ') ? '' : 'Nothing was sent for this item. ';
}

function describeHistory({ facts: { history, waitedMs = 0 } }: ServiceError): string {
	const seconds = Math.max(1, Math.round(waitedMs / 1000));
	const sentences: Record<HistorySays, string> = {
		nothing: `Message history did not show it in the ${seconds} seconds after that`,
		unreadable: 'Message history could not be read',
		uncertain: 'Message history holds one from the same time that may or may not be this one',
		otherAccount:
			'It was sent with another account, whose message history this credential cannot read',
		partly: 'Message history shows others of the same request, so it was probably taken',
	};
	return sentences[history ?? 'unreadable'];
}

/** Every request for the message failed, and the service took no other one either. */
function describeOutage(error: ServiceError): FailureText {
	return {
		message: `The service is not available at the moment (${statusOf(error)})`,
		description: `${countRequests(error)} for this message, and none was answered. ${describeHistory(error)}. Retry this execution when the service works: it asks history before it sends.${quote(error)}`,
	};
}

function describeUnavailable(error: ServiceError): FailureText {
	const { code, status } = error.facts;
	if (code === 'heldBack') {
		return {
			message: 'Not sent: the service has not taken any of the last requests',
			description:
				'This message was held back and nothing was charged for it. Retry this execution when the service works.',
		};
	}
	if (error.facts.requests !== undefined) return describeOutage(error);
	if (status !== undefined) {
		return {
			message: `The service is not available at the moment (HTTP ${status})`,
			description: `Try again later.${quote(error)}`,
		};
	}
	if (error.isTimeOut) {
		return {
			message: 'The service gave no answer in time',
			description: 'Try again later, or set a longer Timeout in the options of the node.',
		};
	}
	return {
		message: `The service could not be reached (${code ?? 'no answer'})`,
		description: `${checkAddress} Check also that this n8n reaches the internet.`,
	};
}

/** A retry that could send what another retry has sent. */
function describeBlindRetry(error: ServiceError): FailureText {
	return {
		message: `Nothing was sent: message history could not be read (${statusOf(error)})`,
		description: `Another retry of this execution may have sent these messages, and only message history could tell. If there was no other retry, retry this failed execution: it then sends them.${quote(error)}`,
	};
}

const texts: Record<ServiceError['kind'], (error: ServiceError) => FailureText> = {
	address: () => ({
		message: 'The Base URL in the credential is not a usable address',
		description:
			'Open the credential and fill in an address that starts with https://, e.g. https://sms.example.com/api.',
	}),
	authentication: (error) => ({
		message: 'The service refused the credential (HTTP 401)',
		description: `Check the API key and the API secret in the credential. If the account has an IP whitelist, add the address of this n8n to it. A key for one-time codes only works in the OTP nodes, and is refused everywhere else and when the credential is tested.${quote(error)}`,
	}),
	forbidden: (error) => ({
		message: 'This credential lacks permission (HTTP 403)',
		description: `Ask the service to enable this product for your account.${quote(error)}`,
	}),
	notFound: (error) => ({
		message: `The service was not found at this address (${statusOf(error)})`,
		description: `${checkAddress}${quote(error)}`,
	}),
	refused: (error) => {
		const { code, requests, words = statusOf(error) } = error.facts;
		if (code === 'refusedInARow') {
			return {
				message: `Not sent: the service refused ${requests} requests in a row. It says: ${words}`,
				description:
					'Nothing was charged for this message. Change what the service names, for example the sender ID, and retry this execution: it sends what was not accepted.',
			};
		}
		const change =
			'Change what the service names, for example the sender ID or the number, or add balance to the account.';
		const isChecked = error.facts.history !== undefined;
		return {
			message: error.facts.words
				? `The service refused: ${error.facts.words}`
				: `The service refused the request (${statusOf(error)})`,
			description: isChecked
				? `${describeHistory(error)}, so nothing was sent for this item. ${change}`
				: `${nothingWasSent(error)}${change}`,
		};
	},
	rateLimited: (error) => ({
		message: 'Rate limit reached (HTTP 429)',
		description: `${nothingWasSent(error)}Lower Parallel Requests in the options of the node, or retry this execution later.${quote(error)}`,
	}),
	unavailable: describeUnavailable,
	redirected: (error) => ({
		message: `The service redirected the request (${statusOf(error)}); redirects are not followed`,
		description: checkAddress,
	}),
	unreadable: (error) => ({
		message: `The answer of the service could not be read (${statusOf(error)})`,
		description: `${checkAddress}${quote(error)}`,
	}),
	outcomeUnknown: (error) => {
		const { clientReference } = error.facts;
		const which = clientReference ? `the message ${clientReference}` : 'the message';
		const wanted = clientReference ? 'this Client Reference' : 'the number and the text';
		return {
			message: `Sent, outcome unknown: the service did not say whether it took ${which} (${statusOf(error)})`,
			description: `${countRequests(error)} for it. ${describeHistory(error)}. Look for ${wanted} in SMS History before you send it again.${quote(error)}`,
		};
	},
	cancelled: () => ({
		message: 'The execution was stopped',
		description: 'Messages that were not on their way yet were not sent.',
	}),
};

function describeUncheckedCode(
	error: ServiceError,
	{ message, description }: FailureText,
): FailureText {
	const isWaitEnough =
		error.kind === 'rateLimited' || (error.kind === 'unavailable' && error.isTimeOut);
	const advice = isWaitEnough
		? `Let the person try again in a moment.${quote(error)}`
		: description;
	return {
		message: `The code could not be checked. ${message}`,
		description: `Whether it is right is not known, so nobody was let in. ${advice}`,
	};
}

export function describeFailure(error: ServiceError): FailureText {
	const isBlindRetry = error.facts.code === 'blindRetry';
	const text = (isBlindRetry ? describeBlindRetry : texts[error.kind])(error);
	return error.facts.isCheckOfCode ? describeUncheckedCode(error, text) : text;
}
