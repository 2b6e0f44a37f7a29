import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

/** Fields that several nodes use. n8n changes the list of a node in place, so they are always spread into a new one. */

/** Milliseconds. */
export const defaultTimeout = 30_000;
export const defaultParallelRequests = 5;
export const mostParallelRequests = 100;

/**
 * What the model of an AI agent is told of a node that is its tool. Left to itself, n8n would tell it no more than
 * the short description in the nodes panel.
 */
export function toolDescription(text: string): INodeProperties {
	return {
		displayName: 'Description',
		name: 'toolDescription',
		type: 'string',
		typeOptions: { rows: 4 },
		required: true,
		default: text,
		displayOptions: { show: { '@tool': [true] } },
		description:
			'What the AI model is told about this tool: when to use it, and what its answers mean',
	};
}

/**
 * The description of a tool that sends: what is its own, among what holds for all of them.
 * @param purpose the first sentence
 * @param recipients goes on after what To takes
 */
export function sendToolDescription(
	purpose: string,
	recipients = '; several with commas between them',
	answer = 'The answer is one record for each recipient, with messageId and status.',
): INodeProperties {
	return toolDescription(
		`${purpose} Every message costs money and reaches a person: send each one once, and do not repeat a send that was answered. To takes 09…, 959… or +959…, or an international number with + and country code${recipients}. From is the sender ID. ${answer} An answer with "error" says what to change; if it says "outcome unknown", the message may be out: look into SMS History and do not send it again.`,
	);
}

export const to: INodeProperties = {
	displayName: 'To',
	name: 'to',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 09791234567',
	description:
		'Mobile number of the recipient, as 09…, 959… or +959…, or an international number with + and country code. Spaces, dashes and Burmese digits are fine.',
};

export const message: INodeProperties = {
	displayName: 'Message',
	name: 'message',
	type: 'string',
	typeOptions: { rows: 4 },
	required: true,
	default: '',
	placeholder: 'e.g. Your order is on its way',
	description:
		'Text of the SMS. A long text is charged as several parts: 160 characters fit into one part, 70 when the text has Burmese letters or emojis.',
};

export const senderId: INodeProperties = {
	displayName: 'Sender ID',
	name: 'from',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. MyShop',
	description:
		'Name or number that the recipient sees. It must be registered for your account, and upper and lower case matter.',
};

export const maxParts: INodeProperties = {
	displayName: 'Max Parts',
	name: 'maxParts',
	type: 'number',
	typeOptions: { minValue: 0, numberPrecision: 0 },
	default: 0,
	description:
		'Refuse a text that would be charged as more parts than this. 0 means that any length is sent.',
};

export const parallelRequests: INodeProperties = {
	displayName: 'Parallel Requests',
	name: 'parallelRequests',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: mostParallelRequests, numberPrecision: 0 },
	default: defaultParallelRequests,
	description:
		'How many requests may be on their way to the service at the same time. More is faster; lower it when the service asks for fewer requests.',
};

export const timeout: INodeProperties = {
	displayName: 'Timeout',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1000, numberPrecision: 0 },
	default: defaultTimeout,
	description: 'Milliseconds to wait for an answer of the service before it counts as lost',
};

/** Zones that users of the service are likely to mean; any other IANA name can come from an expression. */
export const timeZones: INodePropertyOptions[] = [
	'Asia/Bangkok',
	'Asia/Dhaka',
	'Asia/Ho_Chi_Minh',
	'Asia/Hong_Kong',
	'Asia/Jakarta',
	'Asia/Kolkata',
	'Asia/Kuala_Lumpur',
	'Asia/Shanghai',
	'Asia/Singapore',
	'Asia/Tokyo',
	'Asia/Yangon',
	'UTC',
].map((zone) => ({ name: zone, value: zone }));

/** Shown only while the option they are about is in use. */
export const sendNotices: INodeProperties[] = [
	{
		displayName:
			'The service keeps the message until the scheduled time, and this node cannot take it back. A time without its own time zone is read as Asia/Yangon, unless you add Scheduled At Time Zone. scheduledAtUtc in the output says which moment it is in UTC.',
		name: 'scheduledAtNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { '/options.scheduledAt': [{ _cnd: { exists: true } }] } },
	},
	{
		displayName:
			'The service gives the encryption key out once, in the output of this node. Keep it in a safe place in the next step: nobody can read the stored text without it. Executions that n8n saves hold the key as well.',
		name: 'encryptNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { '/options.encrypt': [true] } },
	},
	{
		displayName:
			'Test is on: the message is marked as a test, so it may never reach the phone. Switch it off before real use.',
		name: 'testNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { '/options.test': [true] } },
	},
];

/** Options of a send request, in alphabetical order, for the nodes that send single messages. */
export const sendOptions: INodeProperties[] = [
	{
		displayName: 'Client Reference',
		name: 'clientReference',
		type: 'string',
		default: '',
		placeholder: 'e.g. order-1234',
		description:
			'Your own reference of the message, at most 50 characters. It comes back in history and in delivery receipts. Left empty, the node makes one, by which it finds the message again when an answer gets lost.',
	},
	{
		displayName: 'Delivery Receipt URL',
		name: 'deliveryReceiptUrl',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://n8n.example.com/webhook/…',
		description:
			'Address that gets the delivery receipts of this message only: for example the Production URL of an SMS Delivery Receipt Trigger. Left empty, the default of your account is used.',
	},
	{
		displayName: 'Encrypt',
		name: 'encrypt',
		type: 'boolean',
		default: false,
		description:
			'Whether the service stores the text encrypted. The recipient gets it in plain. The output holds the encrypted text and the key.',
	},
	{
		displayName: 'Encryption Key',
		name: 'encryptKey',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		description:
			'Key for the encryption. Left empty, the service makes one and gives it out once, in the output of this node: keep it, since nobody can read the stored text without it.',
	},
	maxParts,
	{
		displayName: 'Scheduled At',
		name: 'scheduledAt',
		type: 'dateTime',
		default: '',
		description:
			'Send the message later, at this time. A time without its own time zone is read in Scheduled At Time Zone (Asia/Yangon when that option is not added).',
	},
	{
		displayName: 'Scheduled At Time Zone',
		name: 'scheduledAtTimeZone',
		type: 'options',
		options: timeZones,
		default: 'Asia/Yangon',
		description:
			'Time zone of the time in Scheduled At. The node converts it to the zone in which the service reads schedules (Service Time Zone in the credential). A time with an offset of its own keeps its moment.',
	},
	{
		displayName: 'Surface',
		name: 'surface',
		type: 'options',
		options: [
			{
				name: 'Query Parameters',
				value: 'http',
				description: 'Everything travels in the address. Only for accounts that need it.',
			},
			{ name: 'REST', value: 'rest', description: 'The usual way' },
		],
		default: 'rest',
		description: 'Which of the two sending interfaces of the service is used',
	},
	{
		displayName: 'Test',
		name: 'test',
		type: 'boolean',
		default: false,
		description:
			'Whether to send a test message. Ask the service what that means for your account: whether it reaches the phone, and whether it is charged.',
	},
	timeout,
	{
		displayName: 'Unicode',
		name: 'unicode',
		type: 'boolean',
		default: false,
		description:
			'Whether to force sending as a Unicode message. Switch it on when letters arrive as question marks. One part then holds 70 characters.',
	},
];
