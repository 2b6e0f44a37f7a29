import {
	NodeConnectionTypes,
	type IHookFunctions,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { messagingServiceApiTest } from '../shared/client/credentialTest';
import { requireUsableOptions } from './access';
import { webhook } from './receive';
import { statusOptions } from './statusOptions';
import { readBatchSize, triggerOptions, type TriggerOptions } from './triggerOptions';

export class SmsReceiptTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'SMS Delivery Receipt Trigger',
		name: 'smsReceiptTrigger',
		icon: {
			light: 'file:../../icons/messagingService.svg',
			dark: 'file:../../icons/messagingService.dark.svg',
		},
		group: ['trigger'],
		// For version 1, n8n evaluates an expression of its own for every call. Otherwise they are the same.
		version: [1, 2],
		subtitle:
			'={{ $parameter["statuses"].join(", ").replace("*", "any status").replace("onDelivered", "delivered").replace("onNotDelivered", "not delivered") || "any status" }}',
		description: 'Starts the workflow when the service reports what became of a message',
		defaults: { name: 'SMS Delivery Receipt Trigger' },
		triggerPanel: {
			header: 'Take a delivery receipt',
			// While it listens, n8n covers the addresses and shows words of its own.
			activationHint:
				'To try it out, open <b>Webhook URLs</b> beside this, copy the <b>Test URL</b> and put <code>?secret=</code> and your secret behind it. Then choose <b>Execute step</b>, and send a message with this address as <b>Delivery Receipt URL</b>: its receipt comes in here. The first one may be <b>Sent</b>; execute the step again for the next one.',
			executionsHelp:
				'The <b>Test URL</b> takes one receipt while this node listens, and takes the same one again and again. The <b>Production URL</b> works once the workflow is published, and starts nothing for a receipt that was already taken in the last 24 hours; what it starts shows up in the list of executions.',
		},
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			// Only for the option Confirm With The Service.
			{ name: 'messagingServiceApi', required: false, testedBy: 'messagingServiceApiTest' },
		],
		webhooks: [
			// Without responseData n8n would answer with the first item.
			{
				name: 'default',
				httpMethod: 'GET',
				responseMode: 'onReceived',
				responseData: '',
				path: 'webhook',
			},
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				responseData: '',
				path: 'webhook',
			},
		],
		properties: [
			{
				displayName:
					'Fill in a Secret. Publish (activate) the workflow, open Webhook URLs above, and copy the Production URL; while you try the workflow out, take the Test URL. Add <code>?secret=YOUR-SECRET</code> to its end. Paste it in the dashboard of the service under Account & Security > Settings as default callback URL, or into the option Delivery Receipt URL of a send node. The first receipt of a message may be Sent.',
				name: 'whereToPaste',
				type: 'notice',
				default: '',
			},
			{
				displayName: 'Trigger On',
				name: 'statuses',
				type: 'multiOptions',
				default: [],
				placeholder: 'All statuses',
				options: [...statusOptions],
			},
			{
				displayName: 'Options',
				name: 'options',
				type: 'collection',
				placeholder: 'Add option',
				// An empty Secret keeps the workflow from being published before somebody has thought of it.
				default: { secret: '' },
				options: [...triggerOptions],
			},
		],
	};

	methods = { credentialTest: { messagingServiceApiTest } };

	// The service has no operation that sets the callback URL: the user pastes it in the dashboard.
	webhookMethods = {
		default: {
			async checkExists(this: IHookFunctions): Promise<boolean> {
				return false;
			},
			async create(this: IHookFunctions): Promise<boolean> {
				const options = this.getNodeParameter('options', {}) as TriggerOptions;
				requireUsableOptions(options);
				readBatchSize(options);
				return true;
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				return true;
			},
		},
	};

	webhook = webhook;
}
