import { type IHookFunctions, type INodeProperties, type IWebhookFunctions } from 'n8n-workflow';

import {
	choiceOption,
	numberOption,
	ofNode,
	option,
	switchOption,
	type ValuesOf,
} from '../shared/options/option';
import { toCollections } from '../shared/options/collection';
import { OptionReader } from '../shared/options/reader';
import { parseAllowlist, requireSecret, shortestSecret } from './access';
import { statuses } from './statusOptions';

const authentication = ofNode(
	choiceOption<'none' | 'secret'>(
		{
			displayName: 'Authentication',
			name: 'authentication',
			type: 'options',
			noDataExpression: true,
			options: [
				{
					name: 'None',
					value: 'none',
					description: 'Anyone who knows the URL can report receipts',
				},
				{
					name: 'Secret',
					value: 'secret',
					description: 'The URL must contain ?secret= and the secret below',
				},
			],
			default: 'secret',
			description: 'How to keep out calls by strangers. The service does not sign receipts.',
		},
		'secret',
	),
);

const secret: INodeProperties = {
	displayName: 'Secret',
	name: 'secret',
	type: 'string',
	typeOptions: { password: true },
	required: true,
	displayOptions: { show: { authentication: ['secret'] } },
	default: '',
	description:
		'Random text of 16 or more letters and digits, appended to the URL as ?secret=YOUR-SECRET. Calls without it get 401.',
};

/** Judged in the panel, before publishing rejects it. */
const wrongSecret: INodeProperties = {
	displayName: 'This secret is too short, or breaks a URL. Use 16 or more letters and digits.',
	name: 'wrongSecret',
	type: 'notice',
	default: '',
	displayOptions: {
		show: { authentication: ['secret'] },
		// An expression has a value that the panel does not know.
		hide: { secret: [{ _cnd: { regex: `^(=.*|[\\w.~-]{${shortestSecret},})?$` } }] },
	},
};

export const triggerOptions = {
	batchSize: numberOption(
		{
			displayName: 'Batch Size',
			name: 'batchSize',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 1000, numberPrecision: 0 },
			default: 100,
			description: 'Max receipts to combine into one execution',
		},
		1,
	),
	ipAllowlist: option(
		{
			displayName: 'IP Allowlist',
			name: 'ipAllowlist',
			type: 'string',
			default: '',
			placeholder: 'e.g. 203.0.113.7, 198.51.100.0/24',
			description: 'IP addresses and ranges that may report receipts, separated by commas',
			hint: 'Calls from other IP addresses get 403. Behind a proxy, set N8N_PROXY_HOPS.',
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
};

const allOptions = { ...triggerOptions, authentication, statuses };

export const properties: INodeProperties[] = [
	{
		displayName:
			'Publish, copy the Production URL, add ?secret=YOUR-SECRET to its end, and enter it at the service. <a href="https://github.com/n8n-nodes-messaging-service/n8n-nodes-messaging-service/blob/main/docs/receipts-without-public-address.md" target="_blank">No public URL?</a>',
		name: 'whereToPaste',
		type: 'notice',
		default: '',
	},
	authentication.property,
	secret,
	wrongSecret,
	statuses.property,
	...toCollections(allOptions),
];

export type TriggerSettings = ValuesOf<typeof allOptions> & {
	/** What the URL must contain; undefined if Authentication is None. */
	secret: string | undefined;
};

/** @throws InputError for settings that protect nothing or would drop receipts unintentionally */
export function readSettings(context: IHookFunctions | IWebhookFunctions): TriggerSettings {
	const { parameters } = context.getNode();
	const readField = (name: string) => context.getNodeParameter(name);
	const settings = new OptionReader(allOptions, { parameters, readField, items: 1 }).read(0);
	const isOpen = settings.authentication === 'none';
	const required = () => requireSecret(context.getNodeParameter(secret.name, ''));
	return { ...settings, secret: isOpen ? undefined : required() };
}
