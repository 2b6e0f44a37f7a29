import type { IDataObject } from 'n8n-workflow';

import type { SendRequest } from '../client/types';
import type { LedgerEntry } from '../delivery/ledger';
import type { SingleMessage } from '../delivery/SingleDelivery';
import { isEmpty, optionalWholeNumber, type ReadField } from './readParameters';
import { InputError } from '../validation/InputError';
import { countParts } from '../validation/parts';
import { serviceTimeZone, toServiceDateTime } from '../validation/scheduledAt';
import { optionalReference, requireSenderId, requireText, requireWebUrl } from '../validation/text';

export interface SendSettings {
	fields: Omit<SendRequest, 'to' | 'clientReference'>;
	surface: 'rest' | 'http';
	/** The user's own reference. */
	clientReference?: string;
	/** How many parts the text is charged as, for each recipient. */
	parts: number;
	/** Option Skip If Already Sent. */
	isSkipping: boolean;
	whenUnclear: WhenUnclear;
}

/** Option When the Outcome Is Unclear. */
export type WhenUnclear = 'sendAgain' | 'report';

export function readWhenUnclear(value: unknown): WhenUnclear {
	if (isEmpty(value) || value === 'sendAgain') return 'sendAgain';
	if (value === 'report') return 'report';
	throw new InputError(
		'whenUnclear',
		'When the Outcome Is Unclear is neither Send Again nor Report',
		'Choose one of the two; an expression gives "sendAgain" or "report".',
	);
}

const mostParts = 255;

/** Counts the parts of a text, and refuses one that has more than the option Max Parts allows. */
export function limitParts(message: string, isUnicode: boolean, maxParts: unknown): number {
	const { parts, encoding } = countParts(message, isUnicode);
	const limit = optionalWholeNumber(maxParts, 'maxParts', 'Max Parts', 0, mostParts) ?? 0;
	if (limit === 0 || parts <= limit) return parts;
	throw new InputError(
		'message',
		`Message would be charged as ${parts} parts, and Max Parts allows ${limit}`,
		encoding === 'UCS-2'
			? 'Shorten the text. With Burmese letters, emojis or the option Unicode, 70 characters fit into one part and 67 into each of several.'
			: 'Shorten the text: 160 characters fit into one part and 153 into each of several.',
	);
}

/** What a send request depends on besides the fields of the node. */
export interface Surroundings {
	/** Time zone in which the service reads schedules. */
	serviceTimeZone: string;
	/** The answer goes to an AI model, which gets no encryption key. */
	isTool: boolean;
}

function readEncryption(
	options: IDataObject,
	surface: string,
	isTool: boolean,
): Pick<SendRequest, 'encrypt' | 'encryptKey'> {
	const { encrypt, encryptKey } = options;
	if (isOn(encrypt) && isEmpty(encryptKey) && isTool) {
		throw new InputError(
			'encryptKey',
			'Encryption Key is empty, and a key that the service makes would get lost',
			'Fill in Encryption Key in the options of the tool. Its answers go to the AI model, which is given no key.',
		);
	}
	if (isEmpty(encryptKey)) return isOn(encrypt) ? { encrypt: 1 } : {};
	if (!isOn(encrypt)) {
		throw new InputError(
			'encryptKey',
			'Encryption Key is filled in, but Encrypt is off',
			'Switch Encrypt on, or remove the key.',
		);
	}
	if (surface === 'http') {
		throw new InputError(
			'encryptKey',
			'Encryption Key cannot be used when Send By is Query Parameters',
			'Set Send By to JSON Request, or leave the key empty so that the service makes one.',
		);
	}
	return { encrypt: 1, encryptKey: requireText(encryptKey, 'encryptKey', 'Encryption Key') };
}

/** A switch; an expression may give its value as text. */
export function isOn(value: unknown): boolean {
	return value === true || value === 1 || value === 'true' || value === '1';
}

function readSurface(value: unknown): 'rest' | 'http' {
	if (isEmpty(value) || value === 'rest') return 'rest';
	if (value === 'http') return 'http';
	throw new InputError(
		'surface',
		'Send By is neither JSON Request nor Query Parameters',
		'Choose one of the two; an expression gives "rest" or "http".',
	);
}

function readOptions(
	options: IDataObject,
	surface: 'rest' | 'http',
	surroundings: Surroundings,
): Partial<SendSettings['fields']> {
	const { deliveryReceiptUrl, scheduledAt, scheduledAtTimeZone } = options;
	const zone = isEmpty(scheduledAtTimeZone) ? serviceTimeZone : String(scheduledAtTimeZone);
	return {
		...(!isEmpty(scheduledAt) && {
			scheduledAt: toServiceDateTime(scheduledAt, zone, surroundings.serviceTimeZone, new Date()),
		}),
		...readEncryption(options, surface, surroundings.isTool),
		...(isOn(options.unicode) && { unicode: 1 as const }),
		...(isOn(options.test) && { test: 1 as const }),
		...(!isEmpty(deliveryReceiptUrl) && {
			deliveryReceiptUrl: requireWebUrl(
				deliveryReceiptUrl,
				'deliveryReceiptUrl',
				'Delivery Receipt URL',
			),
		}),
	};
}

/** Reads and checks everything of a send request but its recipient ("Send request"). */
export function readSendRequest(
	readField: ReadField,
	options: IDataObject,
	item: number,
	surroundings: Surroundings,
): SendSettings {
	const message = requireText(readField('message', item), 'message', 'Message');
	const from = requireSenderId(readField('from', item));
	const surface = readSurface(options.surface);
	const clientReference = optionalReference(options.clientReference);
	const isSkipping = isOn(options.skipIfAlreadySent);
	if (isSkipping && clientReference === undefined) {
		throw new InputError(
			'clientReference',
			'Skip If Already Sent needs a Client Reference',
			'Add the option Client Reference with a value that is the same whenever the message is the same, e.g. order-1234.',
		);
	}
	return {
		fields: { message, from, ...readOptions(options, surface, surroundings) },
		surface,
		clientReference,
		parts: limitParts(message, isOn(options.unicode), options.maxParts),
		isSkipping,
		whenUnclear: readWhenUnclear(options.whenUnclear),
	};
}

/** The message to one recipient, under its own reference where the user has given none. */
export function toSingleMessage(
	{ fields, surface, clientReference, isSkipping, whenUnclear }: SendSettings,
	to: string,
	entry: LedgerEntry,
): SingleMessage {
	return {
		request: { ...fields, to, clientReference: clientReference ?? entry.reference },
		surface,
		entry,
		isUsersReference: clientReference !== undefined,
		// A scheduled message may come into history only when its time has come.
		isSentOnce: whenUnclear === 'report' || fields.scheduledAt !== undefined,
		isSkipping,
	};
}
