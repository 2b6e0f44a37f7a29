import type { INodeProperties } from 'n8n-workflow';

import { toolDescription } from '../n8n/tool';

// Fields that several nodes share. n8n changes a node's list of fields in place, so each node needs its own list.

/** @param recipients continues the sentence on what To accepts */
export function sendToolDescription(
	purpose: string,
	recipients = '; separate several with commas',
	response = 'The response is one record for each recipient, with messageId and status.',
): INodeProperties {
	return toolDescription(
		`${purpose} Every message costs money and reaches a person: send each one once, and do not repeat a send that got a response. If a person declined a message, do not send it, or another text in its place. To accepts 09…, 959… or +959…, or an international number with + and country code${recipients}. From is the sender ID. ${response} A response with "error" says what to change. If it says "Outcome unknown", the message may have been sent: check SMS History and do not send it again.`,
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
		'Mobile number of the recipient: 09…, 959… or +959…, or + and country code for other countries. Spaces, dashes and Burmese digits are fine.',
};

export const toSeveral: INodeProperties = {
	...to,
	description:
		'Mobile number of the recipient: 09…, 959… or +959…, or + and country code for other countries. Separate several with commas or new lines, or use a list.',
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
		'Text of the SMS, charged in parts of 160 characters, or of 70 characters with Burmese letters, emojis or curly quotes',
};

export const senderId: INodeProperties = {
	displayName: 'Sender ID',
	name: 'from',
	type: 'string',
	default: '',
	placeholder: 'e.g. MyShop',
	description:
		'Name or number that the recipient sees, as registered for your account. Leave empty to use the Sender ID in the credential.',
};
