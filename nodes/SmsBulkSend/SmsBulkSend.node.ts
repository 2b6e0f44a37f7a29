import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

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
		description: 'Send one SMS for every input item, packed into few requests',
		builderHint: {
			searchHint:
				'Executing this node really sends and costs money. To test, set dryRun to true in safeguards, and remove it for real use. Every input item is one message: add no loop.',
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

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await execute.call(this);
	}
}
