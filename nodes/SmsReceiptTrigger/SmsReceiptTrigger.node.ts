import {
	NodeConnectionTypes,
	type IDataObject,
	type IHookFunctions,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';

import { messagingServiceApiTest } from '../shared/client/credentialTest';
import { optionalWholeNumber } from '../shared/parameters';
import {
	isWanted,
	parseReceipts,
	ReceiptError,
	type DeliveryReceipt,
} from '../shared/receipt/receipt';
import { InputError } from '../shared/validation/InputError';
import { findRefusal, requireUsableOptions, type AccessOptions, type Refusal } from './access';
import { confirmReceipts } from './confirm';
import { gatherReceipts } from './gatherReceipts';
import { anyStatus, statusOptions } from './statusOptions';

interface TriggerOptions extends AccessOptions {
	batchSize?: unknown;
	confirmWithTheService?: boolean;
}

const mostReceiptsPerExecution = 1000;

/** @throws InputError */
function readBatchSize({ batchSize }: TriggerOptions): number {
	const most = mostReceiptsPerExecution;
	return optionalWholeNumber(batchSize, 'batchSize', 'Batch Size', 1, most) ?? 1;
}

const notConfirmedYet: Refusal = {
	status: 503,
	text: 'The receipt could not be confirmed yet. Please send it again.',
};
const notTaken = 'The receipt could not be taken. Please send it again.';

function toRefusal(error: unknown): Refusal {
	if (error instanceof ReceiptError) return { status: 400, text: error.message };
	if (error instanceof InputError)
		return { status: 403, text: 'Receipts are not taken until the options here are put right.' };
	return { status: 500, text: notTaken };
}

function refuse(context: IWebhookFunctions, { status, text }: Refusal): IWebhookResponseData {
	context.getResponseObject().status(status).type('text/plain').send(text);
	return { noWebhookResponse: true };
}

/** The receipts that the service itself knows of; `undefined` when it cannot say of one of them yet. */
async function keepConfirmed(
	context: IWebhookFunctions,
	receipts: DeliveryReceipt[],
): Promise<DeliveryReceipt[] | undefined> {
	const confirmations = await confirmReceipts(context, receipts);
	if (confirmations.includes('later')) return undefined;
	return receipts.filter((_, index) => confirmations[index] === 'confirmed');
}

/** n8n leaves a body alone whose type it does not know. */
async function readUnknownBody(request: ReturnType<IWebhookFunctions['getRequestObject']>) {
	const isForm = /^multipart\//i.test(request.headers['content-type'] ?? '');
	if (request.rawBody === undefined && !isForm) await request.readRawBody();
}

async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const request = context.getRequestObject();
	const { headers, ip = '' } = request;
	const query = context.getQueryData() as IDataObject;
	const options = context.getNodeParameter('options', {}) as TriggerOptions;
	const refusal = findRefusal(options, { address: ip, secret: query.secret });
	if (refusal !== undefined) return refuse(context, refusal);
	await readUnknownBody(request);
	// An expression may give a single word instead of a list.
	const chosen = [context.getNodeParameter('statuses', [])].flat().map(String);
	const statuses = chosen.includes(anyStatus) ? [] : chosen;
	const wanted = parseReceipts({
		query,
		body: context.getBodyData(),
		rawBody: request.rawBody,
		contentType: headers['content-type'],
	}).filter((receipt) => isWanted(receipt, statuses));
	const receipts = options.confirmWithTheService ? await keepConfirmed(context, wanted) : wanted;
	if (receipts === undefined) return refuse(context, notConfirmedYet);
	// A receipt that is not wanted is answered like any other, or the service would call again.
	if (receipts.length === 0) return { webhookResponse: 'OK' };
	const gathered = await gatherReceipts(context, receipts, readBatchSize(options));
	if (!('toStart' in gathered))
		return gathered.isStarted
			? { webhookResponse: 'OK' }
			: refuse(context, { status: 503, text: notTaken });
	const items = gathered.toStart.map((receipt) => ({ json: { ...receipt } }));
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
		// For version 1, n8n evaluates an expression of its own for every call. Otherwise they are the same.
		version: [1, 2],
		subtitle: '={{ $parameter["statuses"].join(", ").replace("*", "any status") || "any status" }}',
		description: 'Starts the workflow when the service reports what became of a message',
		defaults: { name: 'SMS Delivery Receipt Trigger' },
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
					'Publish (activate) the workflow, open Webhook URLs above, and copy the Production URL. Paste it in the dashboard of the service under Account & Security > Settings as default callback URL, or into the option Delivery Receipt URL of a send node. With the option Secret, add <code>?secret=YOUR-SECRET</code> to its end.',
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
				default: {},
				options: [
					{
						displayName: 'Batch Size',
						name: 'batchSize',
						type: 'number',
						typeOptions: {
							minValue: 1,
							maxValue: mostReceiptsPerExecution,
							numberPrecision: 0,
						},
						default: 100,
						description:
							'How many receipts may start one execution together. Receipts that come in at the same time become several items, and so take fewer executions. Without this option every call starts an execution of its own.',
					},
					{
						displayName: 'Confirm With The Service',
						name: 'confirmWithTheService',
						type: 'boolean',
						default: false,
						description:
							'Whether to look each message up in history before the workflow starts, and to drop receipts that the service does not know. Choose the credential above for it. Costs one or more requests for each receipt, and some seconds when history is late.',
					},
					{
						displayName: 'IP Allowlist',
						name: 'ipAllowlist',
						type: 'string',
						default: '',
						placeholder: 'e.g. 203.0.113.7, 198.51.100.0/24',
						description:
							'IP addresses and ranges that may report receipts, separated by commas. Everybody else is turned away (403). Ask the service for its addresses. When n8n runs behind a proxy, its setting N8N_PROXY_HOPS is needed.',
					},
					{
						displayName: 'Secret',
						name: 'secret',
						type: 'string',
						typeOptions: { password: true },
						default: '',
						description:
							'A long random text of letters and digits. Add it to the address that you paste at the service, as ?secret=YOUR-SECRET. Calls without it are turned away (401).',
					},
				],
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

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		try {
			return await receive(this);
		} catch (error) {
			return refuse(this, toRefusal(error));
		}
	}
}
