import type { IDataObject } from 'n8n-workflow';
import type { NodeUnderTest } from '../../test/e2e/harness';

const retryOnFail = { retryOnFail: true, maxTries: 5, waitBetweenTries: 1000 };
const mapped = { to: '={{ $json.to }}', message: '={{ $json.message }}', from: 'Chaos' };
/** Hanging requests are given up after this many milliseconds, by all contenders. */
const timeout = 2_000;

export interface Contender {
	label: string;
	isOurs: boolean;
	createNode(baseUrl: string): NodeUnderTest;
}

function ours(label: string, type: string, options: IDataObject): Contender {
	const parameters = { ...mapped, options: { timeout, ...options } };
	return {
		label,
		isOurs: true,
		createNode: () => ({ name: 'Send', type, parameters, ...retryOnFail }),
	};
}

function createHttpRequest(baseUrl: string): NodeUnderTest {
	return {
		name: 'Send',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		...retryOnFail,
		parameters: {
			method: 'POST',
			url: `${baseUrl}/rest/send`,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'messagingServiceApi',
			sendBody: true,
			specifyBody: 'json',
			jsonBody: '={{ JSON.stringify({ to: $json.to, message: $json.message, from: "Chaos" }) }}',
			options: { timeout },
		},
	};
}

/** All with Retry On Fail, five tries a second apart. */
export const contenders: Contender[] = [
	ours('SMS Send', 'smsSend', { parallelRequests: 20 }),
	ours('SMS Bulk Send', 'smsBulkSend', { recipientsPerRequest: 20 }),
	{ label: 'HTTP Request', isOurs: false, createNode: createHttpRequest },
];
