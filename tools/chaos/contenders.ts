import type { IDataObject } from 'n8n-workflow';
import { inCollections, type NodeUnderTest } from '../harness';
import { timeoutMs as timeout, type Scenario } from './scenarios';

const retryOnFail = { retryOnFail: true, maxTries: 5, waitBetweenTries: 1000 };
const mapped = { to: '={{ $json.to }}', message: '={{ $json.message }}', from: 'Chaos' };

export interface Contender {
	label: string;
	isOurs: boolean;
	createNode(baseUrl: string, scenario: Scenario): NodeUnderTest;
}

function ours(
	label: string,
	type: string,
	chooseOptions: (scenario: Scenario) => IDataObject,
): Contender {
	return {
		label,
		isOurs: true,
		createNode: (_, scenario) => ({
			name: 'Send',
			type,
			parameters: { ...mapped, ...inCollections({ timeout, ...chooseOptions(scenario) }) } as never,
			...retryOnFail,
		}),
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

const skipIfAlreadySent = true;
/** What makes a message known again in another execution. */
const named = { skipIfAlreadySent, clientReference: '={{ $json.reference }}' };

/** All with Retry On Fail, five tries a second apart. */
export const contenders: Contender[] = [
	ours('SMS Send', 'smsSend', ({ killedAfter }) => ({
		parallelRequests: 20,
		...(killedAfter && named),
	})),
	ours('SMS Bulk Send', 'smsBulkSend', ({ killedAfter, recipientsPerRequest }) => ({
		recipientsPerRequest,
		...(killedAfter && { skipIfAlreadySent }),
	})),
	{ label: 'HTTP Request', isOurs: false, createNode: createHttpRequest },
];
