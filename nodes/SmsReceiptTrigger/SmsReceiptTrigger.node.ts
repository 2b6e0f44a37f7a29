import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { webhook } from './receive';
import { properties } from './triggerOptions';

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
				'Needs no settings. The user enters its production URL at the service, or in options.deliveryReceiptUrl of SMS Send. With options.secret (16 or more letters and digits), the URL must end with ?secret= and the secret. statuses: onDelivered, onNotDelivered, or single ones such as Failed; empty for all. Output: messageId, to, recipient (digits with the country code), clientReference, status, delivered (true, false or null), final and updatedAtUtc (when the status changed, in UTC), but neither the text nor why the message failed: SMS History has the text by filters.messageId. One call can bring several receipts, one item each. Several can arrive for one message.',
		},
		defaults: { name: 'SMS Delivery Receipt Trigger' },
		triggerPanel: {
			header: 'Receive a delivery receipt',
			// While the node listens, n8n hides the addresses and shows its own text.
			activationHint:
				'To try it out:<br>1. Open <b>Webhook URLs</b> next to this, and copy the <b>Test URL</b>. It is the same for GET and POST.<br>2. Choose <b>Execute step</b>.<br>3. Send a message with this URL as <b>Delivery Receipt URL</b>. The first receipt may be <b>Sent</b>: execute the step again for the next one.',
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

	webhook = webhook;
}
