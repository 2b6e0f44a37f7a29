import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { messagingServiceApiTest } from '../shared/client/credentialTest';
import { webhook } from './receive';
import { execute, properties } from './sendAndWait.operation';

export class SmsSendAndWait implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'SMS Send and Wait for Delivery',
		name: 'smsSendAndWait',
		icon: {
			light: 'file:../../icons/smsSendAndWait.svg',
			dark: 'file:../../icons/smsSendAndWait.dark.svg',
		},
		group: ['output'],
		version: 1,
		subtitle: '={{ $parameter["to"] }}',
		description:
			'Send an SMS and wait until it is delivered, has failed, or the time limit is reached',
		builderHint: {
			searchHint:
				'Executing this node really sends and costs money; it has no dry run. It waits for a call from the service, so n8n should have a public URL; without one, it reads message history for 15 minutes. It takes one item: put it into Loop Over Items with a batch size of 1. Branch on the output field outcome.',
		},
		defaults: { name: 'SMS Send and Wait for Delivery' },
		waitingNodeTooltip: 'Waiting for the delivery status of the message, or for the time limit',
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{ name: 'messagingServiceApi', required: true, testedBy: 'messagingServiceApiTest' },
		],
		// Without responseData, n8n would respond with the first item.
		webhooks: (['GET', 'POST'] as const).map((httpMethod) => ({
			name: 'default',
			httpMethod,
			responseMode: 'onReceived',
			responseData: '',
			path: '={{ $nodeId }}',
			restartWebhook: true,
			isFullPath: true,
		})),
		properties: [...properties],
	};

	methods = { credentialTest: { messagingServiceApiTest } };

	execute = execute;

	webhook = webhook;
}
