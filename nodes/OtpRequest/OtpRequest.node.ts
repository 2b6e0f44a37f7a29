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
		subtitle: 'send a code',
		description: 'Send a one-time code (OTP, 2FA) to verify a phone number or email address',
		builderHint: {
			searchHint:
				'Executing this node really sends a code and costs money; it has no dry run. Of the nodes that send, only this one may follow a public page, with a captcha checked before it, which the form of n8n does not have. Output: requestId, to, channel and expireAt, never the code. In OTP Verify, set requestId to this requestId, and expectedTo to this to, so that a code counts only for the person who requested it. Codes go to numbers in Myanmar unless options.allowedCountryCodes says more. The Sender ID is the parameter from. The name in the text is the parameter brand; it can be empty only if the credential has a Brand. An error of the service or a wrong number stops the workflow. Behind a website, set onError to continueRegularOutput and put an If on error after this node: otherwise the page for the code opens although no code was sent. details.kind says why: input, limited (a limit of this node), or an error of the service. Show visitors a text of your own instead of error.',
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
