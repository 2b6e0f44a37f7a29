import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	INodeExecutionData,
	IWebhookFunctions,
} from 'n8n-workflow';

import { declareError } from '../input/InputError';
import { isRecord } from './json';

export const credentialType = 'messagingServiceApi';

export type N8nContext = IExecuteFunctions | IWebhookFunctions;

/** How messages carry flags: on as 1 and off not at all, or always, as a number or a boolean. */
const flagForms = ['whenOn', 'numbers', 'booleans'] as const;
export type Flags = (typeof flagForms)[number];

export interface ServiceCredentials {
	baseUrl: string;
	apiKey: string;
	apiSecret: string;
	authorizationScheme: 'Bearer' | 'Basic';
	/** The zone in which the account reads schedules; empty for the default. */
	serviceTimeZone: string;
	/** For nodes whose own field is empty. */
	senderId: string;
	brand: string;
	flags: Flags;
	/** As entered; null if an expression in the credential returned no text. */
	onlySendTo: string | null;
}

/** What the credential has for fields of nodes, by the name of the field; empty for none. */
export interface CredentialDefaults {
	/** Sender ID. */
	from: string;
	brand: string;
}

/** Trims spaces, line breaks and invisible characters, which copying adds. */
function toText(value: unknown): string {
	const text = typeof value === 'number' ? String(value) : value;
	return typeof text === 'string' ? text.replace(/^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu, '') : '';
}

/** Reads the credential from n8n. Fields that an earlier version did not have get their default. */
export function readCredentials(data: unknown): ServiceCredentials {
	const fields = isRecord(data) ? data : {};
	const { onlySendTo = 'onlySendTo' in fields ? null : '' } = fields;
	return {
		baseUrl: toText(fields.baseUrl),
		apiKey: toText(fields.apiKey),
		apiSecret: toText(fields.apiSecret),
		authorizationScheme: fields.authorizationScheme === 'Basic' ? 'Basic' : 'Bearer',
		serviceTimeZone: toText(fields.serviceTimeZone),
		senderId: toText(fields.senderId),
		brand: toText(fields.brand),
		flags: flagForms.find((form) => form === fields.flags) ?? 'whenOn',
		onlySendTo: typeof onlySendTo === 'string' ? onlySendTo : null,
	};
}

export type ApiKey = Pick<ServiceCredentials, 'apiKey' | 'apiSecret'>;

/** The API token: Base64 of `APIKey:APISecret` in UTF-8 ("Authentication", rule 2). */
export function toApiToken({ apiKey, apiSecret }: ApiKey): string {
	return Buffer.from(`${apiKey}:${apiSecret}`, 'utf8').toString('base64');
}

const differs = declareError(
	'The credential differs between items: it is another one for item <number>',
	'Add a Loop Over Items node with Batch Size 1, so that each item uses its own credential.',
);

/**
 * Whether the credential has an expression that depends on the item. Reading the credential costs a query for each
 * item, so this reads it once more, for an item that is not there, and watches whether n8n looks at the items.
 */
async function isOfItem(
	context: IExecuteFunctions,
	items: INodeExecutionData[],
	first: string,
): Promise<boolean> {
	let isAskedFor = false;
	const get = (target: INodeExecutionData[], name: string) => {
		isAskedFor = true;
		return Reflect.get(target, name) as unknown;
	};
	const watcher = Object.create(context, {
		connectionInputData: { value: new Proxy(items, { get }) },
	}) as IExecuteFunctions;
	const beyond = await watcher
		.getCredentials(credentialType, items.length)
		.then(JSON.stringify, () => undefined);
	return isAskedFor || beyond !== first;
}

/** The data of the credential, the same for all items. @throws InputError if it differs between them */
export async function readCredential(context: N8nContext): Promise<ICredentialDataDecryptedObject> {
	const data = await context.getCredentials(credentialType, 0);
	if (!('getExecutionCancelSignal' in context)) return data;
	const items = context.getInputData();
	const first = JSON.stringify(data);
	if (items.length < 2 || !(await isOfItem(context, items, first))) return data;
	for (let item = 1; item < items.length; item += 1) {
		const other = await context.getCredentials(credentialType, item);
		if (JSON.stringify(other) !== first) throw differs('credential', { number: item + 1 });
	}
	return data;
}
