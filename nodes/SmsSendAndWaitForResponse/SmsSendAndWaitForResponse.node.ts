import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { messagingServiceApiTest } from '../shared/client/credentialTest';
import { waitingWebhooks } from '../shared/n8n/waiting';
import { execute, properties } from './ask.operation';
import { webhook } from './respond';

export class SmsSendAndWaitForResponse implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'SMS Send and Wait for Response',
		name: 'smsSendAndWaitForResponse',
		icon: {
			light: 'file:../../icons/smsSendAndWaitForResponse.svg',
			dark: 'file:../../icons/smsSendAndWaitForResponse.dark.svg',
		},
		group: ['output'],
		version: 1,
		subtitle: '={{ $parameter["to"] }}',
		description:
			'Ask a person by SMS for an approval, a choice or a text, and wait for the response',
		builderHint: {
			searchHint:
				'Executing this node really sends and costs money; it has no dry run. Output: data.approved, data.choice or data.text, timedOut, to and messageId. Continue only if data.approved is true: declined and timed out leave by the same output. Several people: Execute Workflow, mode Run once for each item, Wait For Sub-Workflow Completion off, with this node in the sub-workflow. Use Loop Over Items only if each must wait for the one before. An error of the service stops the workflow, as a bad number does; with onError continueRegularOutput, it becomes an item with error and details.kind, and with data.approved false. The SMS links to a page, so n8n needs a public URL. As a tool of an agent it blocks nothing: to approve what an agent does, ask in the workflow before the node that does it.',
		},
		defaults: { name: 'SMS Send and Wait for Response' },
		waitingNodeTooltip: 'Waiting for the response to the SMS, or the time limit',
		// What a model reads of the plain tool.
		usableAsTool: {
			replacements: {
				description:
					'Ask a person by SMS for an approval, a choice or a text, and wait for the response. Costs money: ask once. Only data.approved true is an approval: respect a decline. This holds back no other tool.',
			},
		},
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
