import type { OptionalFields, SendRequest } from '../client/types';
import type * as limits from '../options/limits';
import type { ValuesOf } from '../options/option';
import type { ReadField } from '../options/readParameters';
import type * as sendOptions from '../options/sendOptions';
import { InputError } from '../input/InputError';
import { countParts, withoutZeroWidthSpaces, type PartCount } from '../input/parts';
import { readScheduled, toServiceDateTime } from '../input/schedule';
import { requireSenderId, requireText } from '../input/text';

/** What the service charges for a text. */
export type Charge = Pick<PartCount, 'encoding' | 'parts'>;

/** A validated message without its recipient. */
export interface Draft {
	request: Omit<SendRequest, 'to'>;
	surface: 'rest' | 'http';
	charge: Charge;
}

/** Values of the options of the nodes that send. */
export type SendValues = ValuesOf<typeof limits & typeof sendOptions>;

type TextValues = Pick<SendValues, 'maxParts'> & Partial<Pick<SendValues, 'unicode'>>;

/** Those of a message with its own request. */
type SingleValues = TextValues &
	Omit<ValuesOf<typeof sendOptions>, 'deliveryReceiptUrl' | 'skipIfAlreadySent' | 'test'> &
	Partial<Pick<SendValues, 'skipIfAlreadySent'>>;

/** The options of a node, by item. @throws InputError from each method */
interface DraftOptions<V> {
	read(item: number): V;
	readRequest(item: number): OptionalFields;
}

/** What a message depends on besides the fields of the node. */
export interface Surroundings {
	/** Time zone in which the service reads schedules. */
	serviceTimeZone: string;
	/** Of the credential, for a node whose own Sender ID is empty. */
	senderId: string | undefined;
	/** Whether the output goes to an AI model, which must not get an encryption key. */
	isTool: boolean;
}

function describeRoom({ encoding }: Charge): string {
	return encoding === 'UCS-2'
		? 'With Burmese letters, emojis or the option Unicode, 70 characters fit into one part and 67 into each of several.'
		: '160 characters fit into one part and 153 into each of several. Each of ^ { } [ ] ~ | \\ € counts as two.';
}

/** Counts the parts of a text. @throws InputError if it has more than Max Parts */
export function limitParts(message: string, isUnicode: boolean, maxParts: number): Charge {
	const { parts, encoding } = countParts(message, isUnicode);
	const charge = { encoding, parts };
	if (parts <= maxParts) return charge;
	throw new InputError(
		'message',
		`Message has ${parts} parts, but Max Parts is ${maxParts}`,
		`Shorten Message, or raise Max Parts. ${describeRoom(charge)}`,
	);
}

/** A message that goes out at once, as JSON. @throws InputError */
export function readText(
	readField: ReadField,
	options: DraftOptions<TextValues>,
	item: number,
	{ senderId }: Pick<Surroundings, 'senderId'>,
): Draft {
	const { maxParts, unicode = false } = options.read(item);
	const text = requireText(readField('message', item), 'message');
	const message = withoutZeroWidthSpaces(text, unicode);
	const charge = limitParts(message, unicode, maxParts);
	const from = requireSenderId(senderId ?? readField('from', item));
	return { request: { message, from, ...options.readRequest(item) }, charge, surface: 'rest' };
}

function requireFittingKey({ encrypt, encryptKey, surface }: SingleValues, isTool: boolean): void {
	if (!encrypt) return;
	if (encryptKey && surface === 'http') {
		throw new InputError(
			'encryptKey',
			'Encryption Key cannot be used when Request Format is Query Parameters',
			'Set Request Format to JSON Request, or remove the key to let the service create one.',
		);
	}
	if (!encryptKey && isTool) {
		throw new InputError(
			'encryptKey',
			'Encryption Key is required when an AI model uses the node',
			'Add Encryption Key to the options of the tool: the AI model does not get keys that the service creates.',
		);
	}
}

/** When the message goes out, as the service reads it; absent for at once. */
function readSchedule(
	{ scheduledAt, scheduledAtTimeZone: zone }: SingleValues,
	serviceTimeZone: string,
): Pick<SendRequest, 'scheduledAt'> {
	if (scheduledAt === undefined) return {};
	const at = readScheduled(scheduledAt, zone);
	return { scheduledAt: toServiceDateTime(at, zone, serviceTimeZone, Date.now()) };
}

/** Reads and validates a send request without its recipient ("Send request"). @throws InputError */
export function readDraft(
	readField: ReadField,
	options: DraftOptions<SingleValues>,
	item: number,
	surroundings: Surroundings,
): Draft {
	const { serviceTimeZone, isTool } = surroundings;
	const { request, charge } = readText(readField, options, item, surroundings);
	const values = options.read(item);
	if (values.skipIfAlreadySent && values.clientReference === undefined) {
		throw new InputError(
			'clientReference',
			'Skip If Already Sent requires a Client Reference',
			'Add Client Reference with a value that identifies the message, such as order-1043-shipped.',
		);
	}
	const schedule = readSchedule(values, serviceTimeZone);
	requireFittingKey(values, isTool);
	return { request: { ...request, ...schedule }, surface: values.surface, charge };
}
