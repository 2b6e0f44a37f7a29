import {
	NodeConnectionTypes,
	type IHookFunctions,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { webhook } from './receive';
import { properties, readSettings } from './triggerOptions';

export class SmsReceiptTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'SMS Delivery Receipt Trigger',
		name: 'smsReceiptTrigger',
		icon: {
			light: 'file:../../icons/smsReceiptTrigger.svg',
			dark: 'file:../../icons/smsReceiptTrigger.dark.svg',
		},
		group: ['trigger'],
		// Never 1: n8n would then evaluate its own expression in every call and accept about a third of the receipts.
		version: 2,
		subtitle:
			'={{ $parameter["statuses"].join(", ").replace("*", "any status").replace("onDelivered", "delivered").replace("onNotDelivered", "not delivered") || "any status" }}',
		description: 'Starts the workflow when the service reports the delivery status of a message',
		builderHint: {
			searchHint:
				'Set secret to 16 or more letters and digits. The user enters the webhook URL with ?secret= and the secret at the service, or in options.deliveryReceiptUrl of SMS Send; without it, calls get 401. statuses: onDelivered, onNotDelivered, or single ones such as Failed; empty for all. Output: messageId, to, clientReference, status, delivered (true, false or null) and final. Several receipts can arrive for one message.',
		},
		defaults: { name: 'SMS Delivery Receipt Trigger' },
		triggerPanel: {
			header: 'Receive a delivery receipt',
			// While the node listens, n8n hides the addresses and shows its own text.
			activationHint:
				'To try it out:<br>1. Open <b>Webhook URLs</b> next to this, and copy the <b>Test URL</b>. It is the same for GET and POST.<br>2. Add <code>?secret=</code> and your secret to its end.<br>3. Choose <b>Execute step</b>.<br>4. Send a message with this URL as <b>Delivery Receipt URL</b>. The first receipt may be <b>Sent</b>: execute the step again for the next one.',
			executionsHelp:
				'The <b>Test URL</b> accepts one receipt while this node listens. The <b>Production URL</b> works once the workflow is published. It ignores repeats for 24 hours. Find what it started under <b>Executions</b>.',
		},
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		// Without responseData, n8n would respond with the first item.
		webhooks: (['GET', 'POST'] as const).map((httpMethod) => ({
			name: 'default',
			httpMethod,
			responseMode: 'onReceived',
			responseData: '',
			path: 'webhook',
		})),
		properties: [...properties],
	};

	// The service has no operation to set the callback URL: the user pastes it into the dashboard. Publishing only
	// rejects settings that would accept no receipts.
	webhookMethods = {
		default: {
			checkExists: async () => false,
			async create(this: IHookFunctions): Promise<boolean> {
				readSettings(this);
				return true;
			},
			delete: async () => true,
		},
	};

	webhook = webhook;
}
