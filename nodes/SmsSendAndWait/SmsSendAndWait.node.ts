import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { messagingServiceApiTest } from '../shared/client/credentialTest';
import { waitingWebhooks } from '../shared/n8n/waiting';
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
			'Send an SMS text message and wait until it is delivered or has failed, at most until the time limit',
		builderHint: {
			searchHint:
				'Executing this node really sends and costs money; it has no dry run. Output: outcome, status, to and messageId. outcome is delivered (status Delivered or Success), notDelivered (Error, Expired, Failed, Rejected, Undelivered) or timedOut, which is not final. With waitFor delivered, a failure does not end the wait, and ends as timedOut. timeLimit is in minutes. Several messages: Execute Workflow, mode Run once for each item, Wait For Sub-Workflow Completion off, with this node in the sub-workflow. Use Loop Over Items only if each must wait for the one before. An error of the service stops the workflow, as a bad number does; with onError continueRegularOutput, it becomes an item with error and details.kind, and without outcome. The service reports to the public URL of n8n; without one, the node only reads message history for 30 seconds. As a tool, it responds within 45 seconds.',
		},
		defaults: { name: 'SMS Send and Wait for Delivery' },
		waitingNodeTooltip: 'Waiting for the delivery status of the message, or for the time limit',
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{ name: 'messagingServiceApi', required: true, testedBy: 'messagingServiceApiTest' },
		],
		webhooks: waitingWebhooks(),
		properties: [...properties],
	};

	methods = { credentialTest: { messagingServiceApiTest } };

	execute = execute;

	webhook = webhook;
}
