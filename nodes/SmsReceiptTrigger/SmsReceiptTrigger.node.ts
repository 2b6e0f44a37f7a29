import {
	NodeConnectionTypes,
	type IDataObject,
	type IHookFunctions,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';

import { InputError } from '../shared/validation/InputError';
import { findRefusal, requireUsableOptions, type AccessOptions, type Refusal } from './access';
import { isWanted, parseReceipts, ReceiptError } from './receipt';

function toRefusal(error: unknown): Refusal {
	if (error instanceof ReceiptError) return { status: 400, text: error.message };
	if (error instanceof InputError)
		return { status: 403, text: 'Receipts are not taken until the options here are put right.' };
	return { status: 500, text: 'The receipt could not be taken. Please send it again.' };
}

function refuse(context: IWebhookFunctions, { status, text }: Refusal): IWebhookResponseData {
	context.getResponseObject().status(status).type('text/plain').send(text);
	return { noWebhookResponse: true };
}

function receive(context: IWebhookFunctions): IWebhookResponseData {
	const { headers, ip = '', rawBody } = context.getRequestObject();
	const query = context.getQueryData() as IDataObject;
	const options = context.getNodeParameter('options', {}) as AccessOptions;
	const refusal = findRefusal(options, { address: ip, secret: query.secret });
	if (refusal !== undefined) return refuse(context, refusal);
	// An expression may give a single word instead of a list.
	const statuses = [context.getNodeParameter('statuses', [])].flat().map(String);
	const receipts = parseReceipts({
		query,
		body: context.getBodyData(),
		rawBody,
		contentType: headers['content-type'],
	}).filter((receipt) => isWanted(receipt, statuses));
	// A receipt that is not wanted is answered like any other, or the service would call again.
	if (receipts.length === 0) return { webhookResponse: 'OK' };
	const items = receipts.map((receipt) => ({ json: { ...receipt } }));
	return { webhookResponse: 'OK', workflowData: [items] };
}

export class SmsReceiptTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'SMS Delivery Receipt Trigger',
		name: 'smsReceiptTrigger',
		icon: {
			light: 'file:../../icons/messagingService.svg',
			dark: 'file:../../icons/messagingService.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle: '={{ $parameter["statuses"].join(", ") || "any status" }}',
		description: 'Starts the workflow when the service reports what became of a message',
		defaults: { name: 'SMS Delivery Receipt Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
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
					'Activate the workflow, copy the Production URL above, and paste it in the dashboard of the service under Account & Security > Settings as default callback URL, or in Delivery Receipt URL of a send node. With a secret, add <code>?secret=YOUR-SECRET</code> to it.',
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
				options: [
					{ name: 'Accepted', value: 'Accepted', description: 'The service has taken the message' },
					{ name: 'Delivered', value: 'Delivered', description: 'The message is on the phone' },
					{
						name: 'Error',
						value: 'Error',
						description: 'The operator answered with an error code',
					},
					{ name: 'Expired', value: 'Expired', description: 'The message was given up in time' },
					{ name: 'Failed', value: 'Failed', description: 'The message could not be delivered' },
					{
						name: 'Pending',
						value: 'Pending',
						description: 'The operator is still waiting to deliver',
					},
					{ name: 'Rejected', value: 'Rejected', description: 'The message was rejected' },
					{ name: 'Sent', value: 'Sent', description: 'The message is with the network' },
					{ name: 'Success', value: 'Success', description: 'Another word for delivered' },
					{
						name: 'Undelivered',
						value: 'Undelivered',
						description: 'The message could not be delivered',
					},
					{ name: 'Unknown (?)', value: '?', description: 'The service does not know the status' },
				],
			},
			{
				displayName: 'Options',
				name: 'options',
				type: 'collection',
				placeholder: 'Add option',
				default: {},
				options: [
					{
						displayName: 'IP Allowlist',
						name: 'ipAllowlist',
						type: 'string',
						default: '',
						placeholder: 'e.g. 203.0.113.7, 198.51.100.0/24',
						description:
							'Addresses and ranges (CIDR) that may report receipts, separated by commas. Anybody else gets 403. Behind a reverse proxy, N8N_PROXY_HOPS has to be set.',
					},
					{
						displayName: 'Secret',
						name: 'secret',
						type: 'string',
						typeOptions: { password: true },
						default: '',
						description:
							'A long random text of letters and digits that the address has to carry as ?secret=YOUR-SECRET. Calls without it get 401.',
					},
				],
			},
		],
	};

	// The service has no operation that sets the callback URL: the user pastes it in the dashboard.
	webhookMethods = {
		default: {
			async checkExists(this: IHookFunctions): Promise<boolean> {
				return false;
			},
			async create(this: IHookFunctions): Promise<boolean> {
				requireUsableOptions(this.getNodeParameter('options', {}) as AccessOptions);
				return true;
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				return true;
			},
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		try {
			return receive(this);
		} catch (error) {
			return refuse(this, toRefusal(error));
		}
	}
}
