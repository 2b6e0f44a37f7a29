import type { ServiceError } from './failure';

export const checkAddress =
	'Check the Base URL in the credential, such as https://sms.example.com/api, without /rest, /otp or /http.';

export function statusOf({ facts }: ServiceError): string {
	return facts.status === undefined ? (facts.code ?? 'no response') : `HTTP ${facts.status}`;
}

/** By what the service names; its words differ. */
const remedies: Array<[named: RegExp, remedy: string]> = [
	[/balance|credit|funds|\b402\b/i, 'Add balance to the account.'],
	[
		/sender|from/i,
		'Enter a sender ID that is registered for your account, in upper and lower case as registered.',
	],
];

export function describeRemedy(error: ServiceError): string {
	const words = `${error.facts.words ?? ''} ${statusOf(error)}`;
	const [, remedy] = remedies.find(([named]) => named.test(words)) ?? [];
	return remedy ?? 'Fix the problem that the service reports, such as the number or the text.';
}

/** A service may want each flag in every message (field notes 2 and 21). */
export function describeFlags({ facts: { words = '' } }: ServiceError): string {
	const [named] = /\b(test|unicode|encrypt)\b/i.exec(words) ?? [];
	if (named === undefined) return '';
	if (/bool|true|false/i.test(words))
		return ' Set Flags in the credential to Always, as true or false.';
	const option = named.charAt(0).toUpperCase() + named.slice(1).toLowerCase();
	return ` If you did not set ${option}, set Flags in the credential to Always, as 0 or 1.`;
}

/** The other node or request format, where a service takes no POST with a body. */
export function describeOtherWay({ facts: { request = '', status } }: ServiceError): string {
	if (status !== 405 || !request.includes('/rest/send')) return checkAddress;
	return request.endsWith('/bulk')
		? 'Use SMS Send, which sends each message by itself.'
		: 'Set Request Format, in Options, to Query Parameters.';
}
