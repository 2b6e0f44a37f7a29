import type { IDataObject } from 'n8n-workflow';
import type { NodeUnderTest } from '../../test/e2e/harness';

const retryOnFail = { retryOnFail: true, maxTries: 5, waitBetweenTries: 1000 };
const mapped = { to: '={{ $json.to }}', message: '={{ $json.message }}', from: 'Chaos' };
/** Hanging requests are given up after this many milliseconds, by all contenders. */
const timeout = 2_000;

export interface Contender {
	label: string;
	isOurs: boolean;
	node: NodeUnderTest;
}

function ours(label: string, type: string, options: IDataObject): Contender {
	const parameters = { ...mapped, options: { timeout, ...options } };
	return { label, isOurs: true, node: { name: 'Send', type, parameters, ...retryOnFail } };
}

const httpRequest: NodeUnderTest = {
	name: 'Send',
	type: 'n8n-nodes-base.httpRequest',
	typeVersion: 4.2,
	...retryOnFail,
};

function createRival(baseUrl: string): Contender {
	const parameters = {
		method: 'POST',
		url: `${baseUrl}/rest/send`,
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'messagingServiceApi',
		sendBody: true,
		specifyBody: 'json',
		jsonBody: '={{ JSON.stringify({ to: $json.to, message: $json.message, from: "Chaos" }) }}',
		options: { timeout },
	};
	return { label: 'HTTP Request x5', isOurs: false, node: { ...httpRequest, parameters } };
}

/** All with Retry On Fail, five tries a second apart. */
export function createContenders(baseUrl: string): Contender[] {
	return [
		ours('SMS Send', 'smsSend', { parallelRequests: 20 }),
		ours('SMS Bulk Send', 'smsBulkSend', { recipientsPerRequest: 20 }),
		createRival(baseUrl),
	];
}
