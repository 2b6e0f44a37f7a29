import type { IExecuteFunctions } from 'n8n-workflow';

import type { MessagingServiceClient } from '../client/MessagingServiceClient';
import type { OptionalFields } from '../client/types';
import { InputError } from '../input/InputError';
import { normalizePhoneNumber, parseRecipients, startsWithOneOf } from '../input/number';
import { countParts, withoutZeroWidthSpaces } from '../input/parts';
import { readScheduled, toServiceDateTime } from '../input/schedule';
import { requireSenderId, requireText } from '../input/text';
import { isTool } from '../n8n/tool';
import type { ReadField } from '../options/fields';
import { readOrTakeDefault } from '../options/reader';
import type { Draft, ItemValues } from './message';

/** The fields and options of a node that sends. @throws InputError from each method */
export interface Inputs {
	context: IExecuteFunctions;
	readField: ReadField;
	options: { read(item: number): ItemValues; readRequest(item: number): OptionalFields };
	client: Pick<MessagingServiceClient, 'defaults' | 'serviceTimeZone'>;
}

type Allowed = Pick<ItemValues, 'allowedCountryCodes'>;

/** The phone number of an entry of To in the form to send. @throws InputError */
export function toRecipient(entry: unknown, { allowedCountryCodes: codes }: Allowed): string {
	const number = normalizePhoneNumber(entry, 'to', codes);
	if (!codes || startsWithOneOf(number, codes)) return number;
	throw new InputError(
		'allowedCountryCodes',
		'Numbers in this country are not allowed',
		`To send to this number, add its country code to Allowed Country Codes (${codes.join(', ')}).`,
		{ value: number },
	);
}

/** The phone number of a node that waits for one message. @throws InputError */
export function readRecipient(value: unknown, values: Allowed): string {
	const [entry, ...others] = parseRecipients(value);
	if (others.length === 0) return toRecipient(entry, values);
	throw new InputError(
		'to',
		'To contains several numbers, but this node sends one message',
		'Enter one number. For several, use one item per number, and this node in a sub-workflow.',
	);
}

export function readSenderId({ context, readField, client }: Inputs, item: number): string {
	return requireSenderId(readOrTakeDefault(context, readField, 'from', item, client.defaults));
}

/** Counts the parts of a text. @throws InputError if it has more than Max Parts */
export function limitParts(message: string, isUnicode: boolean, maxParts: number): Draft['charge'] {
	const { parts, encoding } = countParts(message, isUnicode);
	if (parts <= maxParts) return { encoding, parts };
	const room =
		encoding === 'UCS-2'
			? 'With Burmese letters, emojis or the option Unicode, 70 characters fit into one part and 67 into each of several.'
			: '160 characters fit into one part and 153 into each of several. Each of ^ { } [ ] ~ | \\ € counts as two.';
	throw new InputError(
		'message',
		`Message has ${parts} parts, but Max Parts is ${maxParts}`,
		`Shorten Message, or raise Max Parts. ${room}`,
	);
}

function requireFitting(values: ItemValues, hasReference: boolean, isForModel: boolean): void {
	const { skipIfAlreadySent, clientReference, encrypt, encryptKey, surface } = values;
	if (skipIfAlreadySent && hasReference && clientReference === undefined) {
		throw new InputError(
			'clientReference',
			'Skip If Already Sent requires a Client Reference',
			'Add Client Reference with a value that identifies the message, such as order-1043-shipped.',
		);
	}
	if (encrypt && encryptKey && surface === 'http') {
		throw new InputError(
			'encryptKey',
			'Encryption Key cannot be used when Request Format is Query Parameters',
			'Set Request Format to JSON Request, or remove the key to let the service create one.',
		);
	}
	if (encrypt && !encryptKey && isForModel) {
		throw new InputError(
			'encryptKey',
			'Encryption Key is required when an AI model uses the node',
			'Add Encryption Key to the options of the tool: the AI model does not get keys that the service creates.',
		);
	}
}

/**
 * Reads and validates a message without its recipient ("Send request").
 * @param hasReference whether the node's messages have one: not in bulk
 * @throws InputError
 */
export function readDraft(inputs: Inputs, item: number, hasReference = true): Draft {
	const { context, readField, options, client } = inputs;
	const values = options.read(item);
	const { maxParts, unicode = false, surface = 'rest', scheduledAt } = values;
	const text = requireText(readField('message', item), 'message');
	const message = withoutZeroWidthSpaces(text, unicode);
	const charge = limitParts(message, unicode, maxParts);
	const from = readSenderId(inputs, item);
	const request: Draft['request'] = { message, from, ...options.readRequest(item) };
	if (scheduledAt !== undefined) {
		const { scheduledAtTimeZone: zone = '' } = values;
		const at = readScheduled(scheduledAt, zone);
		request.scheduledAt = toServiceDateTime(at, zone, client.serviceTimeZone, Date.now());
	}
	requireFitting(values, hasReference, isTool(context));
	return { request, surface, charge };
}
