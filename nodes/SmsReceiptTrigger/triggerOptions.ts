import { type IHookFunctions, type INodeProperties, type IWebhookFunctions } from 'n8n-workflow';

import {
	numberOption,
	option,
	switchOption,
	toCollection,
	type Option,
	type ValuesOf,
} from '../shared/fields/option';
import { OptionReader } from '../shared/fields/readOptions';
import { requireSecret } from './access';
import { parseAllowlist } from './ipAllowlist';
import { statuses } from './statusOptions';

export const triggerOptions = {
	batchSize: numberOption(
		{
			displayName: 'Batch Size',
			name: 'batchSize',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 1000, numberPrecision: 0 },
			default: 100,
			description:
				'How many receipts may start one execution together. Receipts that come in at the same time become several items, and so take fewer executions. Without this option every call starts an execution of its own.',
		},
		1,
	),
	confirmWithTheService: switchOption({
		displayName: 'Confirm With The Service',
		name: 'confirmWithTheService',
		type: 'boolean',
		default: false,
		description:
			'Whether to look each message up in history before the workflow starts, and to drop receipts that the service does not know, or whose number, reference or final status it knows otherwise. Choose the credential above for it. Reads history one to three times for a receipt, at most 60 pages for a call, which takes some seconds when history is late.',
	}),
	ipAllowlist: option(
		{
			displayName: 'IP Allowlist',
			name: 'ipAllowlist',
			type: 'string',
			default: '',
			placeholder: 'e.g. 203.0.113.7, 198.51.100.0/24',
			description:
				'IP addresses and ranges that may report receipts, separated by commas. Everybody else is turned away (403). Ask the service for its addresses. When n8n runs behind a proxy, its setting N8N_PROXY_HOPS is needed.',
		},
		undefined,
		parseAllowlist,
	),
	passOnRepeats: switchOption({
		displayName: 'Pass On Repeats',
		name: 'passOnRepeats',
		type: 'boolean',
		default: false,
		description:
			'Whether to start the workflow again for a receipt (message and status) that was already taken in the last 24 hours. Without this option such a repeat is answered, and starts nothing.',
	}),
	secret: {
		property: {
			displayName: 'Secret',
			name: 'secret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description:
				'A long random text of letters and digits, 16 or more. Add it to the address that you paste at the service, as ?secret=YOUR-SECRET. Calls without it are turned away (401).',
		},
		whenAbsent: undefined,
		read: requireSecret,
	} as Option<string | undefined>,
};

export const properties: INodeProperties[] = [
	{
		displayName:
			'Fill in a Secret. Publish (activate) the workflow, open Webhook URLs above, and copy the Production URL; while you try the workflow out, take the Test URL. Add <code>?secret=YOUR-SECRET</code> to its end. Paste it in the dashboard of the service under Account & Security > Settings as default callback URL, or into the option Delivery Receipt URL of a send node. The first receipt of a message may be Sent.',
		name: 'whereToPaste',
		type: 'notice',
		default: '',
	},
	statuses.property,
	{
		...toCollection('options', triggerOptions),
		// An empty Secret keeps the workflow from being published before somebody has thought of it.
		default: { secret: '' },
	},
];

export type TriggerSettings = ValuesOf<typeof triggerOptions> & { statuses: string[] };

/** @throws InputError for what protects nothing, or would drop receipts that nobody meant to drop */
export function readSettings(context: IHookFunctions | IWebhookFunctions): TriggerSettings {
	const { parameters } = context.getNode();
	const readField = (name: string) => context.getNodeParameter(name);
	const place = { parameters, readField, items: 1 };
	return new OptionReader({ ...triggerOptions, statuses }, place).read(0);
}
