import type { INodeProperties } from 'n8n-workflow';

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
		'Text of the SMS. A long text is charged as several parts: 160 characters fit into one part, where each of ^ { } [ ] ~ | \\ € counts as two, or 70 when the text has Burmese letters, emojis or curly quotes.',
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

export const maxMessages: INodeProperties = {
	displayName: 'Most Messages',
	name: 'maxMessages',
	type: 'number',
	typeOptions: { minValue: 0, numberPrecision: 0 },
	default: 0,
	description:
		'Send nothing at all when this run would send more messages than this; duplicates and opt-outs that are skipped do not count. 0 means no limit. Use it where the recipients come from a form, a webhook or an AI model.',
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
	displayName: 'Timeout (Milliseconds)',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1000, numberPrecision: 0 },
	default: defaultTimeout,
	description: 'How long to wait for an answer of the service before it counts as lost',
};

export const whenUnclear: INodeProperties = {
	displayName: 'When the Outcome Is Unclear',
	name: 'whenUnclear',
	type: 'options',
	options: [
		{
			name: 'Report',
			value: 'report',
			description: 'Never send it a second time: the item fails with "outcome unknown"',
		},
		{
			name: 'Send Again',
			value: 'sendAgain',
			description:
				'Send it again once history has not shown it for a minute, or two after a time-out. Nothing is lost, and a second message is possible when the service is later than that.',
		},
	],
	default: 'sendAgain',
	description:
		'What to do when the service did not say whether it took a message, and message history does not show it. Scheduled messages are always reported.',
};
