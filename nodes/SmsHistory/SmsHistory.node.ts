import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { messagingServiceApiTest } from '../shared/client/credentialTest';
import { execute, properties } from './history.operation';

export class SmsHistory implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'SMS History',
		name: 'smsHistory',
		icon: {
			light: 'file:../../icons/smsHistory.svg',
			dark: 'file:../../icons/smsHistory.dark.svg',
		},
		group: ['input'],
		version: 1,
		subtitle: 'get many messages',
		description: 'List SMS text messages that were sent, with their status',
		builderHint: {
			searchHint:
				'Only reads: sends nothing and costs nothing. Returns at most limit messages (50), unless returnAll is true. Filter with filters.status (["notDelivered"] for every message that was not delivered), filters.filterByCreatedDateFrom and filters.filterByCreatedDateTo (a day: 2026-11-28 or a DateTime; endOf may be the day after), filters.to and others; an empty filter is an error. It has the text of a message that a receipt reports: filters.messageId. Input items with equal values share one result. Output, one item per message: to, status, messageId, clientReference, message, createdAt, and network (set simplify to false to always have it), but no cause of a failure; encrypted is true where message is ciphertext, which must not be sent again. Use it on a schedule where n8n has no public URL for receipts.',
		},
		defaults: { name: 'SMS History' },
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
