import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { isTool } from '../n8n/tool';
import { isEmptyValue, readSwitch } from './option';
import type { ReadField } from './readParameters';

/** The fields that people read first, in this order. */
const firstFields = ['to', 'status', 'messageId', 'outcome'];

/** Most important first. What must not be missed is always among the ten: `encryptKey`, `encrypted` and `alreadySent`. */
const simplifiedFields = [
	...firstFields,
	...['waitedUntil', 'clientReference', 'encryptKey', 'encrypted', 'alreadySent'],
	...['scheduledAtLocal', 'message', 'messageCount', 'createdAt', 'finishedAt', 'from'],
	'scheduledAtUtc',
];

/** n8n's guideline for simplified output. */
const maxSimplifiedFields = 10;

const selectableFields = {
	alreadySent: 'Already Sent',
	clientReference: 'Client Reference',
	createdAt: 'Created At',
	encrypted: 'Encrypted',
	finishedAt: 'Finished At',
	message: 'Message',
	messageCount: 'Message Count',
	messageId: 'Message ID',
	network: 'Network',
	outcome: 'Outcome',
	receipt: 'Receipt',
	scheduledAt: 'Scheduled At',
	scheduledAtLocal: 'Scheduled At with Time Zone',
	scheduledAtUtc: 'Scheduled At in UTC',
	from: 'Sender ID',
	status: 'Status',
	test: 'Test',
	to: 'To',
	type: 'Type',
};

/** For nodes that return message records. As tools of an AI agent, they have Output instead of Simplify. */
export const simplifyProperties: INodeProperties[] = [
	{
		displayName: 'Simplify',
		name: 'simplify',
		type: 'boolean',
		default: true,
		displayOptions: { hide: { '@tool': [true] } },
		description: 'Whether to return a simplified version of the response instead of the raw data',
	},
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		options: [
			{ name: 'Raw', value: 'raw', description: 'All fields that the service returns' },
			{
				name: 'Selected Fields',
				value: 'selected',
				description: 'Only the fields that you choose',
			},
			{
				name: 'Simplified',
				value: 'simplified',
				description: 'The ten most important fields',
			},
		],
		default: 'simplified',
		displayOptions: { show: { '@tool': [true] } },
		description: 'What the AI model receives for each record',
	},
	{
		displayName: 'Fields',
		name: 'fields',
		type: 'multiOptions',
		options: Object.entries(selectableFields).map(([value, name]) => ({ name, value })),
		default: ['to', 'status', 'messageId'],
		displayOptions: { show: { '@tool': [true], output: ['selected'] } },
		description: 'Fields that the AI model receives, if a record has them',
	},
];

function pick(record: IDataObject, fields: string[], most = fields.length): IDataObject {
	const given = fields.filter(
		(field) => Object.hasOwn(record, field) && !isEmptyValue(record[field]),
	);
	return Object.fromEntries(given.slice(0, most).map((field) => [field, record[field]]));
}

/** Says so if the text is what the service stored, which only its key opens: sent again, nobody could read it. */
function markEncrypted(record: IDataObject): IDataObject {
	return readSwitch(record.encryptMessage) ? { ...record, encrypted: true } : record;
}

/** Simplified (without empty fields) unless `simplify` is off, or raw with `firstFields` in front. Only message records are changed. */
export function shapeRecord(record: IDataObject, simplify: unknown): IDataObject {
	if (record.messageId === undefined) return record;
	if (readSwitch(simplify) === false) return { ...pick(record, firstFields), ...record };
	return pick(markEncrypted(record), simplifiedFields, maxSimplifiedFields);
}

function shapeForModel(record: IDataObject, output: unknown, fields: unknown): IDataObject {
	const isSelected = output === 'selected' && Array.isArray(fields) && fields.length > 0;
	const told = isSelected
		? pick(markEncrypted(record), fields.map(String))
		: shapeRecord(record, output !== 'raw');
	// Whatever else it gets, a model must not take a repeated call for a second message.
	return { ...told, ...pick(record, ['alreadySent', 'note']) };
}

export type Shape = (record: IDataObject) => IDataObject;

/**
 * Reads how the records of an item are shaped: by Simplify or, for a tool, by Output. An expression can fail, so call
 * it before anything is sent.
 */
export function createShapeReader(
	context: IExecuteFunctions,
	readField: ReadField,
): (item: number) => Shape {
	const read = (name: string, item: number) => readField(name, item, {});
	if (isTool(context)) {
		return (item) => {
			const [output, fields] = [read('output', item), read('fields', item)];
			return (record) => shapeForModel(record, output, fields);
		};
	}
	return (item) => {
		const simplify = read('simplify', item);
		return (record) => shapeRecord(record, simplify);
	};
}
