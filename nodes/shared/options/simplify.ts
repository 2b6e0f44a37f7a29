import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { isEmptyValue, readSwitch } from './option';

/** The fields that people read first, in this order. */
const firstFields = ['to', 'name', 'result', 'status', 'messageId', 'outcome'];

/**
 * Most important first. What must not be missed is always among the ten: `encryptKey`, `encrypted`, `alreadySent`, and
 * the `note` that a tool returns for a repeated call.
 */
const simplifiedFields = [
	...firstFields,
	...[
		'waitedUntil',
		'clientReference',
		'encryptKey',
		'encrypted',
		'alreadySent',
		'textDiffers',
		'scheduleDiffers',
		'note',
	],
	...['scheduledAtLocal', 'scheduledAtUtc', 'message', 'messageCount', 'createdAt', 'finishedAt'],
	...['from', 'network'],
];

/** n8n's guideline for simplified output. */
const maxSimplifiedFields = 10;

/** For nodes that return message records. */
export const simplify: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

function pick(record: IDataObject, fields: string[], most = fields.length): IDataObject {
	const given = fields.filter(
		(field) => Object.hasOwn(record, field) && !isEmptyValue(record[field]),
	);
	return Object.fromEntries(given.slice(0, most).map((field) => [field, record[field]]));
}

/** Simplified (without empty fields) unless Simplify is off, or raw with `firstFields` in front. Only message records are changed. */
export function shapeRecord(record: IDataObject, isSimple: unknown): IDataObject {
	if (record.messageId === undefined) return record;
	if (readSwitch(isSimple) === false) return { ...pick(record, firstFields), ...record };
	// Only its key opens the text that the service stored: sent again, nobody could read it.
	const isEncrypted = readSwitch(record.encryptMessage) && { encrypted: true };
	return pick({ ...record, ...isEncrypted }, simplifiedFields, maxSimplifiedFields);
}
