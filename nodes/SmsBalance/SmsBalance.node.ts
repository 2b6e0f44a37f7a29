import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { messagingServiceApiTest } from '../shared/client/credentialTest';
import { execute, properties } from './balance.operation';

export class SmsBalance implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'SMS Balance',
		name: 'smsBalance',
		icon: {
			light: 'file:../../icons/smsBalance.svg',
			dark: 'file:../../icons/smsBalance.dark.svg',
		},
		group: ['input'],
		version: 1,
		subtitle: 'get balance',
		description: 'Read the account balance of the messaging service',
		builderHint: {
			searchHint:
				'Only reads: sends nothing and costs nothing. One item out, however many come in: never put it between a list and a send node. To act on a low balance, compare it in an If node. Output: balance (a number) and currency.',
		},
		defaults: { name: 'SMS Balance' },
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
