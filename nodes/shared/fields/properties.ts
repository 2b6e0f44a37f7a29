import type { INodeProperties } from 'n8n-workflow';

/** Fields that several nodes use. n8n changes the list of a node in place, so they are always spread into a new one. */

/** What the model is told of a tool. n8n would tell it no more than the short description in the nodes panel. */
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

/** @param recipients goes on after what To accepts */
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

export const toSeveral: INodeProperties = {
	...to,
	description:
		'Mobile number of the recipient, as 09…, 959… or +959…, or an international number with + and country code. For several recipients use commas, new lines or a list.',
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
