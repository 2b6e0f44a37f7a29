import type { IDataObject } from 'n8n-workflow';

import type { SendRequest } from '../client/types';
import type { LedgerEntry } from '../delivery/ledger';
import type { SingleMessage } from '../delivery/SingleDelivery';
import type { Charge } from './partsHint';
import { isEmpty, readLimit, readSwitch, type ReadField } from './readParameters';
import { InputError } from '../validation/InputError';
import { countParts, findUnicodeCost } from '../validation/parts';
import { readInstant, serviceTimeZone, toServiceDateTime } from '../validation/scheduledAt';
import { moveIntoWindow, type SendWindow } from '../validation/sendWindow';
import { optionalReference, requireSenderId, requireText, requireWebUrl } from '../validation/text';
import { describeCharacter, replaceTypography } from '../validation/typography';

export interface SendSettings {
	fields: Omit<SendRequest, 'to' | 'clientReference'>;
	surface: 'rest' | 'http';
	/** The user's own reference. */
	clientReference?: string;
	charge: Charge;
	/** Option Skip If Already Sent. */
	isSkipping: boolean;
	whenUnclear: WhenUnclear;
	/** Option Send Window: when the message goes out, in milliseconds since 1970, where that is later than asked for. */
	movedTo?: number;
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

/** Option Skip If Already Sent. */
export function readSkipIfAlreadySent(options: IDataObject): boolean {
	return readSwitch(options, 'skipIfAlreadySent', 'Skip If Already Sent');
}

const mostParts = 255;

function hintAtShortening({ encoding, unicode }: Charge): string {
	if (unicode) {
		const named = unicode.characters.map(describeCharacter).join(', ');
		return `Without ${named} it would be ${unicode.partsWithout === 1 ? 'one part' : `${unicode.partsWithout} parts`}. The option Replace Typographic Characters of SMS Send and SMS Bulk Send replaces curly quotes, dashes, special spaces and ellipses.`;
	}
	return encoding === 'UCS-2'
		? 'Shorten the text. With Burmese letters, emojis or the option Unicode, 70 characters fit into one part and 67 into each of several.'
		: 'Shorten the text: 160 characters fit into one part and 153 into each of several. Each of ^ { } [ ] ~ | \\ € counts as two.';
}

/** Counts the parts of a text, and refuses one that has more than the option Max Parts allows. */
export function limitParts(message: string, isUnicode: boolean, maxParts: unknown): Charge {
	const { parts, encoding } = countParts(message, isUnicode);
	const isDear = parts > 1 && encoding === 'UCS-2' && !isUnicode;
	const unicode = isDear ? findUnicodeCost(message) : undefined;
	const charge = { encoding, parts, ...(unicode && { unicode }) };
	const limit = readLimit(maxParts, 'maxParts', 'Max Parts', mostParts);
	if (parts <= limit) return charge;
	throw new InputError(
		'message',
		`Message would be charged as ${parts} parts, and Max Parts allows ${limit}`,
		hintAtShortening(charge),
	);
}

/**
 * The text as it is sent, and how it is charged.
 * @throws InputError
 */
export function readMessage(
	readField: ReadField,
	options: IDataObject,
	item: number,
): { message: string; charge: Charge } {
	const written = requireText(readField('message', item), 'message', 'Message');
	const isUnicode = readSwitch(options, 'unicode', 'Unicode');
	const isReplacing = readSwitch(options, 'replaceTypography', 'Replace Typographic Characters');
	const message = isReplacing && !isUnicode ? replaceTypography(written) : written;
	return { message, charge: limitParts(message, isUnicode, options.maxParts) };
}

/** What a send request depends on besides the fields of the node. */
export interface Surroundings {
	/** Time zone in which the service reads schedules. */
	serviceTimeZone: string;
	/** The answer goes to an AI model, which gets no encryption key. */
	isTool: boolean;
	sendWindow?: SendWindow;
}

function readEncryption(
	options: IDataObject,
	surface: string,
	isTool: boolean,
): Pick<SendRequest, 'encrypt' | 'encryptKey'> {
	const { encryptKey } = options;
	const isEncrypted = readSwitch(options, 'encrypt', 'Encrypt');
	if (isEncrypted && isEmpty(encryptKey) && isTool) {
		throw new InputError(
			'encryptKey',
			'Encryption Key is empty, and a key that the service makes would get lost',
			'Fill in Encryption Key in the options of the tool. Its answers go to the AI model, which is given no key.',
		);
	}
	if (isEmpty(encryptKey)) return isEncrypted ? { encrypt: 1 } : {};
	if (!isEncrypted) {
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

function readSurface(value: unknown): 'rest' | 'http' {
	if (isEmpty(value) || value === 'rest') return 'rest';
	if (value === 'http') return 'http';
	throw new InputError(
		'surface',
		'Send By is neither JSON Request nor Query Parameters',
		'Choose one of the two; an expression gives "rest" or "http".',
	);
}

/** When the message goes out; at once where it says nothing. */
function readSchedule(
	{ scheduledAt, scheduledAtTimeZone }: IDataObject,
	{ serviceTimeZone: zoneOfService, sendWindow }: Surroundings,
): { scheduledAt?: string; movedTo?: number } {
	const zone = isEmpty(scheduledAtTimeZone) ? serviceTimeZone : String(scheduledAtTimeZone);
	const now = new Date();
	const isAsked = !isEmpty(scheduledAt);
	const asked = isAsked && toServiceDateTime(scheduledAt, zone, zoneOfService, now);
	const schedule = asked ? { scheduledAt: asked } : {};
	if (!sendWindow) return schedule;
	const moment = isAsked ? readInstant(scheduledAt, zone) : now.getTime();
	const movedTo = moveIntoWindow(sendWindow, moment);
	if (movedTo === moment) return schedule;
	return { scheduledAt: toServiceDateTime(new Date(movedTo), zone, zoneOfService, now), movedTo };
}

function readOptions(
	options: IDataObject,
	surface: 'rest' | 'http',
	surroundings: Surroundings,
): Partial<SendSettings['fields']> {
	const { deliveryReceiptUrl } = options;
	return {
		...readEncryption(options, surface, surroundings.isTool),
		...(readSwitch(options, 'unicode', 'Unicode') && { unicode: 1 as const }),
		...(readSwitch(options, 'test', 'Test') && { test: 1 as const }),
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
	const { message, charge } = readMessage(readField, options, item);
	const from = requireSenderId(readField('from', item));
	const surface = readSurface(options.surface);
	const clientReference = optionalReference(options.clientReference);
	const isSkipping = readSkipIfAlreadySent(options);
	if (isSkipping && clientReference === undefined) {
		throw new InputError(
			'clientReference',
			'Skip If Already Sent needs a Client Reference',
			'Add the option Client Reference with a value that is the same whenever the message is the same, e.g. order-1234.',
		);
	}
	const { movedTo, ...schedule } = readSchedule(options, surroundings);
	return {
		fields: { message, from, ...schedule, ...readOptions(options, surface, surroundings) },
		surface,
		clientReference,
		charge,
		isSkipping,
		whenUnclear: readWhenUnclear(options.whenUnclear),
		...(movedTo !== undefined && { movedTo }),
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
