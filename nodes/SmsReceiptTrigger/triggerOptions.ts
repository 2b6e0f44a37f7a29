import type { INodeProperties, IWebhookFunctions } from 'n8n-workflow';

import { option, switchOption, type ValuesOf } from '../shared/options/option';
import { OptionReader, toCollections } from '../shared/options/reader';
import { parseAllowlist, readSecret } from './access';
import { statuses } from './statusOptions';

export const triggerOptions = {
	ipAllowlist: option(
		{
			displayName: 'IP Allowlist',
			name: 'ipAllowlist',
			type: 'string',
			default: '',
			placeholder: 'e.g. 203.0.113.7, 198.51.100.0/24',
			description: 'IP addresses and ranges that may report receipts, separated by commas',
			hint: 'Calls from other IP addresses get 403. Behind a proxy, set N8N_PROXY_HOPS and N8N_LISTEN_ADDRESS=127.0.0.1.',
		},
		undefined,
		parseAllowlist,
	),
	passOnRepeats: switchOption({
		displayName: 'Allow Repeated Receipts',
		name: 'passOnRepeats',
		type: 'boolean',
		default: true,
		description:
			'Whether to start the workflow again for a receipt that was accepted in the last 24 hours',
	}),
	secret: option<string | undefined>(
		{
			displayName: 'Secret',
			name: 'secret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description:
				'Random text of 16 or more letters and digits that the URL must contain as ?secret=YOUR-SECRET. Calls without it get 401.',
		},
		undefined,
		readSecret,
	),
};

const allOptions = { ...triggerOptions, statuses };

export const properties: INodeProperties[] = [
	{
		displayName:
			'Publish the workflow. Copy the Production URL, and paste it into your provider\'s dashboard. <a href="https://github.com/n8n-nodes-messaging-service/n8n-nodes-messaging-service/blob/main/docs/receipts-without-public-address.md" target="_blank">No public URL?</a>',
		name: 'whereToPaste',
		type: 'notice',
		default: '',
	},
	statuses.property,
	...toCollections(allOptions),
];

export type TriggerSettings = ValuesOf<typeof allOptions>;

/** @throws InputError for settings that protect nothing or would drop receipts unintentionally */
export function readSettings(context: IWebhookFunctions): TriggerSettings {
	const { parameters } = context.getNode();
	const readField = (name: string) => context.getNodeParameter(name);
	return new OptionReader(allOptions, readField, { parameters, items: 1 }).read(0);
}
