import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { messagingServiceApiTest } from '../shared/client/credentialTest';
import { execute, properties } from './otpVerify.operation';

export class OtpVerify implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'OTP Verify',
		name: 'otpVerify',
		icon: {
			light: 'file:../../icons/otpVerify.svg',
			dark: 'file:../../icons/otpVerify.dark.svg',
		},
		group: ['output'],
		version: 1,
		subtitle: 'check a code',
		description:
			'Verify the one-time code (OTP, 2FA) that a person typed. Output 0 is Rejected, output 1 is Verified: continue only from output 1.',
		builderHint: {
			searchHint:
				'Two outputs: output 0 is Rejected, output 1 is Verified. Continue a sign-in only from output 1. Wrong codes and pinned trial data go to output 0. If a code cannot be checked, the workflow stops and a website gets no response: set onError to continueRegularOutput, and the item goes to output 0. Show visitors a text of your own for each reason: wrongOrExpired, notACode, otherRecipient, couldNotCheck, rejected. Set expectedTo to the number or email address that the person claims. Output: verified, requestId, to.',
		},
		defaults: { name: 'OTP Verify' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main, NodeConnectionTypes.Main],
		outputNames: ['Rejected', 'Verified'],
		credentials: [
			{ name: 'messagingServiceApi', required: true, testedBy: 'messagingServiceApiTest' },
		],
		properties: [...properties],
	};

	methods = { credentialTest: { messagingServiceApiTest } };

	execute = execute;
}
