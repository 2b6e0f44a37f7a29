import type { StrictFlags } from '../settings';
import { formatDateTime, parseDateTime } from './dateTime';
import { type Fields, isFields, readRequiredText, readText, toLabel } from './fields';
import { measureText } from './messageParts';
import { readPhoneNumber } from './phoneNumber';
import { Refusal, refuseField } from './refusal';

/** A valid send to one recipient. */
export type SendOrder = ReturnType<typeof readSendOrder>;

/** Field note 8. */
const maxReferenceLength = 50;

/**
 * Reads the fields of a single send (specification, Send request).
 *
 * @throws Refusal 422 naming the field
 */
export function readSendOrder(fields: Fields, nowMs: number, strictFlags: StrictFlags) {
	const hasEncryption = readFlag(fields, 'encrypt', strictFlags);
	const to = readRecipient(fields.to);
	const message = readRequiredText(fields, 'message');
	return {
		...{ to, message, size: measureText(message, readFlag(fields, 'unicode', strictFlags)) },
		from: readRequiredText(fields, 'from'),
		clientReference: readReference(fields),
		scheduledAt: readSchedule(fields, nowMs),
		// Without a key, the service generates one.
		...(hasEncryption && { encryption: { key: readText(fields, 'encryptKey') } }),
		isTest: readFlag(fields, 'test', strictFlags),
		deliveryReceiptUrl: readReceiptUrl(fields),
	};
}

/** The response repeats the text for each recipient: a long text to very many would take gigabytes. */
const maxCharactersAnswered = 64_000_000;

/**
 * Reads a bulk body into one order per recipient. Items have only to, message and from
 * (specification, Bulk send request); one invalid item rejects the whole request.
 *
 * @param hasReference whether items may have a `clientReference`, too
 * @throws Refusal 422 naming item and field; 413 when the texts of all recipients are too long together
 */
export function readBulkOrders(body: Fields, hasReference: boolean): SendOrder[] {
	const { messages } = body;
	if (!Array.isArray(messages)) throw refuseField('Messages must be an array.');
	if (messages.length === 0) throw refuseField('Messages cannot be blank.');
	const entries = messages.flatMap((item: unknown, index) => {
		const { recipients, content } = nameItem(index, () => readBulkItem(item, hasReference));
		return recipients.map((recipient) => ({ recipient, content, index }));
	});
	const characters = entries.reduce((sum, { content }) => sum + content.message.length, 0);
	if (characters > maxCharactersAnswered) {
		const words = `The texts of all recipients have more than ${maxCharactersAnswered} characters together.`;
		throw new Refusal(413, words);
	}
	return entries.map(({ recipient, content, index }) => {
		return { ...content, to: nameItem(index, () => readRecipient(recipient)) };
	});
}

/** Measures a text once, however many its recipients are. */
function readBulkItem(item: unknown, hasReference: boolean) {
	if (!isFields(item)) throw refuseField('Message must be an object.');
	const recipients: unknown[] = Array.isArray(item.to) ? item.to : [item.to];
	if (recipients.length === 0) throw refuseField('To cannot be blank.');
	const message = readRequiredText(item, 'message');
	const from = readRequiredText(item, 'from');
	const content = { message, from, size: measureText(message, false), isTest: false };
	const clientReference = hasReference ? readReference(item) : '';
	const absent = { clientReference, scheduledAt: null, deliveryReceiptUrl: null };
	return { recipients, content: { ...content, ...absent } };
}

function nameItem<T>(index: number, read: () => T): T {
	try {
		return read();
	} catch (error) {
		throw error instanceof Refusal ? refuseField(`Messages[${index}]: ${error.message}`) : error;
	}
}

type Flag = 'test' | 'encrypt' | 'unicode';

/** Flags are boolean in the specification; booleans were rejected with exactly this message (field note 2). */
function readFlag(fields: Fields, name: Flag, strictFlags: StrictFlags): boolean {
	const value = fields[name];
	if (value === undefined || value === null || value === '') return false;
	const isStrict = strictFlags === 'all' || strictFlags === name;
	// Some languages write True or FALSE.
	const text = typeof value === 'object' ? '' : String(value).toLowerCase();
	if (text === '1' || (text === 'true' && !isStrict)) return true;
	if (text === '0' || (text === 'false' && !isStrict)) return false;
	throw refuseField(`${toLabel(name)} must be a ${isStrict ? 'number' : 'boolean'}`);
}

/** Accepts one recipient: the specification does not show the format for several. */
function readRecipient(to: unknown): string {
	if (to === undefined || to === null || to === '') throw refuseField('To cannot be blank.');
	if (typeof to !== 'string') throw refuseField('To must be a string.');
	const number = readPhoneNumber(to);
	if (number === undefined) throw refuseField('To is not a valid mobile number.');
	return number;
}

/** Empty if there is none. */
function readReference(fields: Fields): string {
	const reference = readText(fields, 'clientReference') ?? '';
	if ([...reference].length > maxReferenceLength) {
		throw refuseField('Client Reference should contain at most 50 characters.');
	}
	return reference;
}

function readSchedule(fields: Fields, nowMs: number): string | null {
	const dueMs = readTime(fields, 'scheduledAt');
	if (dueMs === undefined) return null;
	if (dueMs <= nowMs) throw refuseField('Scheduled At must be in the future.');
	return formatDateTime(dueMs);
}

/** Milliseconds since 1970 (UTC). */
export function readTime(fields: Fields, name: string): number | undefined {
	const text = readText(fields, name);
	if (text === undefined) return undefined;
	const ms = parseDateTime(text);
	if (ms !== undefined) return ms;
	throw refuseField(`The format of ${toLabel(name)} is invalid: it must be YYYY-MM-DD HH:MM:SS.`);
}

function readReceiptUrl(fields: Fields): string | null {
	const url = readText(fields, 'deliveryReceiptUrl');
	if (url === undefined) return null;
	if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
		throw refuseField('Delivery Receipt Url is not a valid URL.');
	}
	return url;
}
