import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { messagingServiceApiTest } from '../shared/client/credentialTest';
import { execute, properties } from './bulkSend.operation';

export class SmsBulkSend implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'SMS Bulk Send',
		name: 'smsBulkSend',
		icon: {
			light: 'file:../../icons/smsBulkSend.svg',
			dark: 'file:../../icons/smsBulkSend.dark.svg',
		},
		group: ['output'],
		version: 1,
		subtitle: 'one message per item',
		description: 'Send an SMS text message for every input item, in few requests',
		builderHint: {
			searchHint:
				'Executing this node really sends and costs money. Sends at once; to schedule, use SMS Send. Test with dryRun: true, a parameter beside to; set it to false for real use. Every other option stands in options. n8n drops a name that stands elsewhere or is not listed, and the SMS is sent. The Sender ID is the parameter from, a name registered for the account. Each input item becomes one message, so do not add a loop. If one is wrong, nothing is sent. A wrong item or an error of the service stops the workflow; with onError continueRegularOutput, the others are sent, and this one has error, result and details.kind (a wrong number: input, and details.field is to). A skipped one has skipped (duplicate or optedOut) and no status. Numbers that lost their first 0 are read. Output: to, result, status, messageId. Of a dry run, in the order of the input, without its columns: wouldSend, result (toSend, or notSent for a wrong one, which has no error), reason (if it would not be sent), parts, cost (if pricePerPart is set) and warnings (a list). With output summary, one item: messages, wrong, notSent, unknown, duplicates, optedOut, alreadySent, parts, cost, title, text and html.',
		},
		defaults: { name: 'SMS Bulk Send' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{ name: 'messagingServiceApi', required: true, testedBy: 'messagingServiceApiTest' },
		],
		properties: [...properties],
	};

	methods = { credentialTest: { messagingServiceApiTest } };

	execute = execute;
}
