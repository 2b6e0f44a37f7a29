import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { messagingServiceApiTest } from '../shared/client/credentialTest';
import { execute, properties } from './otpRequest.operation';

export class OtpRequest implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'OTP Request',
		name: 'otpRequest',
		icon: {
			light: 'file:../../icons/otpRequest.svg',
			dark: 'file:../../icons/otpRequest.dark.svg',
		},
		group: ['output'],
		version: 1,
		subtitle: '={{ $parameter["to"] }}',
		description: 'Send a one-time code by SMS or email to verify a person',
		builderHint: {
			searchHint:
				'Executing this node really sends a code and costs money. Pass its requestId to OTP Verify, and its To to the field Must Belong To of OTP Verify, so that a code counts only for the person who requested it.',
		},
		defaults: { name: 'OTP Request' },
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
