import type { HistorySays, ServiceError } from './failure';
import type { ServiceErrorKind } from './verdict';

/** What happened, and what to do next. Neither contains a secret. */
type Describe = (error: ServiceError) => { message: string; description: string };

const checkAddress =
	'Check the Base URL in the credential, such as https://sms.example.com/api, without /rest, /otp or /http.';

/** Continues a sentence. The button beside an error executes all anew. */
export const howToRetry =
	'open Executions, choose this one, then Retry > Retry with currently saved workflow (from node with error).';

/** A retry needs a failed execution: there is none with On Error set to continue. */
const sendLater = `send this again. Or retry the failed execution: ${howToRetry}`;

const raiseTimeout =
	'If the service is slow, increase Request Timeout if the node has that option.';

/** By what the service names; its words differ. */
const remedies: Array<[named: RegExp, remedy: string]> = [
	[/balance|credit|funds|\b402\b/i, 'Add balance to the account.'],
	[
		/sender|^\W*from\b/i,
		'Enter a sender ID that is registered for your account, with the same capital letters.',
	],
	[/^/, 'Fix the problem that the service reports, such as the number or the text.'],
];

/** Why there was no connection, by the code of the failure. */
const causes: Array<[codes: RegExp, what: string, advice: string]> = [
	[
		/CERT|SIGNED|ISSUER|SIGNATURE|ALTNAME|HOSTNAME_MISMATCH/,
		'The certificate of the service is not valid',
		"Check the host name in the Base URL, and the clock of n8n's machine. If the certificate has expired, ask your provider to renew it. If the service has its own certificate authority, set NODE_EXTRA_CA_CERTS for n8n to the file of its certificate.",
	],
	[
		/^(ENOTFOUND|EAI_\w+)$/,
		'The host in the Base URL is unknown',
		'Check its spelling in the credential, and that your n8n instance can look up names (DNS).',
	],
	[
		/^/,
		'The service could not be reached',
		`${checkAddress} Also check that your n8n instance can reach the internet.`,
	],
];

function statusOf({ facts: { status, code = 'no response' } }: ServiceError): string {
	return status === undefined ? code : `HTTP ${status}`;
}

function quote({ facts: { note, words } }: ServiceError): string {
	return `${note ? ` ${note}` : ''}${words ? ` The service says: "${words}"` : ''}`;
}

/** Whether anything was sent. Empty for reads, code checks and the credential test, which never send. */
function sentOrNot({ facts, mayHaveActed }: ServiceError): string {
	const { request = '', isBeforeSend, isCheckOfCode } = facts;
	if (isBeforeSend) return 'Nothing was sent in this attempt. ';
	if (request.endsWith('/otp/request'))
		return mayHaveActed ? 'A code may have been sent. ' : 'No code was sent. ';
	if (!/\/send\b/.test(request) || isCheckOfCode) return '';
	return mayHaveActed ? 'The message may have been sent. ' : 'The message was not sent. ';
}

/** A service may want each flag in every message (field notes 2 and 21). */
function describeFlags({ facts: { words = '' } }: ServiceError): string {
	const [named] = /\b(test|unicode|encrypt)\b/i.exec(words) ?? [];
	if (named === undefined) return '';
	if (/bool|true|false/i.test(words))
		return ' In the credential, set Flags to "Always, as True or False".';
	const option = named.charAt(0).toUpperCase() + named.slice(1).toLowerCase();
	return ` If you did not set ${option}, in the credential, set Flags to "Always, as 0 or 1".`;
}

/** The other setting, node or request format, where a service does not take this one. */
function describeOtherWay({ facts: { request = '/rest/', status } }: ServiceError): string {
	if (request.includes('/rest/') && status === 401)
		return ' If all of this is right, change Authorization Scheme in the credential.';
	if (request.endsWith('/http/send') && status === 403)
		return ' Or set Request Format, in Options, to JSON Request.';
	if (status !== 405) return '';
	if (request === 'POST /rest/send/bulk')
		return 'Use SMS Send, which sends each message by itself.';
	return request === 'POST /rest/send'
		? 'Set Request Format, in Options, to Query Parameters.'
		: '';
}

const shownBy: Record<HistorySays, string> = {
	nothing: 'It was not in message history within {seconds} seconds of the last attempt',
	notSearched: 'Message history was not searched, because this was a dry run',
	unreadable: 'Message history could not be read',
	uncertain: 'Message history shows a message from the same time that may be this one',
	otherAccount:
		'It was sent with another account, and this credential cannot read its message history',
	partly: 'Other messages in the same request were accepted, so this one probably was, too',
	partlyRejected:
		'The service accepted other messages of the request before it rejected the rest, so this one was probably not accepted',
};

function describeHistory({ facts: { history, waitedMs = 0 } }: ServiceError): string {
	const seconds = Math.max(1, Math.round(waitedMs / 1000));
	return shownBy[history ?? 'unreadable'].replace('{seconds}', String(seconds));
}

const describeRejected: Describe = (error) => {
	const { code, requests, words, history } = error.facts;
	const reason = words ?? statusOf(error);
	if (code === 'nothingAccepted') {
		return {
			message: `Not sent: the service rejected each of ${requests} messages: ${reason}`,
			description: `Nothing was charged. Fix the problem that the service reports, such as the sender ID. If only some numbers are wrong, set Recipients per Request to 1. Then ${sendLater}${describeFlags(error)}`,
		};
	}
	const [, remedy] = remedies.find(([named]) => named.test(`${words ?? ''} ${statusOf(error)}`))!;
	const sent = history
		? `The message was not sent: ${describeHistory(error).replace(/^./, (first) => first.toLowerCase())}. `
		: sentOrNot(error);
	return {
		message: words
			? `Rejected by the service: ${words}`
			: `The service rejected the request (${reason})`,
		description: `${sent}${remedy}${describeFlags(error)}`,
	};
};

const describeUnavailable: Describe = (error) => {
	const { code = 'no response', status, requests, note, isLate } = error.facts;
	const sent = sentOrNot(error);
	if (code === 'heldBack') {
		const last = requests === 1 ? 'request' : `${requests} requests`;
		return {
			message: `Not sent: the service did not accept the last ${last}`,
			description: `Nothing was charged. ${note ? `${note}. ` : ''}When the service is available again, ${sendLater}`,
		};
	}
	const what = `The service ${isLate ? 'did not respond in time' : 'is unavailable'}`;
	if (status !== undefined) {
		const description = `${sent}Try again later.${quote(error)}`;
		return { message: `${what} (HTTP ${status})`, description };
	}
	if (isLate) return { message: what, description: `${sent}${raiseTimeout}` };
	const [, cause, advice] = causes.find(([codes]) => codes.test(code))!;
	return { message: `${cause} (${code})`, description: `${sent}${advice}` };
};

const describeUnknown: Describe = (error) => {
	const { clientReference, to, requests = 1, status, isLate } = error.facts;
	const sought = clientReference
		? `the Client Reference ${clientReference}`
		: 'the number and the text';
	const attempts = requests === 1 ? '1 attempt' : `${requests} attempts`;
	const slow = isLate && status === undefined ? ` ${raiseTimeout}` : '';
	return {
		message: `Outcome unknown: the message${to ? ` to ${to}` : ''} may have been sent (${statusOf(error)})`,
		description: `Search SMS History for ${sought} before you send it again. ${describeHistory(error)} (${attempts}).${slow}${quote(error)}`,
	};
};

/** A retry that could repeat what another retry sent. */
const describeBlindRetry: Describe = (error) => {
	const outcome =
		error.kind === 'outcomeUnknown'
			? 'Outcome unknown: the message may have been sent;'
			: 'Nothing was sent:';
	return {
		message: `${outcome} message history could not be read (${statusOf(error)})`,
		description: `If n8n was killed during this execution, or you already retried it, these messages may have been sent: ask your provider. To send them otherwise, ${howToRetry}${quote(error)}`,
	};
};

/** A proxy, a firewall or a website on the way to the service, or in its place. */
const describeNotService: Describe = (error) => {
	const { code, status = 0 } = error.facts;
	const what =
		(code === 'website' && 'A website responded, not the service') ||
		(status === 407 && 'A proxy rejected the request') ||
		(status < 400 && 'The service redirected the request') ||
		'The service was not found at this URL';
	return {
		message: `${what} (${statusOf(error)})`,
		description: `${sentOrNot(error)}${checkAddress} Also check the proxy of your n8n instance.`,
	};
};

const texts: Record<ServiceErrorKind, Describe> = {
	address: () => ({
		message: 'The Base URL in the credential is not a valid URL',
		description:
			'Nothing was sent. Enter a URL that starts with https:// in the credential, such as https://sms.example.com/api.',
	}),
	authentication: (error) => ({
		message: 'The service rejected the credential (HTTP 401)',
		description: `${sentOrNot(error)}Check the API key and the API secret in the credential. Keys of earlier versions of the service don't work. If your account uses an IP allowlist, add your n8n instance's public IP address. A key for one-time codes works only in the OTP nodes, not in the credential test.${describeOtherWay(error)}${quote(error)}`,
	}),
	forbidden: (error) => ({
		message: 'The credential lacks permission (HTTP 403)',
		description: `${sentOrNot(error)}Ask your provider to enable this product for your account.${describeOtherWay(error)}${quote(error)}`,
	}),
	notFound: (error) => ({
		message: `The service was not found at this URL (${statusOf(error)})`,
		description: `${sentOrNot(error)}${describeOtherWay(error) || checkAddress}${quote(error)}`,
	}),
	notService: describeNotService,
	rejected: describeRejected,
	rateLimited: (error) => ({
		message: 'Too many requests (HTTP 429)',
		description: `${sentOrNot(error)}In a few minutes, ${sendLater} Use fewer Parallel Requests if the node has that option.${quote(error)}`,
	}),
	unavailable: describeUnavailable,
	unreadable: (error) => ({
		message: `The response of the service could not be ${error.facts.note ? 'used' : `read (${statusOf(error)})`}`,
		description: `${sentOrNot(error)}${error.facts.note ?? `${checkAddress}${quote(error)}`}`,
	}),
	outcomeUnknown: describeUnknown,
	cancelled: () => ({
		message: 'The execution was stopped',
		description: 'Messages that had not been submitted yet were not sent.',
	}),
};

export function describeFailure(error: ServiceError): ReturnType<Describe> {
	const { code, isCheckOfCode, isLate } = error.facts;
	const text = code === 'blindRetry' ? describeBlindRetry(error) : texts[error.kind](error);
	if (!isCheckOfCode) return text;
	const advice =
		error.kind === 'rateLimited' || isLate
			? `Ask the user to try again in a moment.${quote(error)}`
			: text.description;
	return {
		message: `The code could not be checked. ${text.message}`,
		description: `The code was not verified, so access was denied. ${advice}`,
	};
}
